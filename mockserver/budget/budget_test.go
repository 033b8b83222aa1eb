package budget_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
)

// TestWorkWaitsForItsTurn: what does not fit beside the work under way begins when that
// has ended, and what is larger than all goes alone.
func TestWorkWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(1000)
		b.Begin(150)
		b.Begin(50) // a fifth in all
		begun := false
		go func() {
			b.Begin(900)
			begun = true
		}()
		synctest.Wait()
		require.False(t, begun)
		b.End(150)
		synctest.Wait()
		require.False(t, begun, "it goes alone")
		b.End(50)
		synctest.Wait()
		require.True(t, begun)
		b.End(900)
		b.Begin(200)
	})
	none := (*budget.Bytes)(nil)
	none.Begin(1)
	none.End(1)
}

// TestAnswersThatNobodyReads take a part of the budget; one alone is given, however long.
func TestAnswersThatNobodyReads(t *testing.T) {
	t.Parallel()
	b := budget.New(1000)
	require.True(t, b.Answer(5000))
	require.False(t, b.Answer(1))
	b.Answered(5000)
	require.True(t, b.Answer(150))
	require.False(t, b.Answer(51))
	require.True(t, b.Answer(50))
	b.AnswerAnyway(50)
	b.Answered(250)
	require.True(t, b.Answer(200))
	require.Zero(t, b.Used(), "a full sandbox is read still")
	none := (*budget.Bytes)(nil)
	require.True(t, none.Answer(1))
	none.AnswerAnyway(1)
	none.Answered(1)
}

// TestCopiesAreDrawn: who is put to sleep or woken draws what that takes, waits for others
// that do the same, and for no other work.
func TestCopiesAreDrawn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(1000)
		b.Begin(200) // a fifth in all: a caller with a large body, who wakes somebody
		done := b.Copy(150)
		require.Equal(t, int64(150), b.Used())
		begun := false
		go func() {
			defer b.Copy(900)()
			begun = true
		}()
		synctest.Wait()
		require.False(t, begun)
		done()
		synctest.Wait()
		require.True(t, begun)
		require.Zero(t, b.Used())
		b.End(200)
	})
	(*budget.Bytes)(nil).Copy(1)()
}

// TestTapesAndOthersLeaveRoom: tapes leave an eighth to bodies, what is made leaves a quarter
// to tapes, and a tape that comes late has its share of a sixteenth.
func TestTapesAndOthersLeaveRoom(t *testing.T) {
	t.Parallel()
	b := budget.New(1600)
	first := b.ForTape()
	require.True(t, first.Take(1400))
	require.False(t, first.Take(1), "an eighth is for others")
	require.True(t, b.Take(200))
	late, later := b.ForTape(), b.ForTape()
	require.True(t, late.Take(50), "half of a sixteenth, when it is the second")
	require.False(t, late.Take(1))
	require.True(t, later.Take(33))
	require.False(t, later.Take(1))
	require.True(t, b.Spent(), "nothing is left")
	first.Give(1400)
	require.False(t, b.Spent())
	require.True(t, later.Take(17), "a third of them has nothing now")
	later.Give(50)
	late.Give(50)
	b.Force(999)
	require.False(t, b.Spent())
	b.Force(1)
	require.True(t, b.Spent(), "a quarter is for tapes")
	require.True(t, late.Take(200))
	require.False(t, late.Take(1))
	none := (*budget.Bytes)(nil).ForTape()
	require.True(t, none.Take(1))
	none.Force(1)
	none.Give(2)
}

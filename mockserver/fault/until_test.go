package fault_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/kernel"
)

// TestAFaultEndsByTheClock: a call at its end, and later ones, meet it no more, and no fault
// waits then.
func TestAFaultEndsByTheClock(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{ID: "outage", Effect: down, Until: 40})
	arm(t, &s, fault.Fault{ID: "later", Match: fault.Match{Nth: 5}, Effect: fault.Effect{Status: 500}, Count: 1})
	var met []string
	for seq := uint64(1); seq <= 6; seq++ {
		m, _ := s.Next(call(seq))
		met = append(met, m.ID)
	}
	require.Equal(t, []string{"outage", "outage", "outage", "", "later", ""}, met)
	require.True(t, s.Idle(), "what is over waits for nothing")
	a := s.List()[0]
	require.Equal(t, 3, a.Seen, "what comes after its end is not for it")
	require.Equal(t, -1, a.Remaining(), "no number of calls has ended it")
	require.False(t, a.Over(39))
	require.True(t, a.Over(40))
}

// TestWhatEndsFirstEndsAFault: its count, too.
func TestWhatEndsFirstEndsAFault(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{Effect: down, Count: 2, Until: 1000})
	require.Equal(t, []uint64{1, 2}, hits(&s, 6))
}

func TestAFaultThatIsOverMakesRoom(t *testing.T) {
	t.Parallel()
	var s fault.Set
	for n := range fault.MaxArmed {
		arm(t, &s, fault.Fault{ID: "f" + strconv.Itoa(n), Effect: down, Until: 10})
	}
	_, err := s.Arm(fault.Fault{Effect: down}, 9)
	require.ErrorIs(t, err, fault.ErrFull)
	_, err = s.Arm(fault.Fault{Effect: down}, 10)
	require.NoError(t, err)
	require.Equal(t, "f1", s.List()[0].ID)
	for n := 1; n < fault.MaxArmed; n++ {
		require.True(t, s.Remove("f"+strconv.Itoa(n)))
	}
	require.Equal(t, []uint64{1, 2, 3}, hits(&s, 3))
}

// TestEndsAreKept: one that no time ends is written as it was before there were ends.
func TestEndsAreKept(t *testing.T) {
	t.Parallel()
	drop := fault.Effect{CommitThenDrop: true}
	for want, f := range map[string]fault.Fault{
		"\x01\x01a\x00\x00\x00\x00\xee\x07\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00":     {ID: "a", Effect: down, Count: 1},
		"\x01\x01a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x00":         {ID: "a", Effect: drop, Count: 1},
		"\x01\x01a\x00\x00\x00\x00\xee\x07\x00\x00\x00\x00\x00\x02\x50\x00\x00\x00\x00\x00\x00": {ID: "a", Effect: down, Until: 40},
		"\x01\x01a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x50\x00\x00\x00\x00\x00\x00":     {ID: "a", Effect: drop, Until: 40},
	} {
		var s, read fault.Set
		arm(t, &s, f)
		require.Equal(t, want, string(kernel.Encode(nil, &s)))
		require.NoError(t, kernel.Decode([]byte(want), &read))
		require.Equal(t, s.List(), read.List())
		require.Equal(t, hits(&s, 6), hits(&read, 6))
	}
	for _, bad := range []string{
		"\x01\x01a\x00\x00\x00\x00\xee\x07\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00",
		"\x01\x01a\x00\x00\x00\x00\xee\x07\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00",
		"\x01\x01a\x00\x00\x00\x00\xee\x07\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00",
	} {
		require.Error(t, kernel.Decode([]byte(bad), &fault.Set{}))
	}
}

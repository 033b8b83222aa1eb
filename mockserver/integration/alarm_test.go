package integration_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// watch is a wall clock that may be put forward or back.
type watch struct{ ahead atomic.Int64 }

func (w *watch) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

func (w *watch) put(by time.Duration) { w.ahead.Add(int64(by)) }

// onRealClock runs a test in virtual time with an integration whose company waits for its
// verification: alone, and where inputs are ordered.
func onRealClock(t *testing.T, test func(t *testing.T, w *watch, i *integration.Integration)) {
	t.Helper()
	t.Parallel()
	o := integration.Options{Clock: integration.Real, Environment: world.Rehearsal}
	within := func(t *testing.T, make func(t *testing.T, wall func() time.Time) *integration.Registry) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			w := &watch{}
			r := make(t, w.now)
			defer r.Close()
			create(t, r.Default(), "gym")
			test(t, w, r.Default())
		})
	}
	t.Run("alone", func(t *testing.T) {
		within(t, func(t *testing.T, wall func() time.Time) *integration.Registry {
			t.Helper()
			r, err := integration.NewRegistry(o, wall, nowhere{})
			require.NoError(t, err)
			return r
		})
	})
	t.Run("in order", func(t *testing.T) {
		within(t, func(t *testing.T, wall func() time.Time) *integration.Registry {
			t.Helper()
			in := &order{down: map[integration.InputKind]bool{}, owed: map[string]bool{}}
			in.registry = integration.OpenRegistry(in, nil, wall, nowhere{}, nil)
			require.NoError(t, in.registry.MakeDefault(o))
			in.registry.Begin()
			return in.registry
		})
	})
}

// due is how long it is until the next timer; there is one.
func due(t *testing.T, i *integration.Integration) time.Duration {
	t.Helper()
	_, now, next := i.Clock()
	require.False(t, next.IsZero(), "a timer is set")
	return next.Sub(now)
}

// fired counts the timers that have fired; looking at them fires none.
func fired(i *integration.Integration) int {
	synctest.Wait()
	return len(i.Peek(tape.Filter{Kinds: []tape.Kind{tape.KindTimer}}).Entries)
}

// TestWhatAMoveLandsBeforeFiresByItself: a move of a real clock brings the next timer
// nearer, and nobody has to call for it to fire.
func TestWhatAMoveLandsBeforeFiresByItself(t *testing.T) {
	for name, left := range map[string][]time.Duration{
		"seconds": {2 * time.Second}, "a nanosecond": {1}, "less than a second": {300_000_001},
		"nearer and nearer": {time.Minute, 10 * time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			onRealClock(t, func(t *testing.T, _ *watch, i *integration.Integration) {
				t.Helper()
				for _, left := range left {
					_, err := i.Advance(integration.Move{By: due(t, i) - left})
					require.NoError(t, err)
				}
				last := left[len(left)-1]
				time.Sleep(last - 1) // of the bubble
				require.Zero(t, fired(i))
				time.Sleep(time.Nanosecond)
				require.Equal(t, 1, fired(i))
			})
		})
	}
}

// TestAMoveToATimerFiresIt: what a move lands on fires in it.
func TestAMoveToATimerFiresIt(t *testing.T) {
	onRealClock(t, func(t *testing.T, _ *watch, i *integration.Integration) {
		t.Helper()
		_, _, next := i.Clock()
		_, err := i.Advance(integration.Move{To: next})
		require.NoError(t, err)
		require.Equal(t, 1, fired(i))
	})
}

// TestAfterARestoreTimersFireByThemselves, as long after it as when the snapshot was taken;
// after a reset those of the former life do not.
func TestAfterARestoreTimersFireByThemselves(t *testing.T) {
	onRealClock(t, func(t *testing.T, _ *watch, i *integration.Integration) {
		t.Helper()
		left := 5 * time.Second
		_, err := i.Advance(integration.Move{By: due(t, i) - left})
		require.NoError(t, err)
		before := i.Snapshot()
		time.Sleep(left)
		require.Equal(t, 1, fired(i))
		require.NoError(t, i.Restore(before))
		time.Sleep(left - 1)
		require.Zero(t, fired(i))
		time.Sleep(time.Nanosecond)
		require.Equal(t, 1, fired(i))

		require.NoError(t, i.Restore(before))
		require.NoError(t, i.Reset())
		create(t, i, "gym")
		time.Sleep(left)
		require.Zero(t, fired(i))
		time.Sleep(due(t, i))
		require.Equal(t, 1, fired(i))
	})
}

// TestTimersFireThoughTheWallIsPutForward, as when a machine has slept: soon, and without
// a call.
func TestTimersFireThoughTheWallIsPutForward(t *testing.T) {
	onRealClock(t, func(t *testing.T, w *watch, i *integration.Integration) {
		t.Helper()
		w.put(due(t, i))
		time.Sleep(10 * time.Second)
		require.Equal(t, 1, fired(i))
	})
}

// TestARealClockNeverGoesBack when the wall is put back: it goes on from where it was, and
// timers fire when they would have. It does not run ahead of a wall that is put right again.
func TestARealClockNeverGoesBack(t *testing.T) {
	onRealClock(t, func(t *testing.T, w *watch, i *integration.Integration) {
		t.Helper()
		_, began, next := i.Clock()
		left := next.Sub(began)
		w.put(-time.Hour)
		for range 3 {
			time.Sleep(left / 4)
			_, now, same := i.Clock()
			began = began.Add(left / 4)
			require.Equal(t, began, now)
			require.Equal(t, next, same)
		}
		w.put(30 * time.Minute)
		time.Sleep(left - 3*(left/4) - 1)
		require.Zero(t, fired(i))
		time.Sleep(time.Nanosecond)
		require.Equal(t, 1, fired(i))
		w.put(30 * time.Minute)
		_, now, _ := i.Clock()
		require.Equal(t, next, now)
		w.put(time.Minute)
		_, now, _ = i.Clock()
		require.Equal(t, next.Add(time.Minute), now, "from here on it runs with the wall")
	})
}

// TestTheClockTellsNoTimerOfThePast: who looks at it hears of what is to come, as if the
// alarm had rung at once.
func TestTheClockTellsNoTimerOfThePast(t *testing.T) {
	onRealClock(t, func(t *testing.T, w *watch, i *integration.Integration) {
		t.Helper()
		w.put(due(t, i))
		_, now, next := i.Clock()
		require.Equal(t, 1, fired(i))
		require.True(t, next.IsZero() || next.After(now), "%s is not before %s", now, next)
	})
}

// drawer is a shelf in memory.
type drawer map[string][]byte

func (d drawer) Put(id string, b []byte) (string, error) { d[id] = b; return id, nil }
func (d drawer) Get(name string) ([]byte, error)         { return d[name], nil }
func (d drawer) Size(name string) int64                  { return int64(len(d[name])) }
func (drawer) Keep(string) error                         { return nil }
func (drawer) Drop(string)                               {}

// TestWhoSleepsLooksAtTheWallOnceAMinute, and wakes when its time has come.
func TestWhoSleepsLooksAtTheWallOnceAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, looks := &watch{}, atomic.Int64{}
		wall := func() time.Time { looks.Add(1); return w.now() }
		in := &order{down: map[integration.InputKind]bool{}, owed: map[string]bool{}}
		in.registry = integration.OpenRegistry(in, drawer{}, wall, nowhere{}, nil)
		defer in.registry.Close()
		require.NoError(t, in.registry.MakeDefault(integration.Options{Clock: integration.Real, Environment: world.Rehearsal}))
		in.registry.Begin()
		i := in.registry.Default()
		create(t, i, "gym")
		left := due(t, i)
		for in.registry.Sleeping() == 0 {
			_, err := in.registry.Doze()
			require.NoError(t, err)
		}
		time.Sleep(time.Minute)
		before := looks.Load()
		time.Sleep(time.Hour)
		require.LessOrEqual(t, looks.Load()-before, int64(2*60))
		require.Equal(t, 1, in.registry.Sleeping())
		w.put(left)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Zero(t, in.registry.Sleeping())
		require.Equal(t, 1, fired(i))
	})
}

// TestAListOfClocksReadsNoLog: to tell the clocks of ten thousand integrations is not to
// read on ten thousand times. What is due fires all the same.
func TestAListOfClocksReadsNoLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &watch{}
		in := &order{shared: true, down: map[integration.InputKind]bool{}, owed: map[string]bool{}}
		in.registry = integration.OpenRegistry(in, nil, w.now, nowhere{}, nil)
		defer in.registry.Close()
		require.NoError(t, in.registry.MakeDefault(integration.Options{Clock: integration.Real, Environment: world.Rehearsal}))
		in.registry.Begin()
		i := in.registry.Default()
		create(t, i, "gym")
		w.put(due(t, i))
		before := in.read
		_, _, next := i.Clock()
		require.True(t, next.IsZero())
		require.Equal(t, 1, fired(i))
		require.Equal(t, before, in.read)
		i.Current()
		require.Equal(t, before+1, in.read)
	})
}

// TestTimersFireAfterARestartByAWallThatWasPutBack: the clock goes on from where it stood.
func TestTimersFireAfterARestartByAWallThatWasPutBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := func(wall func() time.Time, make func(r *integration.Registry) error) *integration.Registry {
			in := &order{down: map[integration.InputKind]bool{}, owed: map[string]bool{}}
			in.registry = integration.OpenRegistry(in, nil, wall, nowhere{}, nil)
			require.NoError(t, make(in.registry))
			in.registry.Begin()
			return in.registry
		}
		w := &watch{}
		was := begin(w.now, func(r *integration.Registry) error {
			return r.MakeDefault(integration.Options{Clock: integration.Real, Environment: world.Rehearsal})
		})
		create(t, was.Default(), "gym")
		_, now, next := was.Default().Clock()
		stood := stands(t, was)
		was.Close()
		w.put(-time.Hour)
		is := begin(w.now, func(r *integration.Registry) error { return r.Stand(stood) })
		defer is.Close()
		_, again, same := is.Default().Clock()
		require.Equal(t, now, again)
		require.Equal(t, next, same)
		time.Sleep(next.Sub(now))
		require.Equal(t, 1, fired(is.Default()))
	})
}

// TestAClockThatStandsRingsNoAlarm: an integration whose clock ran becomes a snapshot
// whose clock stands, when a timer was due. It fires when somebody calls, as in a replay.
func TestAClockThatStandsRingsNoAlarm(t *testing.T) {
	onRealClock(t, func(t *testing.T, w *watch, i *integration.Integration) {
		t.Helper()
		left := due(t, i)
		w.put(left)
		require.NoError(t, i.Restore(i.Snapshot().Under(integration.Manual)))
		time.Sleep(2 * left)
		require.Zero(t, fired(i))
		create(t, i, "another gym")
		require.Equal(t, 1, fired(i))
	})
}

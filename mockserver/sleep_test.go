package mockserver_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
)

// sleeper opens a sandbox on a folder in which integrations sleep when they are told to.
func sleeper(ctx context.Context, tb require.TestingT, dir string, o mockserver.Options) *mockserver.Server {
	log, err := natslog.OpenFolder(ctx, dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	o.Inputs, o.Images, o.ImageEvery, o.SleepAfter = log, durable.NewImages(log.Folder().Images()), 25, 1000*time.Hour
	o.Shelf, err = shelf.Open(log.Folder().Sleeping())
	require.NoError(tb, err)
	s, err := mockserver.New(o)
	require.NoError(tb, err)
	return s
}

// sleep puts all to sleep, and says how many do.
func sleep(tb require.TestingT, s *mockserver.Server) int {
	for range 5 {
		_, err := s.Registry().Doze()
		require.NoError(tb, err)
	}
	return s.Registry().Sleeping()
}

// TestWhoSleepsAndWakesAnswersTheSame: at any point of any session, and after a restart or
// a kill, while it sleeps or is awake, as one in memory does that nothing happens to.
func TestWhoSleepsAndWakesAnswersTheSame(t *testing.T) {
	t.Parallel()
	list := moves()
	root, runs := t.TempDir(), 0
	sampling.Check(t, func(t *rapid.T) {
		runs++
		dir := filepath.Join(root, strconv.Itoa(runs))
		awake := still(t, wallless())
		defer awake.Registry().Close()
		s := sleeper(t.Context(), t, dir, wallless())
		x, y := &noted{Handler: awake.Handler()}, &noted{Handler: s.Handler()}
		one, other := newDriver(awake), newDriver(s)
		one.h, other.h = x, y
		for range rapid.IntRange(1, 4).Draw(t, "naps") {
			for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<20), 0, 20).Draw(t, "session") {
				list[n%len(list)](one, n/len(list))
				list[n%len(list)](other, n/len(list))
			}
			tapeOf(t, awake) // who reads lets what is under way land
			tapeOf(t, s)
			asleep := 0
			if rapid.Bool().Draw(t, "nap") {
				asleep = 1
				require.Equal(t, 1, sleep(t, s))
			}
			switch rapid.SampledFrom([]string{"", "restart", "kill"}).Draw(t, "then") {
			case "restart":
				require.NoError(t, s.Close(t.Context()))
			case "kill":
				runs++
				killed := filepath.Join(root, strconv.Itoa(runs))
				copyLive(t, killed, dir) // as it stands if it is killed now
				require.NoError(t, s.Close(t.Context()))
				dir = killed
				asleep = 0
			default:
				continue
			}
			s = sleeper(t.Context(), t, dir, wallless())
			require.GreaterOrEqual(t, s.Registry().Sleeping(), asleep, "a start wakes nobody")
			y.Handler = s.Handler()
		}
		require.Equal(t, x.answers, y.answers)
		requireEqualState(t, awake, s)
		require.NoError(t, s.Close(t.Context()))
	})
}

// TestTimersWakeSleepers: what falls due under a real clock fires, and looking at figures
// wakes nobody.
func TestTimersWakeSleepers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := integration.DefaultStart
	o := wallless()
	o.Integration.Clock, o.Wall = integration.Real, func() time.Time { return now }
	s := sleeper(t.Context(), t, dir, o)
	d := newDriver(s)
	for _, n := range []int{0, 2, 6, 7, 8} {
		moves()[n](d, 0)
	}
	i := s.Registry().Default()
	i.Settle()
	for { // what is due within a minute keeps it awake
		_, _, next := i.Clock()
		if next.Sub(now) > time.Minute {
			break
		}
		now = next
		i.Settle()
		tapeOf(t, s)
	}
	_, _, due := i.Clock()
	entries, _, _ := i.Size()
	require.Equal(t, 1, sleep(t, s))
	figures := page(t, s, "/metrics")
	for _, figure := range []string{"paysandbox_integrations_sleeping 1", "paysandbox_integrations_awake 0", "paysandbox_log_lag 0", "paysandbox_log_up 1", "paysandbox_log_position "} {
		require.Contains(t, figures, figure)
	}
	require.Regexp(t, `"kept":{"position":[1-9]\d*,"lag":0,"snapshotPosition":\d+,"snapshotAge":(\d+|null),"awake":0,"sleeping":1}`, page(t, s, "/_sandbox/ready"))
	again, _, _ := i.Size()
	require.Equal(t, entries, again)
	_, _, asleep := i.Clock()
	require.Equal(t, due, asleep)
	require.Equal(t, 1, s.Registry().Sleeping())
	require.NoError(t, s.Close(t.Context()))

	now = due.Add(time.Second) // it fell due while nobody served it
	s = sleeper(t.Context(), t, dir, o)
	require.Zero(t, s.Registry().Sleeping())
	after, _, _ := s.Registry().Default().Size()
	require.Greater(t, after, entries)
	require.NoError(t, s.Close(t.Context()))
}

// TestWhoCannotWakeIsRefused, with the file that is damaged, and can be reset.
func TestWhoCannotWakeIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sleeper(t.Context(), t, dir, wallless())
	d := newDriver(s)
	moves()[0](d, 0)
	moves()[2](d, 0)
	before := s.Registry().Default().Hash()
	require.Equal(t, 1, sleep(t, s))
	files, err := filepath.Glob(filepath.Join(dir, "sleeping", "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	for range 2 { // the snapshot of a stop holds nothing else in its place
		spoil(t, files[0])
		x := &noted{Handler: s.Handler()}
		d.h = x
		d.call(http.MethodPost, "/Company/Create", "{}")
		require.Contains(t, x.answers[0], "/Company/Create 503")
		require.Contains(t, x.answers[0], files[0])
		require.NoError(t, s.Close(t.Context()))
		s = sleeper(t.Context(), t, dir, wallless())
		d.h = s.Handler()
		d.call(http.MethodPost, "/Company/Create", "{}")
		require.NoError(t, s.Close(t.Context()))
		spoil(t, files[0]) // from a backup
		s = sleeper(t.Context(), t, dir, wallless())
		require.Equal(t, before, s.Registry().Default().Hash())
		require.Equal(t, 1, sleep(t, s))
	}
	spoil(t, files[0])
	d.h = s.Handler()
	d.call(http.MethodPost, "/Company/Create", "{}")
	asked(t, s, http.MethodPost, "/default/reset", "")
	moves()[0](d, 0)
	entries, _, _ := s.Registry().Default().Size()
	require.Positive(t, entries)
	require.NoError(t, s.Close(t.Context()))

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "sleeping")))
	s = sleeper(t.Context(), t, dir, wallless()) // the snapshot at the end refers to nobody who sleeps
	require.Equal(t, 1, sleep(t, s))
	require.NoError(t, s.Close(t.Context()))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "sleeping")))
	log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	o := wallless()
	o.Inputs, o.Images = log, durable.NewImages(log.Folder().Images())
	o.Shelf, err = shelf.Open(log.Folder().Sleeping())
	require.NoError(t, err)
	_, err = mockserver.New(o)
	require.ErrorIs(t, err, shelf.ErrDamaged)
}

// TestALargeBodyWakes: whether the token is still good is asked before a large body is read,
// of an integration that sleeps as of others.
func TestALargeBodyWakes(t *testing.T) {
	t.Parallel()
	s := sleeper(t.Context(), t, t.TempDir(), wallless())
	d := newDriver(s)
	moves()[0](d, 0)
	require.Equal(t, 1, sleep(t, s))
	x := &noted{Handler: s.Handler()}
	d.h = x
	d.call(http.MethodPost, "/Company/Create", "{"+strings.Repeat(" ", 1<<20)+"}")
	require.Contains(t, x.answers[0], "/Company/Create 400")
	require.NoError(t, s.Close(t.Context()))
}

// TestAttackWakesNoMoreThanThereIsRoomFor: where others take the memory, who sleeps is told to
// come again, and wakes once one of them is reset.
func TestAttackWakesNoMoreThanThereIsRoomFor(t *testing.T) {
	t.Parallel()
	o := wallless()
	o.Integration.Budget = budget.New(64 << 20)
	s := sleeper(t.Context(), t, t.TempDir(), o)
	d := newDriver(s)
	moves()[0](d, 0)
	d.call(http.MethodPost, "/Company/Create", `{"note":"`+strings.Repeat("n", 1<<20)+`"}`)
	require.Equal(t, 1, sleep(t, s))
	taken := 63 << 20
	o.Integration.Budget.Force(int64(taken))
	x := &noted{Handler: s.Handler()}
	d.h = x
	d.call(http.MethodPost, "/Company/Create", "{}")
	require.Contains(t, x.answers[0], "/Company/Create 503")
	require.Contains(t, x.answers[0], "full of others that are awake")
	require.Equal(t, 1, s.Registry().Sleeping())
	o.Integration.Budget.Give(int64(taken))
	d.call(http.MethodPost, "/Company/Create", "{}")
	require.Contains(t, x.answers[1], "/Company/Create 400")
	require.NoError(t, s.Close(t.Context()))
}

// page is what stands at an address.
func page(t *testing.T, s *mockserver.Server, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+path, http.NoBody))
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String()
}

package mockserver_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/integration"
)

// blocks are the files that the engine appends to, and how long they are.
func blocks(t *testing.T, dir string) (last string, size int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "log"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".blk") {
			about, err := d.Info()
			if err != nil {
				return err
			}
			last, size = path, about.Size()
		}
		return err
	}))
	require.NotEmpty(t, last)
	return last, size
}

// flushed opens a sandbox whose log is flushed before each answer.
func flushed(ctx context.Context, dir string) (*mockserver.Server, error) {
	log, err := natslog.OpenFolder(ctx, dir, natslog.SyncAlways, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	o := wallless()
	o.Inputs, o.Images = log, durable.NewImages(log.Folder().Images())
	return mockserver.New(o)
}

// TestACutLogHoldsAllThatWasAnswered: wherever behind the last answer the file of the log
// ends after a loss of power, a start has every call that was answered, and goes on.
func TestACutLogHoldsAllThatWasAnswered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := flushed(t.Context(), dir)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	d := newDriver(s)
	list := moves()
	list[0](d, 0)
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	for n := range 12 {
		_, answered := blocks(t, dir)
		want, _ := tapeOf(t, s)
		list[2](d, n) // its message is cut
		file, whole := blocks(t, dir)
		require.Greater(t, whole, answered)
		cut := t.TempDir()
		copyLive(t, cut, dir)
		at := answered + rng.Int64N(whole-answered)
		require.NoError(t, os.Truncate(strings.Replace(file, dir, cut, 1), at))
		after, err := flushed(t.Context(), cut)
		require.NoError(t, err, "seed %d, cut %d at %d of %d", seed, n, at, whole)
		got, _ := tapeOf(t, after)
		require.True(t, strings.HasPrefix(got, strings.TrimSpace(want)), "seed %d, cut %d at %d of %d", seed, n, at, whole)
		again := newDriver(after)
		list[0](again, 0)
		list[2](again, n+20)
		more, _ := tapeOf(t, after)
		require.Greater(t, len(more), len(got))
		require.NoError(t, after.Close(t.Context()))
	}
}

// TestFlippedBytesOfTheLogAreRefused, with the place, unless they are the engine's own
// and all that we wrote is there: nothing is left out in silence.
func TestFlippedBytesOfTheLogAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := flushed(t.Context(), dir)
	require.NoError(t, err)
	d := newDriver(s)
	for n := range 30 {
		moves()[2*(n%2)](d, n)
	}
	want, _ := tapeOf(t, s)
	file, size := blocks(t, dir)
	refused := 0
	for n := range int64(24) {
		at := size * (n + 1) / 30 // not in the last messages: who cuts those off is another test's
		flipped := t.TempDir()
		copyLive(t, flipped, dir)
		name := strings.Replace(file, dir, flipped, 1)
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		raw[at] ^= 4
		require.NoError(t, os.WriteFile(name, raw, 0o600))
		after, err := flushed(t.Context(), flipped)
		if err == nil {
			got, _ := tapeOf(t, after)
			require.True(t, want == got, "flipped at %d of %d", at, size)
			require.NoError(t, after.Close(t.Context()))
			continue
		}
		refused++
		require.ErrorIs(t, err, durable.ErrBroken, "flipped at %d of %d", at, size)
		require.ErrorContains(t, err, "byte")
	}
	require.Greater(t, refused, 12)
	require.NoError(t, s.Close(t.Context()))
}

// full is a log on a disk that can be full.
type full struct {
	durable.Log
	is atomic.Bool
}

func (f *full) Append(ctx context.Context, m durable.Message) (uint64, error) {
	if f.is.Load() {
		return 0, errors.New("no space left on device")
	}
	return f.Log.Append(ctx, m)
}

// TestAFullDisk: calls are answered 503 with Retry-After, ready says why, nothing is half
// done, and the sandbox goes on when there is room again.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	stream, err := natslog.OpenFolder(t.Context(), t.TempDir(), natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	disk := &full{Log: stream}
	o := wallless()
	o.Inputs = disk
	s, err := mockserver.New(o)
	require.NoError(t, err)
	x := &noted{Handler: s.Handler()}
	d := newDriver(s)
	d.h = x
	moves()[0](d, 0)
	before := s.Registry().Default().Hash()
	disk.is.Store(true)
	moves()[2](d, 0)
	require.Contains(t, x.answers[1], "/Company/Create 503")
	require.Contains(t, x.answers[1], "Retry-After")
	d.call(http.MethodGet, "/_sandbox/ready", "")
	require.Contains(t, x.answers[2], "/_sandbox/ready 503")
	require.Contains(t, x.answers[2], "(since "+integration.DefaultStart.Format(time.RFC3339)+": no space left on device)")
	require.Equal(t, before, s.Registry().Default().Hash())
	disk.is.Store(false)
	require.Eventually(t, func() bool {
		moves()[2](d, 1)
		return strings.Contains(x.answers[len(x.answers)-1], "/Company/Create 200")
	}, time.Minute, time.Millisecond)
	require.NotEmpty(t, page(t, s, "/_sandbox/ready"))
	require.NoError(t, s.Close(t.Context()))
}

// TestAClockThatGoesBack: time of what is applied never does.
func TestAClockThatGoesBack(t *testing.T) {
	t.Parallel()
	wall, dir := integration.DefaultStart, t.TempDir()
	s := keptUnder(t, dir, &wall)
	d := newDriver(s)
	moves()[0](d, 0)
	for n, by := range []time.Duration{time.Hour, -2 * time.Hour, 3 * time.Hour, -time.Minute, -48 * time.Hour} {
		wall = wall.Add(by)
		moves()[2](d, n)
		if n%2 == 1 {
			require.NoError(t, s.Close(t.Context()))
			s = keptUnder(t, dir, &wall)
			d.h = s.Handler()
		}
	}
	_, entries := tapeOf(t, s)
	require.NotEmpty(t, entries)
	for n := range entries[1:] {
		require.LessOrEqual(t, entries[n].At, entries[n+1].At, "entry %d", n+2)
	}
	require.NoError(t, s.Close(t.Context()))
}

// TestALogThatHasLostItsEnd: the engine's index knows of messages that a loss of power has
// taken from the file beside it. The sandbox says so and goes on with what there is, and
// the next start finds nothing missing.
func TestALogThatHasLostItsEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := kept(t, dir)
	d := newDriver(s)
	moves()[0](d, 0)
	for n := range 12 {
		moves()[2](d, n)
	}
	want, _ := tapeOf(t, s)
	require.NoError(t, s.Close(t.Context()), "which writes the index")
	file, size := blocks(t, dir)
	for n := range int64(4) {
		cut := t.TempDir()
		copyLive(t, cut, dir)
		require.NoError(t, os.RemoveAll(filepath.Join(cut, "snapshots")), "it would lead further than the log")
		require.NoError(t, os.Truncate(strings.Replace(file, dir, cut, 1), size-1-n*size/7))
		looked, lost, err := natslog.OpenCopy(t.Context(), cut, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.NoError(t, looked.Close())
		require.ErrorContains(t, lost, "was there: what came behind is lost", "and who looks takes nothing away")
		after := kept(t, cut)
		got, entries := tapeOf(t, after)
		require.True(t, strings.HasPrefix(want, strings.TrimSpace(got)), "cut %d: %d entries", n, len(entries))
		again := newDriver(after)
		moves()[0](again, 0)
		moves()[2](again, 20)
		more, _ := tapeOf(t, after)
		require.Greater(t, len(more), len(got))
		require.NoError(t, after.Close(t.Context()))
		after = kept(t, cut)
		got, _ = tapeOf(t, after)
		require.Equal(t, more, got)
		moves()[2](newDriver(after), 21)
		require.NoError(t, after.Close(t.Context()), "which cuts the log behind its first snapshot")
		looked, lost, err = natslog.OpenCopy(t.Context(), cut, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.NoError(t, lost, "nothing is lost any more")
		require.NoError(t, looked.Close())
	}
}

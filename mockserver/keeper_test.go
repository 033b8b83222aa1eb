package mockserver_test

import (
	"cmp"
	"context"
	"encoding/hex"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/integration"
)

// wallless is a sandbox whose wall clock tells one time: it is told how long a caller
// waited who hung up.
func wallless() mockserver.Options {
	o := rehearsalOptions(5)
	o.Wall = func() time.Time { return integration.DefaultStart }
	return o
}

// kept opens a sandbox on a folder.
func kept(t *testing.T, dir string) *mockserver.Server {
	t.Helper()
	log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	o := wallless()
	o.Inputs, o.Images, o.ImageEvery = log, durable.NewImages(log.Folder().Images()), 25
	s, err := mockserver.New(o)
	require.NoError(t, err)
	return s
}

// TestKeptSessionsComeBack: after a restart there is the same tape, byte for byte, and
// the session goes on as in a sandbox that was never stopped.
func TestKeptSessionsComeBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := moves()
	memory, err := mockserver.New(wallless())
	require.NoError(t, err)
	defer memory.Registry().Close()
	unbroken := newDriver(memory)
	s := kept(t, dir)
	d := newDriver(s)
	for n := range 300 {
		if n%100 == 60 {
			_, _ = tapeOf(t, memory) // who reads lets what is under way land
			before, _ := tapeOf(t, s)
			require.NoError(t, s.Close(t.Context()))
			s = kept(t, dir)
			d.h = s.Handler()
			after, _ := tapeOf(t, s)
			if before != after {
				require.Empty(t, firstDifference(before, after))
			}
		}
		list[n%len(list)](d, n)
		list[n%len(list)](unbroken, n)
	}
	want, _ := tapeOf(t, memory)
	got, _ := tapeOf(t, s)
	require.NotEmpty(t, snapshots(t, dir))
	killed := t.TempDir() // as it would stand if the process had been killed now
	copyLive(t, killed, dir)
	after := kept(t, killed)
	again, _ := tapeOf(t, after)
	require.Equal(t, got, again)
	require.NoError(t, after.Close(t.Context()))
	if want != got {
		require.Empty(t, firstDifference(want, got))
	}
	require.NoError(t, s.Close(t.Context()))
}

// TestWhoIsKilledOftenTakesSnapshots: inputs count that a start has read. A sandbox that
// never lived long enough for a snapshot would have to read ever more.
func TestWhoIsKilledOftenTakesSnapshots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for life := range 4 {
		s := kept(t, dir)
		d := newDriver(s)
		for range 8 { // of 25 that come between two snapshots
			moves()[0](d, 0)
		}
		if life == 3 {
			require.Eventually(t, func() bool { return len(snapshots(t, dir)) > 0 }, 2*time.Minute, time.Millisecond)
		}
		killed := t.TempDir() // as it stands if the process is killed now
		require.NoError(t, os.CopyFS(filepath.Join(killed, "log"), os.DirFS(filepath.Join(dir, "log"))))
		version, err := os.ReadFile(filepath.Join(dir, "paysandbox.json"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(killed, "paysandbox.json"), version, 0o600))
		require.NoError(t, s.Close(t.Context()))
		dir = killed
	}
}

// TestNoRoomForASnapshot: what a snapshot takes is drawn from the budget. Where there is no
// room none is taken, and a start reads the log.
func TestNoRoomForASnapshot(t *testing.T) {
	t.Parallel()
	dir, draw := t.TempDir(), rand.NewChaCha8([32]byte{1})
	open := func(room *budget.Bytes) *mockserver.Server {
		log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		o := wallless()
		o.Inputs, o.Images, o.Integration.Budget = log, durable.NewImages(log.Folder().Images()), room
		s, err := mockserver.New(o)
		require.NoError(t, err)
		return s
	}
	room := budget.New(64 << 20)
	s := open(room)
	d := newDriver(s)
	moves()[0](d, 0)
	for range 80 {
		b := make([]byte, 48<<10)
		_, _ = draw.Read(b)
		d.call(http.MethodPost, "/Company/Create", `{"name":"`+hex.EncodeToString(b)+`"}`)
	}
	before, _ := tapeOf(t, s)
	room.Force(room.Limit() - 1<<20)
	require.NoError(t, s.Close(t.Context()))
	require.Empty(t, snapshots(t, dir))
	s = open(budget.New(64 << 20))
	after, _ := tapeOf(t, s)
	require.Contains(t, after, before[strings.LastIndex(before[:len(before)-1], "\n")+1:])
	require.NoError(t, s.Close(t.Context()))
	require.NotEmpty(t, snapshots(t, dir))
}

// stepping tells the steps of taking a snapshot, of which it is the log and what lies beside.
type stepping struct {
	durable.Log
	step func(name string)
}

func (s *stepping) Flush() error {
	s.step("before it is written")
	return nil
}

func (s *stepping) Sweep() { s.step("when it stands, and older ones are gone") }

func (s *stepping) Purge(ctx context.Context, below uint64) error {
	s.step("before the purge")
	defer s.step("behind the purge")
	return s.Log.Purge(ctx, below)
}

// TestAKillAtEachStepOfASnapshot: whoever is killed at any of them goes on with all there was.
func TestAKillAtEachStepOfASnapshot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := moves()
	s := kept(t, dir)
	d := newDriver(s)
	for n := range 15 {
		list[n%len(list)](d, n)
	}
	require.NoError(t, s.Close(t.Context())) // with a snapshot, up to which the next one purges
	log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	killed := map[string]string{}
	steps := &stepping{log, func(name string) {
		killed[name] = t.TempDir()
		copyLive(t, killed[name], dir)
	}}
	o := wallless()
	o.Inputs, o.Images = steps, durable.NewImages(log.Folder().Images())
	o.Images.Beside(steps)
	s, err = mockserver.New(o)
	require.NoError(t, err)
	d.h = s.Handler()
	for n := range 15 {
		list[n%len(list)](d, n+100)
	}
	want, _ := tapeOf(t, s)
	require.NoError(t, s.Close(t.Context()))
	require.Len(t, killed, 4)
	for name, dir := range killed {
		for range 2 { // the second goes on from the snapshot of the first
			after := kept(t, dir)
			got, _ := tapeOf(t, after)
			require.Equal(t, want, got, name)
			require.NoError(t, after.Close(t.Context()))
		}
	}
}

// snapshots are the files of snapshots in a folder.
func snapshots(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "snapshots", "*.image"))
	require.NoError(t, err)
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return files
}

// spoil changes one byte in the middle of a file.
func spoil(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	raw[len(raw)/2] ^= 1
	require.NoError(t, os.WriteFile(path, raw, 0o600))
}

// TestDamagedSnapshots are left as long as something else leads to the same state, and
// refused, with the place, when the log alone does not any more.
func TestDamagedSnapshots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := moves()
	s := kept(t, dir)
	d := newDriver(s)
	for n := range 60 {
		list[n%len(list)](d, n)
	}
	require.NoError(t, s.Close(t.Context()))
	s = kept(t, dir)
	d.h = s.Handler()
	for n := range 60 {
		list[n%len(list)](d, n)
	}
	want, _ := tapeOf(t, s)
	require.NoError(t, s.Close(t.Context()))

	files := snapshots(t, dir)
	require.Len(t, files, 2)
	spoil(t, files[1])
	s = kept(t, dir)
	got, _ := tapeOf(t, s)
	require.Equal(t, want, got)
	d.h = s.Handler()
	list[0](d, 0) // so that there is another snapshot in its place
	require.NoError(t, s.Close(t.Context()))

	for _, file := range snapshots(t, dir) {
		spoil(t, file)
	}
	log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	_, err = durable.Check(t.Context(), log, durable.NewImages(log.Folder().Images()), nil)
	require.ErrorContains(t, err, "ends before byte")
	o := wallless()
	o.Inputs, o.Images = log, durable.NewImages(log.Folder().Images())
	_, err = mockserver.New(o)
	require.ErrorIs(t, err, durable.ErrBroken)
	require.ErrorContains(t, err, "ends before byte")
}

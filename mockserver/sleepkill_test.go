package mockserver_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
)

// telling tells the steps of an append, too.
type telling struct{ stepping }

func (l *telling) Append(ctx context.Context, m durable.Message) (uint64, error) {
	l.step("before an append")
	defer l.step("behind an append")
	return l.Log.Append(ctx, m)
}

// naps is a sandbox in which the default integration sleeps and wakes, and copies of its
// folder, each as a kill would leave it.
type naps struct {
	t    *testing.T
	dir  string
	s    *mockserver.Server
	d    *driver
	does string
	// told is the tape as everybody had been told it; copies are folders, and the tape that
	// each must have at least.
	told   string
	copies map[string][2]string
}

// open begins another life.
func (n *naps) open() {
	t := n.t
	log, err := natslog.OpenFolder(t.Context(), n.dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	o := wallless()
	o.Inputs = &telling{stepping{log, n.kill}}
	o.Images, o.SleepAfter = durable.NewImages(log.Folder().Images()), 1000*time.Hour
	o.Shelf, err = shelf.Open(log.Folder().Sleeping())
	require.NoError(t, err)
	n.s, err = mockserver.New(o)
	require.NoError(t, err)
	n.d.h = n.s.Handler()
}

// kill keeps the folder as it stands, where something of interest is done.
func (n *naps) kill(step string) {
	if n.does == "" {
		return
	}
	dir := n.t.TempDir()
	copyLive(n.t, dir, n.dir)
	n.copies[fmt.Sprintf("%d. %s, %s", len(n.copies)+1, n.does, step)] = [2]string{dir, n.told}
}

// moves makes calls, all of which are answered.
func (n *naps) moves(from, to int) {
	list := moves()
	for k := from; k < to; k++ {
		list[k%len(list)](n.d, k)
	}
	n.told, _ = tapeOf(n.t, n.s)
}

// during has the steps of what is done kept.
func (n *naps) during(what string, do func()) {
	n.does = what
	do()
	n.does = ""
}

// TestAKillAtEachStepOfSleeping: while an integration falls asleep, wakes, and is in a
// snapshot as a sleeper, whoever is killed goes on with all that was answered.
func TestAKillAtEachStepOfSleeping(t *testing.T) {
	t.Parallel()
	n := &naps{t: t, dir: t.TempDir(), d: &driver{}, copies: map[string][2]string{}}
	n.open()
	n.moves(0, 12)
	for life := range 3 {
		n.during("falling asleep", func() { require.Equal(t, 1, sleep(t, n.s)) })
		n.during("ending with a sleeper", func() { require.NoError(t, n.s.Close(context.WithoutCancel(t.Context()))) })
		n.open()
		require.Equal(t, 1, n.s.Registry().Sleeping())
		n.during("waking by a call", func() { moves()[2](n.d, life) })
		n.moves(12+life*8, 20+life*8)
	}
	n.during("ending awake", func() { require.NoError(t, n.s.Close(context.WithoutCancel(t.Context()))) })
	require.Greater(t, len(n.copies), 12)
	for name, is := range n.copies {
		for range 2 { // the second goes on from the snapshot of the first
			s := sleeper(t.Context(), t, is[0], wallless())
			got, _ := tapeOf(t, s)
			require.True(t, strings.HasPrefix(got, is[1]), "%s: what was answered is there", name)
			require.True(t, strings.HasPrefix(n.told, got), "%s: and nothing else", name)
			require.NoError(t, s.Close(t.Context()))
		}
	}
	t.Log(len(n.copies), "kills")
}

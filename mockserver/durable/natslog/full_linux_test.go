package natslog_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// appender appends to one shard, as a runner does: what it does not know it reads.
type appender struct {
	log      *natslog.Stream
	patience time.Duration // how long an append may take
	last     uint64
	held     []string
}

func (a *appender) read(t *testing.T) {
	t.Helper()
	_, err := a.log.Read(t.Context(), 7, a.last, func(seq uint64, data []byte) error {
		a.last, a.held = seq, append(a.held, string(data[:8]))
		return nil
	})
	require.NoError(t, err)
}

// add appends a message of 4 KiB.
func (a *appender) add(t *testing.T, id string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), a.patience)
	defer cancel()
	_, err := a.log.Append(ctx, durable.Message{Shard: 7, Behind: a.last, ID: id, Data: append([]byte(id), make([]byte, 4<<10)...)})
	return err
}

// TestAFullDiskWithRoomAgain: what is appended while no file may grow is refused, with the
// cause, and when they may again, the log goes on, without a restart and with all that it has taken.
func TestAFullDiskWithRoomAgain(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "three appends wait for five seconds each")
	const child = "PAYSANDBOX_FULL_DISK"
	if os.Getenv(child) == "" { // the limit is a process's: this one has other files to write
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestAFullDiskWithRoomAgain$")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	log, err := natslog.OpenFolder(t.Context(), t.TempDir(), natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	a := &appender{log: log, patience: 5 * time.Second}
	grow := func(most uint64) {
		var limit syscall.Rlimit
		require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
		limit.Cur = min(most, limit.Max)
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	}
	grow(100 << 10)
	var taken []string
	n, refused := 0, 0
	put := func() error {
		n++
		id := fmt.Sprintf("%08d", n)
		err := a.add(t, id)
		if err == nil {
			taken = append(taken, id)
		}
		return err
	}
	for ; n < 200 && refused < 3; a.read(t) {
		if err := put(); err != nil {
			require.EqualError(t, err, "file too large")
			refused++
		}
	}
	require.Equal(t, 3, refused, "nothing was refused")
	grow(1 << 40)
	a.patience = 20 * time.Second
	const tries = 5
	last := n + tries
	for err = errors.New("not yet"); err != nil && n < last; a.read(t) {
		err = put()
	}
	require.NoError(t, err)
	require.Greater(t, len(taken), 10)
	require.Subset(t, a.held, taken)
	require.NoError(t, log.Close())
}

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// killTape bounds the tape of a sandbox that is killed: all of it is looked at.
var killTape = tape.Limits{Entries: 1_000_000, Bytes: 1 << 30}

// killed is what is known of a sandbox that is killed again and again.
type killed struct {
	receiver *fickle
	// answered are the companies whose making was answered.
	answered sync.Map
	// lines are the tape as it was read last, made what is mentioned on it, and events the
	// bodies of events by id.
	lines  []string
	made   map[string]bool
	events map[string]string
	// settled is how often the receiver had taken an event when its 2xx was on the tape.
	settled map[string]int
}

// killEntry is what is looked at of a line of a tape.
type killEntry struct {
	Seq      uint64
	Kind     string
	Entities []string
	Event    struct{ ID, Body string }
	Attempt  struct {
		Event  string
		Status int
	}
}

// again reads the tape of a sandbox that was started again: it goes on where it stood, and
// every company that was answered is on it.
func (k *killed) again(t *testing.T, p *sandboxProcess) {
	t.Helper()
	now := p.tape(t, 0)
	require.GreaterOrEqual(t, len(now), len(k.lines))
	for n := range k.lines {
		require.Equal(t, k.lines[n], now[n], "entry %d is not what it was", n+1)
	}
	k.take(t, now[len(k.lines):])
	k.answered.Range(func(id, _ any) bool {
		require.True(t, k.made[fmt.Sprint(id)], "company %s was answered and is not there", id)
		return true
	})
}

// read reads the tape on.
func (k *killed) read(t *testing.T, p *sandboxProcess) {
	t.Helper()
	k.take(t, p.tape(t, len(k.lines)))
}

// take notes what the next lines of the tape say.
func (k *killed) take(t *testing.T, lines []string) {
	t.Helper()
	k.receiver.mu.Lock()
	defer k.receiver.mu.Unlock()
	for _, line := range lines {
		var e killEntry
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		k.lines = append(k.lines, line)
		require.Equal(t, uint64(len(k.lines)), e.Seq)
		for _, id := range e.Entities {
			k.made[id] = true
		}
		switch {
		case e.Kind == "event":
			k.events[e.Event.ID] = bodyKey([]byte(e.Event.Body))
		case e.Kind == "attempt" && e.Attempt.Status == 200:
			k.settled[e.Attempt.Event] = k.receiver.taken[k.events[e.Attempt.Event]]
		}
	}
}

// missing is an event of the tape that the receiver has not taken, or whose 2xx is not on
// the tape; "" when there is none.
func (k *killed) missing() string {
	k.receiver.mu.Lock()
	defer k.receiver.mu.Unlock()
	for id, body := range k.events {
		if _, ok := k.settled[id]; ok && k.receiver.taken[body] > 0 {
			continue
		}
		var about strings.Builder
		for _, line := range k.lines {
			if strings.Contains(line, id) {
				_, _ = about.WriteString(line)
			}
		}
		return fmt.Sprintf("event %s was never taken; what there is of it:\n%s", id, about.String())
	}
	if len(k.events) == 0 {
		return "there was no event"
	}
	return ""
}

// requireOnce wants no event to have come again once its 2xx was on the tape.
func (k *killed) requireOnce(t *testing.T) {
	t.Helper()
	k.receiver.mu.Lock()
	defer k.receiver.mu.Unlock()
	for id, times := range k.settled {
		require.Equal(t, times, k.receiver.taken[k.events[id]], "event %s came again when its 2xx was on the tape", id)
	}
}

// requireOneState goes on from the newest snapshot of a folder, and in a copy of it from the
// one before with the log behind it: the states have one hash. Both folders are whole.
func requireOneState(t *testing.T, dir string) {
	t.Helper()
	older := t.TempDir()
	require.NoError(t, os.CopyFS(older, os.DirFS(dir)))
	images, err := filepath.Glob(filepath.Join(older, "snapshots", "*.image"))
	require.NoError(t, err)
	require.NotEmpty(t, images)
	require.NoError(t, os.Remove(slices.MaxFunc(images, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })))
	at := time.Now().Add(time.Hour) // the same for both
	var states []string
	for _, folder := range []string{dir, older} {
		log, err := natslog.OpenFolder(t.Context(), folder, natslog.SyncInterval, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		o := mockserver.Options{Inputs: log, Images: durable.NewImages(log.Folder().Images()), Wall: func() time.Time { return at }, Integration: integration.Options{Tape: killTape}}
		o.Shelf, err = shelf.Open(log.Folder().Sleeping())
		require.NoError(t, err)
		s, err := mockserver.New(o)
		require.NoError(t, err)
		i := s.Registry().Default()
		states = append(states, fmt.Sprintf("%x, written %x", i.Hash(), sha256.Sum256(i.Snapshot().Bytes())))
		require.NoError(t, s.Close(t.Context()))
		check := newRoot(none)
		check.SetArgs([]string{"data", "check", folder})
		check.SetOut(t.Output())
		require.NoError(t, check.ExecuteContext(t.Context()))
	}
	require.Equal(t, states[0], states[1])
}

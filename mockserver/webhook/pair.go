package webhook

import (
	"context"
	"sync"
	"time"

	"paysandbox/mockserver/delivery"
)

// pairPatience is how many times as long as a receiver may take an attempt waits
// for the other one, which may stand behind others in its lane.
const pairPatience = 8

// pairs let two attempts that belong together begin at the same moment. Each has
// a lane in which it cannot be held up by the other one, and both lanes have the
// pairs in the same order.
type pairs struct {
	mu      sync.Mutex
	waiting map[attemptKey]chan struct{}
}

func newPairs() *pairs { return &pairs{waiting: map[attemptKey]chan struct{}{}} }

// meet waits until the other attempt is there too, at most for a while, or until
// the context ends. An attempt that belongs to no other does not wait.
func (t *pairs) meet(ctx context.Context, most time.Duration, d *delivery.View) {
	if !d.Applied.Has(delivery.ParallelDuplicate) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	key := attemptKey{d.ID, d.Attempt}
	if d.Second {
		key.number--
	}
	here := make(chan struct{})
	t.mu.Lock()
	if other, there := t.waiting[key]; there {
		delete(t.waiting, key)
		t.mu.Unlock()
		close(other)
		return
	}
	t.waiting[key] = here
	t.mu.Unlock()
	select {
	case <-here:
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.waiting[key] == here {
			delete(t.waiting, key)
		}
	}
}

package webhook

import (
	"context"
	"slices"
	"sync"
	"time"

	"paysandbox/mockserver/world"
)

// profileParallel is the delivery profile by which a delivery goes out twice at
// the same moment: as two attempts, which are handed over one after the other.
const profileParallel = "parallel-duplicate"

// twinPatience is how many times as long as a receiver may take an attempt waits
// for the other one, which may stand behind others in its lane.
const twinPatience = 8

// twins let two attempts that belong together begin at the same moment. Each has
// a lane in which it cannot be held up by the other one, and both lanes have the
// pairs in the same order.
type twins struct {
	mu      sync.Mutex
	waiting map[attemptKey]chan struct{}
}

func newTwins() *twins { return &twins{waiting: map[attemptKey]chan struct{}{}} }

// meet waits until the other attempt is there too, at most for a while, or until
// the context ends. An attempt that belongs to no other does not wait.
func (t *twins) meet(ctx context.Context, most time.Duration, d *world.DeliveryView) {
	if !slices.Contains(d.Applied, profileParallel) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	key := attemptKey{d.ID, d.Attempt}
	if d.Twin {
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

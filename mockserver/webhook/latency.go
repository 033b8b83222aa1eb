package webhook

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// keptLatencies is how many attempts' latencies are remembered.
const keptLatencies = 8192

type attemptKey struct {
	delivery uuid.UUID
	number   int
}

// latencies remember how long the latest attempts took. They are of the wall
// clock, which the tape knows under a real clock alone.
type latencies struct {
	mu    sync.Mutex
	took  map[attemptKey]time.Duration
	order []attemptKey
	at    int
}

func newLatencies() *latencies { return &latencies{took: map[attemptKey]time.Duration{}} }

func (l *latencies) put(key attemptKey, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.took[key]
	l.took[key] = took
	switch {
	case known:
	case len(l.order) < keptLatencies:
		l.order = append(l.order, key)
	default:
		delete(l.took, l.order[l.at])
		l.order[l.at] = key
		l.at = (l.at + 1) % keptLatencies
	}
}

func (l *latencies) get(key attemptKey) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	took, ok := l.took[key]
	return took, ok
}

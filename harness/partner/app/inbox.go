package app

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// letter is something that came in and waits to be worked on: an event, or a payer
// who came back.
type letter struct {
	// order is the time and the name of what came in.
	order string
	// once lets a letter in a single time, however often and at what moment it comes.
	once bool
	work func(ctx context.Context) error
}

// inbox keeps letters in the order in which they came.
type inbox struct {
	mu      sync.Mutex
	letters []letter
	seen    map[string]bool
	news    chan struct{}
}

func newInbox() *inbox { return &inbox{seen: map[string]bool{}, news: make(chan struct{}, 1)} }

// put looks whether a letter is new, notes that it came and keeps it, in one step.
func (i *inbox) put(l letter) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if l.once && i.seen[l.order] {
		return
	}
	i.seen[l.order] = true
	i.letters = append(i.letters, l)
	select { // tell the worker that there is something to do
	case i.news <- struct{}{}:
	default:
	}
}

// take empties the inbox. Where it is wanted, letters that came in at the same
// moment are sorted, so that it does not matter in which order they came.
func (i *inbox) take(sorted bool) []letter {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.letters
	i.letters = nil
	if sorted {
		slices.SortStableFunc(all, func(l, m letter) int { return cmp.Compare(l.order, m.order) })
	}
	return all
}

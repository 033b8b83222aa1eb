package integration

import (
	"context"

	"paysandbox/mockserver/tape"
)

// Reading is what a look at the tape has found.
type Reading struct {
	// Meta describes the tape.
	Meta tape.Meta
	// Gap is the stretch of the tape behind since that has been dropped; it is
	// empty when nothing is missing.
	Gap tape.Gap
	// Entries are the entries that pass the filter, oldest first.
	Entries []tape.Entry
}

// Read looks at the tape; under a manual clock after what is under way has come
// back, so that the same calls read the same. It waits until
// an entry passes the filter or the context ends; a context that has ended
// reads what is there.
func (i *Integration) Read(ctx context.Context, f tape.Filter) Reading {
	i.settleToRead()
	for {
		r, changed := i.read(f)
		if len(r.Entries) > 0 || ctx.Err() != nil || changed == nil {
			return r
		}
		select {
		case <-ctx.Done():
			return r
		case <-changed:
			i.settleToRead()
		}
	}
}

// settleToRead settles under a manual clock only: under a real one answers are
// taken in as they come, and a reader waits for nobody.
func (i *Integration) settleToRead() {
	if i.opts.Clock == Manual {
		i.Settle()
	}
}

func (i *Integration) read(f tape.Filter) (Reading, <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fire(i.clock.now())
	r := Reading{Meta: i.meta(), Gap: i.tape.Gap(f.Since)}
	i.tape.Scan(f.Since, f, func(e tape.Entry) bool {
		r.Entries = append(r.Entries, e)
		return true
	})
	b := i.take()
	if !b.Empty() {
		go i.Send(b)
	}
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return r, i.changed
}

// Look reads entries newest first until fn says stop, without waiting.
func (i *Integration) Look(f tape.Filter, fn func(tape.Entry) bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.tape.ScanBack(f.Since, f, fn)
}

// Entry gives one entry of the tape.
func (i *Integration) Entry(seq uint64) (tape.Entry, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.tape.Get(seq)
}

// meta describes the tape for a reader; the lock is held.
func (i *Integration) meta() tape.Meta {
	return tape.Meta{
		Version: tape.Version, Seed: i.opts.Seed, Environment: string(i.opts.Environment), Start: i.began,
		Clock: string(i.opts.Clock), Strict: i.opts.Strict, Latitude: i.opts.Settings.Map(), WebhookURL: i.opts.WebhookURL,
		First: i.tape.First(), Dropped: i.tape.Dropped(),
	}
}

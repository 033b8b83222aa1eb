// Package stream brings what happens on a tape to browsers, as server-sent events.
//
// It owns who listens, how often a tape is looked at for them, and how much is told
// at once. One look serves all who listen to the same tape, a few times a second at
// most, whatever happens on it; a browser that does not read is skipped and later
// told what it has missed. It must not know what a page looks like.
package stream

import (
	"context"
	"sync"
	"time"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

const (
	// gather is how long a look waits for what belongs together, pace how long a tape
	// is left alone after it, and crowded when more comes than is told one by one.
	gather  = 20 * time.Millisecond
	pace    = 120 * time.Millisecond
	crowded = 400 * time.Millisecond
	// burst is how many entries of one look are told one by one; older ones are counted.
	burst = 40
	// MaxListeners bounds those who listen at once.
	MaxListeners = 128
	// waiting is how many looks a listener may be behind.
	waiting = 8
)

// News is what one look has found.
type News struct {
	// From and To are the numbers of the entries that are told, the oldest and the
	// newest of the look. Entries between what was told before and From were too many.
	From, To uint64
	// Event holds the entries that pass the listener's query, newest first, as the
	// listener's writer has written them: one event, framed once for all who are sent it.
	Event []byte
	// Anew says that the tape was emptied and begins again.
	Anew bool
}

// Writer writes rows; it is called once for all listeners with the same key.
type Writer func(rows []feed.Row) []byte

// Listener is one browser.
type Listener struct {
	// C brings the news; it is closed when there will be none.
	C     chan News
	key   string
	query feed.Query
	write Writer
}

// Hub looks at tapes for all who listen.
type Hub struct {
	mu     sync.Mutex
	tapes  map[*integration.Integration]*watch
	number int
	// settling are the tapes into which is being taken what is under way.
	settling map[*integration.Integration]chan struct{}
	ctx      context.Context //nolint:containedctx // It is how long the hub lives.
	end      context.CancelFunc
	all      sync.WaitGroup
}

// watch is one tape that is looked at.
type watch struct {
	listeners map[*Listener]bool
	stop      context.CancelFunc
}

// NewHub begins.
func NewHub() *Hub {
	ctx, end := context.WithCancel(context.Background())
	return &Hub{tapes: map[*integration.Integration]*watch{}, settling: map[*integration.Integration]chan struct{}{}, ctx: ctx, end: end}
}

// Stop ends everything and waits for it. It may be called more than once.
func (h *Hub) Stop() {
	h.end()
	h.all.Wait()
}

// Listening counts those who listen.
func (h *Hub) Listening() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.number
}

// Listen begins to look at a tape from an entry on; nil when too many listen, or the
// hub has stopped. Call Leave when the browser has gone.
func (h *Hub) Listen(i *integration.Integration, q feed.Query, screen string, write Writer) *Listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.number >= MaxListeners || h.ctx.Err() != nil {
		return nil
	}
	h.number++
	l := &Listener{C: make(chan News, waiting), key: screen + "\x00" + q.Values().Encode(), query: q, write: write}
	w := h.tapes[i]
	if w == nil {
		ctx, stop := context.WithCancel(h.ctx)
		w = &watch{listeners: map[*Listener]bool{}, stop: stop}
		h.tapes[i] = w
		life := i.Life()
		_, last, _ := i.Newest()
		h.all.Go(func() { h.follow(ctx, i, w, life, last) })
	}
	w.listeners[l] = true
	return l
}

// Leave ends listening.
func (h *Hub) Leave(i *integration.Integration, l *Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.tapes[i]
	if w == nil || !w.listeners[l] {
		return
	}
	h.number--
	delete(w.listeners, l)
	if len(w.listeners) == 0 {
		w.stop()
		delete(h.tapes, i)
	}
}

// Settle begins to take in what is under way where the clock is manual, as everybody
// does there who reads a tape, and tells when that is done.
func (h *Hub) Settle(i *integration.Integration) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	done := h.settling[i]
	if done != nil {
		return done
	}
	done = make(chan struct{})
	if i.Options().Clock != integration.Manual {
		close(done)
		return done
	}
	h.settling[i] = done
	go func() {
		i.Settle()
		h.mu.Lock()
		delete(h.settling, i)
		h.mu.Unlock()
		close(done)
	}()
	return done
}

// follow looks at a tape until nobody listens any more.
func (h *Hub) follow(ctx context.Context, i *integration.Integration, w *watch, life, seen uint64) {
	defer h.close(i, w)
	for {
		now := i.Life()
		_, last, changed := i.Newest()
		rest := time.Duration(0)
		if last != seen || now != life {
			n := News{To: last, Anew: last < seen || now != life}
			if n.Anew {
				seen = 0
			}
			if rest = pace; last-seen > burst {
				rest = crowded
			}
			h.tell(i, w, seen, n)
			life, seen = now, last
			h.Settle(i)
		}
		if changed == nil || !wait(ctx, rest) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
		if !wait(ctx, gather) {
			return
		}
	}
}

// wait waits unless the context ends before.
func wait(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// close tells those who still listen that there will be no more.
func (h *Hub) close(i *integration.Integration, w *watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range w.listeners {
		close(l.C)
		delete(w.listeners, l)
		h.number--
	}
	if h.tapes[i] == w {
		delete(h.tapes, i)
	}
}

// Stands is the event that says where the clock stands behind some entries, whichever of
// them a page shows.
func Stands(entries []tape.Entry, id uint64) []byte {
	if len(entries) == 0 {
		return nil
	}
	at := entries[len(entries)-1].At
	for n := range entries {
		if c := entries[n].Clock; c != nil {
			at = max(at, c.To)
		}
	}
	return Framed("clock", time.Unix(0, at).UTC().AppendFormat(nil, time.RFC3339Nano), id)
}

// tell brings what is new to all who listen.
func (h *Hub) tell(i *integration.Integration, w *watch, since uint64, n News) {
	if n.To-since > burst {
		since = n.To - burst
	}
	entries := i.Peek(tape.Filter{Since: since, Limit: burst}).Entries
	n.From = since + 1
	rows := make([]feed.Row, len(entries))
	for k := range entries {
		rows[k] = feed.RowOf(&entries[k])
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	written := map[string]News{}
	for l := range w.listeners {
		one, ok := written[l.key]
		if !ok {
			one = n
			var passed []feed.Row
			for k := len(entries) - 1; k >= 0; k-- {
				if l.query.Match(&entries[k], &rows[k]) {
					passed = append(passed, rows[k])
				}
			}
			one.Event = append(Framed("", l.write(passed), n.To), Stands(entries, n.To)...)
			written[l.key] = one
		}
		select {
		case l.C <- one:
		default: // it does not read: it is told of the gap when it does
		}
	}
}

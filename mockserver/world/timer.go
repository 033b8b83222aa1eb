package world

import (
	"time"

	"github.com/google/uuid"
)

// timerKind names what happens when a timer fires.
type timerKind uint8

// timer is a moment that the world waits for. It holds no pointers.
type timer struct {
	due   int64
	order uint64
	cause uint64
	arg   int64
	id    uuid.UUID
	kind  timerKind
}

// timers is a heap by due time, then by insertion.
type timers struct {
	heap  []timer
	order uint64
}

func (a *timer) before(b *timer) bool {
	return a.due < b.due || a.due == b.due && a.order < b.order
}

func (t *timers) push(x timer) {
	t.order++
	x.order = t.order
	t.heap = append(t.heap, x)
	i := len(t.heap) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(&t.heap[up]) {
			break
		}
		t.heap[i] = t.heap[up]
		i = up
	}
	t.heap[i] = x
}

func (t *timers) pop() timer {
	top := t.heap[0]
	last := len(t.heap) - 1
	x := t.heap[last]
	t.heap = t.heap[:last]
	i := 0
	for {
		child := 4*i + 1
		if child >= last {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, last); c++ {
			if t.heap[c].before(&t.heap[least]) {
				least = c
			}
		}
		if !t.heap[least].before(&x) {
			break
		}
		t.heap[i] = t.heap[least]
		i = least
	}
	if last > 0 {
		t.heap[i] = x
	}
	return top
}

// schedule sets a timer for the entity at a virtual time.
func (w *World) schedule(kind timerKind, due time.Time, id uuid.UUID, arg int64) {
	w.timers.push(timer{due: max(due.UnixNano(), w.now), cause: w.cause, arg: arg, id: id, kind: kind})
}

// NextDue is when the next timer fires, in nanoseconds since 1970 UTC; false
// when none is set.
func (w *World) NextDue() (int64, bool) {
	if len(w.timers.heap) == 0 {
		return 0, false
	}
	return w.timers.heap[0].due, true
}

// PendingTimers is how many timers are set.
func (w *World) PendingTimers() int { return len(w.timers.heap) }

// Advance fires every timer that is due up to a virtual time, in order, each at
// its own due time, and then makes that time the present. A time that lies
// behind changes nothing.
func (w *World) Advance(to int64) {
	for len(w.timers.heap) > 0 && w.timers.heap[0].due <= to {
		w.FireNext()
	}
	w.now = max(w.now, to)
}

// FireNext fires the one timer that is next. A timer whose reason has gone
// (the payment was cancelled, say) leaves no trace.
func (w *World) FireNext() {
	t := w.timers.pop()
	w.now = max(w.now, t.due)
	w.cause = t.cause
	seq, mark := w.seq, len(w.records)
	w.cause = w.record(Record{Kind: RecordTimer, Entity: t.id, Name: t.kind.String(), Due: t.due})
	if !w.fire(t) {
		w.seq, w.records = seq, w.records[:mark]
	}
}

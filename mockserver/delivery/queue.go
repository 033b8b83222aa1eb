package delivery

import (
	"time"

	"paysandbox/mockserver/kernel"
)

// line puts a delivery behind the earlier events of its entity.
func (l *Ledger) line(n uint32) {
	d := l.delivery(n)
	key := line{d.endpoint, d.Entity}
	last := l.lines[key]
	l.lines[key] = n
	if last != 0 {
		l.delivery(last).next = n
		d.step(queue)
		return
	}
	l.launch(n)
}

// launch sends a delivery that is ready, now or when it is due.
func (l *Ledger) launch(n uint32) {
	d := l.delivery(n)
	if d.due > l.core.Now() {
		d.step(schedule)
		l.wake(n, d.due)
		return
	}
	l.settleShape(d)
	l.core.Effect(kernel.Effect{Kind: kernel.SendDelivery, ID: d.id})
	if !d.shape.Has(ParallelDuplicate) {
		d.step(send)
		return
	}
	d.step(sendTwice)
	d.applied |= ParallelDuplicate
	l.core.Effect(kernel.Effect{Kind: kernel.SendDelivery, ID: d.id, Second: true})
}

// wake sets the timer of a delivery; an earlier one loses its meaning.
func (l *Ledger) wake(n uint32, at int64) {
	d := l.delivery(n)
	d.wake = at
	l.core.Schedule(l.cfg.Timer, time.Unix(0, at), d.id, 0)
}

// Fire goes on with a delivery that was held or is due, and says whether the
// timer still meant anything.
func (l *Ledger) Fire(t kernel.Timer) bool {
	n := l.index[t.ID]
	if n == 0 {
		return false
	}
	d := l.delivery(n)
	if d.wake != t.Due {
		return false
	}
	d.wake = 0
	switch d.state {
	case late:
		l.releaseLate(d.endpoint)
	case gathered:
		l.scatter(d.endpoint)
	default:
		d.step(release)
		l.launch(n)
	}
	return true
}

package delivery

import (
	"time"

	"paysandbox/mockserver/latitude"
)

const (
	holdFor    = 60 * time.Second // the longest that reorder and burst hold an event
	burstSize  = 10               // how many events make a burst
	delaySpan  = 60               // minutes; the longest wait of a delayed event
	secondsMin = 60
)

// byChoice is what the choice of event-order does to every endpoint.
func (l *Ledger) byChoice() Profile {
	switch {
	case l.is(latitude.EventOrderShuffled):
		return Reorder
	case l.is(latitude.EventOrderDuplicated):
		return Duplicate
	default:
		return 0
	}
}

// admit takes a new delivery through the profiles of its endpoint that decide
// when it goes out: burst, then reorder, then delay.
func (l *Ledger) admit(n uint32) {
	d := l.delivery(n)
	d.sameEntity = l.endpoint(d.endpoint).forStatus != ""
	l.reserve(d)
	p := l.profileOf(d)
	if p.Has(Delay) {
		seconds := secondsMin + l.core.Draw("delay", d.id, (delaySpan-1)*60+1)
		d.due = l.core.Now() + int64(seconds)*int64(time.Second) //nolint:gosec // G115: at most an hour.
		d.applied |= Delay
	}
	if p.Has(Burst) {
		l.gather(n)
		return
	}
	l.pass(n)
}

// gather holds a delivery until a burst of them is complete.
func (l *Ledger) gather(n uint32) {
	d := l.delivery(n)
	e := l.endpoint(d.endpoint)
	if e.gathered == 0 {
		e.firstGathered = n
	} else {
		l.delivery(e.lastGathered).next = n
	}
	e.lastGathered = n
	e.gathered++
	d.applied |= Burst
	d.step(gather)
	switch e.gathered {
	case 1:
		l.wake(n, l.core.Now()+int64(holdFor))
	case burstSize:
		l.scatter(d.endpoint)
	}
}

// scatter releases what an endpoint has gathered, in order.
func (l *Ledger) scatter(endpoint uint32) {
	e := l.endpoint(endpoint)
	n := e.firstGathered
	e.firstGathered, e.lastGathered, e.gathered = 0, 0, 0
	for n != 0 {
		d := l.delivery(n)
		next := d.next
		d.next, d.wake = 0, 0
		d.step(release)
		l.pass(n)
		n = next
	}
}

// pass lets a delivery by, or holds it so that the endpoint's next one goes
// first. A held one is not in line: the next event of its entity overtakes it
// too.
func (l *Ledger) pass(n uint32) {
	d := l.delivery(n)
	e := l.endpoint(d.endpoint)
	if l.profileOf(d).Has(Reorder) && e.late == 0 {
		e.late = n
		d.applied |= Reorder
		d.step(hold)
		l.wake(n, l.core.Now()+int64(holdFor))
		return
	}
	if e.late != 0 && e.overtaker == 0 && overtakes(d, l.delivery(e.late)) {
		e.overtaker = n
	}
	l.line(n)
}

// overtakes says whether a delivery is the one that a late one waits for.
func overtakes(d, late *delivery) bool { return !late.sameEntity || late.Entity == d.Entity }

// releaseLate lets the late delivery of an endpoint go.
func (l *Ledger) releaseLate(endpoint uint32) {
	e := l.endpoint(endpoint)
	n := e.late
	e.late, e.overtaker = 0, 0
	if n != 0 {
		d := l.delivery(n)
		d.wake = 0
		d.step(release)
		l.line(n)
	}
}

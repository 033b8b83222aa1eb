package lifecycle

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// lateReturn judges what applications make of payments that failed after they
// were Paid.
func lateReturn(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindTransition) {
		if m := e.Transition; trail.Collects(e) && m.From == "Paid" && m.To == "Failed" {
			judgeReturn(t, &y, e, strings.ToLower(m.Entity))
		}
	}
	return y.Exercised()
}

// judgeReturn judges one payment that the bank has returned.
func judgeReturn(t *trail.Trail, y *verdict.Tally, change *tape.Entry, id string) {
	told, refusal := heardOfReturn(t, change, id)
	switch {
	case told != nil:
		judgeReversal(t, y, change, told, id)
	case refusal != nil && (refusal.Next == 0 || t.WentOn(refusal.Entry, time.Minute)):
		hint, got := "accept", "status "+strconv.Itoa(refusal.Status)
		if !takesEvents(t) {
			hint, got = "deaf", got+", as to every event"
		}
		y.FailAs(hint, "the event that says Failed accepted", got, change.Seq, refusal.Entry.Seq)
	case t.Polls() && readTooLate(t, change):
		t.UnsureAs(y, "polls", "the payment read again within a day of its return", "no reading of it, while the application went on for longer", change.Seq)
	default:
		y.Skip("a late return that the application has not been told")
	}
}

// heardOfReturn is how the application was told of a return first, by an event or by
// its own reading, and the last event about it that it has refused. One that takes events
// may wait for the one that has not come, whatever it reads meanwhile.
func heardOfReturn(t *trail.Trail, change *tape.Entry, id string) (told *tape.Entry, refusal *trail.Delivery) {
	waits := takesEvents(t)
	for _, h := range t.DeliveriesAbout(id) {
		if h.Emitted.Seq < change.Seq || h.Says() != "Failed" || !h.Genuine() {
			continue
		}
		waits = false
		switch {
		case h.Told() && told == nil:
			told = h.Entry
		case h.Refused():
			refusal = h
		}
	}
	if told == nil && !waits {
		for told = t.ReadAfter(id, change.Seq); told != nil && !t.Polls() && trail.OperationOf(told.Exchange).Reads != trail.OneState; {
			told = t.ReadAfter(id, told.Seq) // a report is mostly read about something else
		}
	}
	return told, refusal
}

// takesEvents says whether the application has been told anything by an event.
func takesEvents(t *trail.Trail) bool {
	return slices.ContainsFunc(t.Deliveries(), (*trail.Delivery).Told)
}

// readTooLate says whether an application that polls has had a day to read about a
// change.
func readTooLate(t *trail.Trail, change *tape.Entry) bool {
	const patience = 24 * time.Hour
	last := &t.Entries[len(t.Entries)-1]
	return t.Waited(last)-t.Waited(change) > int64(patience)
}

// judgeReversal judges by the state probe whether a returned payment was taken back.
func judgeReversal(t *trail.Trail, y *verdict.Tally, change, told *tape.Entry, id string) {
	looked := false
	for _, p := range slices.Backward(t.Probes()) {
		got, known := p.By[id]
		if !known || p.Entry.Seq < told.Seq {
			continue
		}
		looked = true
		kept := got.Fulfilled > 0 && got.Reversed == 0 // how often is partner.payment.books' matter
		if kept && !p.Settled(t, id, told) {
			continue
		}
		if kept {
			t.Unsure(y, "what was fulfilled for the payment "+id+" taken back", got.Text()+", though the application was told that it is Failed", change.Seq, told.Seq, p.Entry.Seq)
			return
		}
		y.Holds(change.Seq, told.Seq, p.Entry.Seq)
		return
	}
	if looked {
		y.ReviewAs("soon", "the payment "+id+" was not taken back yet in the last look at the books, which came soon after the application was told, or while a call was failing or held back", change.Seq, told.Seq)
		return
	}
	y.ReviewAs("probe", "the application was told of the late return; what it made of it only the application knows", change.Seq, told.Seq)
}

// cancelConflict judges what applications do when a cancellation was refused
// because it came too late.
func cancelConflict(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	l := lateCancels{
		t: t, y: &y, changes: t.PaymentChanges(),
		calls: map[string][]*tape.Entry{}, told: map[string][]*trail.Delivery{},
	}
	for e := range t.CallEntries() {
		if trail.OperationOf(e.Exchange).Cancels {
			id := canceled(e.Exchange)
			l.calls[id] = append(l.calls[id], e)
		}
	}
	for _, h := range t.Deliveries() {
		if h.Taken() {
			l.told[h.About()] = append(l.told[h.About()], h)
		}
	}
	for e := range t.CallEntries() {
		x := e.Exchange
		late := x.Response.Status == http.StatusBadRequest || x.Response.Status == http.StatusConflict
		if !trail.OperationOf(x).Cancels || !late || trail.Faulted(x) {
			continue
		}
		id := canceled(x)
		if now := trail.LastBefore(l.changes[id], e.Seq); now != nil && now.Transition.To != "Canceled" {
			l.judge(e, id)
		}
	}
	return y.Exercised()
}

// canceled is the payment in the path of a cancellation.
func canceled(x *tape.Exchange) string {
	parts := strings.Split(x.Path, "/")
	if len(parts) < 3 {
		return ""
	}
	return strings.ToLower(parts[2])
}

// readWithin is how soon after a refused cancellation the state is read because of it:
// a report days later has other reasons.
const readWithin = 10 * time.Minute

// lateCancels is the walk along the cancellations that were refused.
type lateCancels struct {
	t *trail.Trail
	y *verdict.Tally
	// changes, calls and told are the changes of each payment, the cancellations that
	// were tried, and the deliveries about it that the application took.
	changes map[string][]*tape.Entry
	calls   map[string][]*tape.Entry
	told    map[string][]*trail.Delivery
}

// judge judges what follows one refused cancellation.
func (l *lateCancels) judge(refused *tape.Entry, id string) {
	for _, e := range l.calls[id] {
		if e.Seq > refused.Seq && l.t.Tasks().Asks("cancelPayment", id, refused.Seq, e.Seq) == 0 {
			l.t.Unsure(l.y, "no further cancellation of the payment "+id, "one more after status "+strconv.Itoa(refused.Exchange.Response.Status), refused.Seq, e.Seq)
			return
		}
	}
	switch known := l.known(refused, id); {
	case known != nil:
		l.y.Holds(refused.Seq, known.Seq)
	case !l.t.WentOn(refused, 5*time.Second):
		l.y.Skip("a cancellation that has just been refused")
	default:
		l.t.Unsure(l.y, "the state of the payment "+id+" read after the refusal", "neither a call that reads it nor an event about it", refused.Seq)
	}
}

// known is the entry by which the application knows the state of a payment whose
// cancellation was refused: a call that reads it, or an event; nil for none.
func (l *lateCancels) known(refused *tape.Entry, id string) *tape.Entry {
	for _, h := range l.told[id] {
		if now := trail.LastBefore(l.changes[id], h.Entry.Seq); now != nil && h.Says() == now.Transition.To {
			return h.Entry
		}
	}
	if read := l.t.ReadAfter(id, refused.Seq); read != nil && l.t.Lived(refused, read) <= int64(readWithin) {
		return read
	}
	return nil
}

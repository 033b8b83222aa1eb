package check

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// lateReturn judges what applications make of payments that failed after they
// were Paid.
func lateReturn(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	hooks, probes, book := t.hooks(), t.probes(), t.companies()
	for e := range t.of(tape.KindTransition) {
		if m := e.Transition; m.Machine == "payment" && m.From == "Paid" && m.To == "Failed" {
			t.returned(&y, e, strings.ToLower(m.Entity), hooks, probes, book)
		}
	}
	return y.Exercised("see a late return: the persona unauthorised-late-return")
}

// returned judges one payment that the bank has returned.
func (t *Tape) returned(y *verdict.Tally, change *tape.Entry, id string, hooks []hook, probes []probe, book *companies) {
	told, refusal := (*tape.Entry)(nil), (*hook)(nil)
	for i := range hooks {
		h := &hooks[i]
		switch {
		case h.about() != id || h.event.Seq < change.Seq || h.says() != "Failed" || !h.genuine():
		case h.telling() && told == nil:
			told = h.entry
		case h.refused():
			refusal = h
		}
	}
	if told == nil {
		told = t.readAfter(id, change.Seq, book)
	}
	switch {
	case told != nil:
		t.reversed(y, change, told, id, probes)
	case refusal != nil && (refusal.Next == 0 || t.wentOn(refusal.entry, time.Minute)):
		y.Fail("the event that says Failed accepted", "status "+strconv.Itoa(refusal.Status), "accept Failed after Paid, and take the fulfilment back", change.Seq, refusal.entry.Seq)
	default:
		y.Skip("a late return that the application has not been told")
	}
}

// reversed judges by the state probe whether a returned payment was taken back.
func (t *Tape) reversed(y *verdict.Tally, change, told *tape.Entry, id string, probes []probe) {
	for i := len(probes) - 1; i >= 0; i-- {
		p := &probes[i]
		got, known := p.by[id]
		if !known || p.entry.Seq < told.Seq {
			continue
		}
		if got.fulfilled > got.reversed && !t.worked(p, told) {
			continue
		}
		if got.fulfilled > got.reversed {
			t.unsure(y, "what was fulfilled for the payment "+id+" taken back", got.text()+", though the application was told that it is Failed",
				"take Failed after Paid as a return by the bank, and take the fulfilment back", change.Seq, told.Seq, p.entry.Seq)
			return
		}
		y.Holds(change.Seq, told.Seq, p.entry.Seq)
		return
	}
	y.Review("the application was told of the late return; what it made of it only the application knows",
		"offer a state probe in test builds, or show that the fulfilment was taken back", change.Seq, told.Seq)
}

// cancelConflict judges what applications do when a cancellation was refused
// because it came too late.
func cancelConflict(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	l := lateCancels{
		t: t, y: &y, tasks: t.announced(), book: t.companies(), changes: t.changes("payment", "saved-card-charge"),
		calls: map[string][]*tape.Entry{}, told: map[string][]*hook{},
	}
	for e := range t.exchanges() {
		if cancels(e.Exchange.Operation) {
			id := canceled(e.Exchange)
			l.calls[id] = append(l.calls[id], e)
		}
	}
	hooks := t.hooks()
	for i := range hooks {
		if h := &hooks[i]; h.trusted() {
			l.told[h.about()] = append(l.told[h.about()], h)
		}
	}
	for e := range t.exchanges() {
		x := e.Exchange
		late := x.Response.Status == http.StatusBadRequest || x.Response.Status == http.StatusConflict
		if !cancels(x.Operation) || !late || faulted(x) {
			continue
		}
		id := canceled(x)
		if now := at(l.changes[id], e.Seq); now != nil && now.Transition.To != "Canceled" {
			l.judge(e, id)
		}
	}
	return y.Exercised("cancel a payment that is already under way")
}

func cancels(operation string) bool {
	return operation == "cancelPayment" || operation == "cancelPaymentByPost"
}

// canceled is the payment in the path of a cancellation.
func canceled(x *tape.Exchange) string {
	parts := strings.Split(x.Path, "/")
	if len(parts) < 3 {
		return ""
	}
	return strings.ToLower(parts[2])
}

// lateCancels is the walk along the cancellations that were refused.
type lateCancels struct {
	t     *Tape
	y     *verdict.Tally
	tasks *announced
	book  *companies
	// changes, calls and told are the changes of each payment, the cancellations that
	// were tried, and the deliveries about it that the application took.
	changes map[string][]*tape.Entry
	calls   map[string][]*tape.Entry
	told    map[string][]*hook
}

// judge judges what follows one refused cancellation.
func (l *lateCancels) judge(refused *tape.Entry, id string) {
	const hint = "take the refusal as an answer: read the payment's status, and refund it once it is Paid"
	for _, e := range l.calls[id] {
		if e.Seq > refused.Seq && l.tasks.asks("cancelPayment", id, refused.Seq, e.Seq) == 0 {
			l.t.unsure(l.y, "no further cancellation of the payment "+id, "one more after status "+strconv.Itoa(refused.Exchange.Response.Status), hint, refused.Seq, e.Seq)
			return
		}
	}
	switch known := l.known(refused, id); {
	case known != nil:
		l.y.Holds(refused.Seq, known.Seq)
	case !l.t.wentOn(refused, 5*time.Second):
		l.y.Skip("a cancellation that has just been refused")
	default:
		l.t.unsure(l.y, "the state of the payment "+id+" read after the refusal", "neither a call that reads it nor an event about it", hint, refused.Seq)
	}
}

// known is the entry by which the application knows the state of a payment whose
// cancellation was refused: a call that reads it, or an event; nil for none.
func (l *lateCancels) known(refused *tape.Entry, id string) *tape.Entry {
	for _, h := range l.told[id] {
		if now := at(l.changes[id], h.entry.Seq); now != nil && h.says() == now.Transition.To {
			return h.entry
		}
	}
	return l.t.readAfter(id, refused.Seq, l.book)
}

package check

import (
	"net/http"
	"strconv"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// rotated judges whether an event gets lost once the secret was changed.
func rotated(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	hooks := t.hooks()
	for e := range t.of(tape.KindControl) {
		if e.Exchange.Operation == "rotateSecret" && served(e.Exchange) {
			t.afterRotation(&y, e, hooks)
		}
	}
	return y.Exercised("change the secret of the endpoint and go on")
}

// rotation is what came of the deliveries to an endpoint after a change of its
// secret.
type rotation struct {
	// last are the last attempts of the deliveries, in the order of the first ones.
	last  map[string]*hook
	order []string
	// refusals are the attempts that were refused.
	refusals []uint64
	// welcome says whether the endpoint took anything before the change.
	welcome bool
}

// afterRotation follows the deliveries to an endpoint up to the next change. One
// refusal is let pass when the event is taken soon after; more of them show that
// the new secret was not known in time.
func (t *Tape) afterRotation(y *verdict.Tally, change *tape.Entry, hooks []hook) {
	r := rotation{last: map[string]*hook{}, welcome: t.Meta.Dropped > 0}
	until := t.nextRotation(change)
	for i := range hooks {
		h := &hooks[i]
		switch {
		case h.Endpoint != main(change) || !h.genuine() || !h.signed():
		case h.entry.Seq < change.Seq:
			r.welcome = r.welcome || succeeded(h.Attempt)
		case h.entry.Seq < until || r.last[h.Delivery] != nil:
			r.add(h)
		}
	}
	if r.welcome && len(r.refusals) > 1 {
		t.unsure(y, "every event accepted", strconv.Itoa(len(r.refusals))+" refusals after the secret was changed", rotationHint, append([]uint64{change.Seq}, r.refusals...)...)
		return
	}
	for _, id := range r.order {
		t.keptThrough(y, change, r.last[id], r.welcome)
	}
}

// add notes an attempt after the change.
func (r *rotation) add(h *hook) {
	before := r.last[h.Delivery]
	if before == nil {
		r.order = append(r.order, h.Delivery)
	}
	if before == nil || !succeeded(before.Attempt) {
		r.last[h.Delivery] = h
	}
	if h.turnedAway() {
		r.refusals = append(r.refusals, h.entry.Seq)
	}
}

// turnedAway says whether a delivery was refused as one with a wrong signature is.
func (h *hook) turnedAway() bool {
	return h.Status == http.StatusUnauthorized || h.Status == http.StatusForbidden || h.Status == http.StatusBadRequest
}

// nextRotation is the number of the next change of the endpoint's secret, or a
// number beyond the tape.
func (t *Tape) nextRotation(change *tape.Entry) uint64 {
	for e := range t.of(tape.KindControl) {
		if e.Seq > change.Seq && e.Exchange.Operation == "rotateSecret" && served(e.Exchange) && main(e) == main(change) {
			return e.Seq
		}
	}
	return ^uint64(0)
}

// keptThrough judges one delivery by its last attempt. welcome says whether the
// endpoint took anything before the change.
func (t *Tape) keptThrough(y *verdict.Tally, change *tape.Entry, h *hook, welcome bool) {
	switch {
	case succeeded(h.Attempt):
		y.Holds(change.Seq, h.entry.Seq)
	case !h.turnedAway():
		y.Skip("a delivery that was not refused for its signature")
	case !welcome:
		y.Skip("an endpoint that did not accept anything before the change either")
	case h.Next != 0 && !t.wentOn(h.entry, time.Minute):
		y.Skip("a delivery that is to be tried again")
	default:
		t.unsure(y, "every event accepted", "status "+strconv.Itoa(h.Status)+" after the secret was changed", rotationHint, change.Seq, h.entry.Seq)
	}
}

const rotationHint = "accept the old and the new secret for a while: take the new one up before the provider signs with it"

package webhook

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// secretRotation judges whether an event gets lost once the secret was changed.
func secretRotation(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindControl) {
		if e.Exchange.Operation == "rotateSecret" && trail.Served(e.Exchange) {
			afterRotation(t, &y, e)
		}
	}
	return y.Exercised()
}

// rotation is what came of the deliveries to an endpoint after a change of its
// secret.
type rotation struct {
	// last are the last attempts of the deliveries, in the order of the first ones.
	last  map[string]*trail.Delivery
	order []string
	// refusals are the attempts that were refused.
	refusals []uint64
	// welcome says whether the endpoint took anything before the change.
	welcome bool
}

// afterRotation follows the deliveries to an endpoint up to the next change. One
// refusal is let pass when the event is taken soon after; more of them show that
// the new secret was not known in time.
func afterRotation(t *trail.Trail, y *verdict.Tally, change *tape.Entry) {
	r := rotation{last: map[string]*trail.Delivery{}, welcome: t.Meta.Dropped > 0}
	until := nextRotation(t, change)
	for _, h := range t.Deliveries() {
		switch {
		case h.Endpoint != trail.Subject(change) || !h.Genuine() || !h.Signed():
		case h.Entry.Seq < change.Seq:
			r.welcome = r.welcome || trail.Accepted(h.Attempt)
		case h.Entry.Seq < until || r.last[h.Delivery] != nil:
			r.add(h)
		}
	}
	if r.welcome && len(r.refusals) > 1 {
		t.Unsure(y, "every event accepted", strconv.Itoa(len(r.refusals))+" refusals after the secret was changed", append([]uint64{change.Seq}, r.refusals...)...)
		return
	}
	for _, id := range r.order {
		keptThrough(t, y, change, r.last[id], r.welcome)
	}
}

// add notes an attempt after the change.
func (r *rotation) add(h *trail.Delivery) {
	before := r.last[h.Delivery]
	if before == nil {
		r.order = append(r.order, h.Delivery)
	}
	if before == nil || !trail.Accepted(before.Attempt) {
		r.last[h.Delivery] = h
	}
	if turnedAway(h) {
		r.refusals = append(r.refusals, h.Entry.Seq)
	}
}

// turnedAway says whether a delivery was refused as one with a wrong signature is. One that
// is unusual in another way is refused for that: the clauses about those judge it.
func turnedAway(h *trail.Delivery) bool {
	unusual := slices.ContainsFunc([]string{"odd-json", "extra-member", "unknown-event"}, func(profile string) bool { return trail.Spoilt(h.Attempt, profile) })
	return !unusual && slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusBadRequest}, h.Status)
}

// nextRotation is the number of the next change of the endpoint's secret, or a
// number beyond the tape.
func nextRotation(t *trail.Trail, change *tape.Entry) uint64 {
	for e := range t.Of(tape.KindControl) {
		if e.Seq > change.Seq && e.Exchange.Operation == "rotateSecret" && trail.Served(e.Exchange) && trail.Subject(e) == trail.Subject(change) {
			return e.Seq
		}
	}
	return ^uint64(0)
}

// keptThrough judges one delivery by its last attempt. welcome says whether the
// endpoint took anything before the change.
func keptThrough(t *trail.Trail, y *verdict.Tally, change *tape.Entry, h *trail.Delivery, welcome bool) {
	switch {
	case trail.Accepted(h.Attempt):
		y.Holds(change.Seq, h.Entry.Seq)
	case !turnedAway(h):
		y.Skip("a delivery that was not refused for its secret")
	case !welcome:
		y.Skip("an endpoint that did not accept anything before the change either")
	case h.Next != 0 && !t.WentOn(h.Entry, time.Minute):
		y.Skip("a delivery that is to be tried again")
	default:
		t.Unsure(y, "every event accepted", "status "+strconv.Itoa(h.Status)+" after the secret was changed", change.Seq, h.Entry.Seq)
	}
}

package webhook

import (
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// unproved finds an answer of the state probe that has a payment fulfilled
// though only a forgery has said that it is Paid.
func (f *follower) unproved(h *trail.Delivery) *tape.Entry {
	id := h.About()
	for _, p := range f.t.Probes() {
		if p.By[id].Fulfilled > 0 && p.Entry.Seq < h.Emitted.Seq {
			return nil // for another reason, which is judged elsewhere
		}
		if p.Entry.Seq < h.Entry.Seq || p.By[id].Fulfilled == 0 {
			continue
		}
		if h.Says() == "Paid" && !f.proved(id, p) && !f.underWay(h, p) {
			return p.Entry
		}
		return nil
	}
	return nil
}

// proved says whether the application could know that a payment is Paid: a
// genuine delivery, or an answer of the service, has said so before the probe was
// asked.
func (f *follower) proved(id string, by *trail.Probe) bool {
	for _, h := range f.t.Deliveries() {
		if h.Taken() && h.About() == id && h.Says() == "Paid" && f.t.Reached(h, by) {
			return true
		}
	}
	for e := range f.t.CallEntries() {
		if e.Seq > by.Entry.Seq {
			break
		}
		x := e.Exchange
		body := strings.ToLower(string(x.Response.Body))
		about := strings.Contains(strings.ToLower(x.Path), id) || strings.Contains(body, id)
		if about && (strings.Contains(body, `"paid"`) || strings.Contains(body, `"success"`) || strings.Contains(body, `"completed"`)) {
			return true
		}
	}
	return false
}

// underWay says whether a delivery was begun after one that was refused and before
// a probe, and was not over when the tape ends.
func (f *follower) underWay(h *trail.Delivery, by *trail.Probe) bool {
	begun := map[uint64]bool{}
	for i := range f.t.Entries {
		e := &f.t.Entries[i]
		switch {
		case e.Attempt != nil:
			delete(begun, e.Cause)
		case e.Seq <= h.Entry.Seq || e.Seq > by.Entry.Seq:
		case e.Timer != nil && e.Timer.Name == "delivery", e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Operation == "resendDelivery":
			begun[e.Seq] = true
		}
	}
	return len(begun) > 0
}

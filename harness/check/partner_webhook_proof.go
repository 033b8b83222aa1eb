package check

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// unproved finds an answer of the state probe that has a payment fulfilled
// though only a forgery has said that it is Paid.
func (f *follower) unproved(h *hook) *tape.Entry {
	id := h.about()
	for i := range f.probes {
		p := &f.probes[i]
		if p.by[id].fulfilled > 0 && p.entry.Seq < h.event.Seq {
			return nil // for another reason, which is judged elsewhere
		}
		if p.entry.Seq < h.entry.Seq || p.by[id].fulfilled == 0 {
			continue
		}
		if h.says() == "Paid" && !f.proved(id, p) && !f.underWay(h, p) {
			return p.entry
		}
		return nil
	}
	return nil
}

// proved says whether the application could know that a payment is Paid: a
// genuine delivery, or an answer of the service, has said so before the probe was
// asked.
func (f *follower) proved(id string, by *probe) bool {
	for i := range f.hooks {
		if h := &f.hooks[i]; h.trusted() && h.about() == id && h.says() == "Paid" && f.t.reached(h, by) {
			return true
		}
	}
	for e := range f.t.exchanges() {
		if e.Seq > by.entry.Seq {
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
func (f *follower) underWay(h *hook, by *probe) bool {
	begun := map[uint64]bool{}
	for i := range f.t.Entries {
		e := &f.t.Entries[i]
		switch {
		case e.Attempt != nil:
			delete(begun, e.Cause)
		case e.Seq <= h.entry.Seq || e.Seq > by.entry.Seq:
		case e.Timer != nil && e.Timer.Name == "delivery", e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Operation == "resendDelivery":
			begun[e.Seq] = true
		}
	}
	return len(begun) > 0
}

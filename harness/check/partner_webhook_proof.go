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
		if p.entry.Seq < h.entry.Seq || p.by[id].fulfilled == 0 {
			continue
		}
		if h.says() == "Paid" && !f.proved(id, p.entry.Seq) {
			return p.entry
		}
		return nil
	}
	return nil
}

// proved says whether the application could know that a payment is Paid: a
// genuine delivery, or an answer of the service, has said so.
func (f *follower) proved(id string, until uint64) bool {
	for i := range f.hooks {
		if h := &f.hooks[i]; h.entry.Seq < until && h.trusted() && h.about() == id && h.says() == "Paid" {
			return true
		}
	}
	for e := range f.t.of(tape.KindExchange) {
		if e.Seq > until {
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

package check

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// What follows a delivery that is not genuine is told apart from what an
// application does anyway by time: it comes soon, and out of silence.
const (
	followWindow = 5 * time.Second
	followSoon   = time.Second
	followIdle   = 2 * time.Second
)

// notFollowed judges what applications do after deliveries that they have to
// refuse. What was accepted is judged by the clauses about signatures.
func notFollowed(t *Tape) []Verdict {
	var y tally
	f := follower{t: t, y: &y, book: t.companies(), tasks: t.announced(), hooks: t.hooks(), probes: t.probes()}
	for i := range f.hooks {
		h := &f.hooks[i]
		switch {
		case h.genuine() || h.about() == "":
		case h.Status == 0:
			y.skip("a delivery that was not answered")
		case succeeded(h.Attempt):
			y.skip("a delivery that was accepted, which the clause about its signature judges")
		default:
			f.judge(h)
		}
	}
	return y.exercised("refuse a delivery that is not genuine, and go on for a while")
}

// follower looks for what follows a delivery.
type follower struct {
	t      *Tape
	y      *tally
	book   *companies
	tasks  *announced
	hooks  []hook
	probes []probe
}

// judge looks at the time until the next genuine delivery about the resource.
func (f *follower) judge(h *hook) {
	if n := f.unproved(h); n != nil {
		f.y.unsure(f.t, "nothing fulfilled on the word of a delivery that is not genuine", "the payment "+h.about()+" is fulfilled",
			"leave a delivery alone whose signature is not right: no state, no job, no call", h.entry.Seq, n.Seq)
		return
	}
	over, first := false, h.entry.Seq
	if h.Number == 1 {
		first = h.event.Seq
	}
	for i := range f.t.Entries {
		e := &f.t.Entries[i]
		if e.Seq <= first {
			continue
		}
		if e.Seq > h.entry.Seq && (f.told(e, h.about()) || f.t.waited(e)-f.t.waited(h.entry) > int64(followWindow)) {
			over = true
			break
		}
		if e.Kind == tape.KindExchange && e.Omitted == 0 && f.book.names(e, h.about()) && !f.tasks.covers(e, h.about()) {
			if f.follows(h, e, first) {
				return
			}
		}
	}
	if over || f.t.wentOn(h.entry, followWindow) {
		f.y.ok(h.entry.Seq)
	}
}

// told says whether the application hears of a resource by a good way: what it
// does from then on is no consequence of the delivery that was refused.
func (f *follower) told(e *tape.Entry, id string) bool {
	if f.tasks.mentions(e, id) {
		return true
	}
	if e.Kind != tape.KindAttempt {
		return false
	}
	return slices.ContainsFunc(f.hooks, func(h hook) bool { return h.entry.Seq == e.Seq && h.trusted() && h.about() == id })
}

// follows judges a call that names the resource.
func (f *follower) follows(h *hook, call *tape.Entry, first uint64) bool {
	const hint = "leave a delivery alone whose signature is not right: no state, no job, no call"
	soon := f.t.waited(call)-f.t.waited(h.entry) <= int64(followSoon)
	silent, begun := f.before(call, h.about(), first)
	switch scripted := len(f.tasks.list) > 0; {
	case begun:
		return false
	case f.t.Meta.Clock == "real" && silent && soon, f.t.Meta.Clock != "real" && scripted:
		f.y.unsure(f.t, "no call about "+h.about()+" after a delivery that was refused", call.Exchange.Method+" "+call.Exchange.Path, hint, h.entry.Seq, call.Seq)
		return true
	case movesMoney(call.Exchange.Operation):
		f.y.look(call.Exchange.Method+" "+call.Exchange.Path+" after a delivery that was refused: by chance, or because of it?", hint, h.entry.Seq, call.Seq)
		return true
	}
	return false
}

// before says whether the application had let the resource alone for a while,
// and whether it has made the same call already.
func (f *follower) before(call *tape.Entry, id string, first uint64) (silent, begun bool) {
	silent = true
	for e := range f.t.of(tape.KindExchange) {
		if e.Seq > first {
			break
		}
		if !f.book.names(e, id) {
			continue
		}
		if f.t.waited(call)-f.t.waited(e) < int64(followIdle) {
			silent = false
		}
		a, b := e.Exchange, call.Exchange
		if a.Operation == b.Operation && a.Path == b.Path && bytes.Equal(a.Request.Body, b.Request.Body) {
			begun = true
		}
	}
	return silent, begun
}

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

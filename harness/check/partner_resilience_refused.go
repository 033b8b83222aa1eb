package check

import (
	"bytes"
	"net/http"
	"strconv"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// past is what has happened on a tape up to somewhere, by the numbers of the
// last entries.
type past struct {
	// moved is the last change or event about each entity, changed of any.
	moved   map[string]uint64
	changed uint64
	// wrote is the last call of the partner that has changed something.
	wrote uint64
	// asked is the last visit of a payer, or note that one came back or that a task
	// was given: reasons to look at a state.
	asked uint64
}

// see goes on to the next entry.
func (p *past) see(e *tape.Entry) {
	switch {
	case e.Transition != nil, e.Event != nil, e.Attempt != nil:
		p.changed = e.Seq
		for _, id := range e.Entities {
			p.moved[id] = e.Seq
		}
		if e.Transition != nil { // companies are read by the partner's own names for them
			p.moved[e.Transition.Machine] = e.Seq
		}
	case e.Kind == tape.KindPage, noted(e, NoteRedirect), noted(e, NoteTask):
		p.asked = e.Seq
	case e.Kind == tape.KindExchange && e.Exchange != nil && e.Exchange.Method != http.MethodGet && served(e.Exchange) && !tokenCall(e.Exchange.Operation):
		p.wrote = e.Seq
	}
}

// noted says whether an entry is a note of a kind, as far as a glance tells.
func noted(e *tape.Entry, kind string) bool {
	return e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Operation == noteOperation &&
		bytes.Contains(e.Exchange.Request.Body, []byte(`"`+kind+`"`))
}

// touched is the last change or event about an entity of a call.
func (p *past) touched(e *tape.Entry) uint64 {
	var last uint64
	for _, id := range e.Entities {
		last = max(last, p.moved[id])
	}
	return last
}

// replay walks the calls, each with what has happened before it.
func (t *Tape) replay(list []try, visit func(n int, p *past)) {
	p := past{moved: map[string]uint64{}}
	n := 0
	for i := range t.Entries {
		if e := &t.Entries[i]; n < len(list) && list[n].e == e {
			visit(n, &p)
			n++
		}
		p.see(&t.Entries[i])
	}
}

// turnedDown says whether a call was refused for good. A conflict under a key
// may be the first call that is still at work, and a late cancellation has a
// clause of its own.
func (c *try) turnedDown() bool {
	status := c.x.Response.Status
	switch status {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	case http.StatusConflict:
		return c.key == "" && !c.lost
	}
	switch c.x.Operation {
	case "", "createToken", "createTokenGuide", "cancelPayment", "cancelPaymentByPost":
		return false
	}
	return status >= 400 && status < 500 && !c.lost
}

// refusal is a call that was turned down, and how often it was made again.
type refusal struct {
	n, again int
	seqs     []uint64
}

// accepted looks for calls that were turned down and made again although
// nothing has changed.
func accepted(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	var bad offences
	list := t.tries()
	down := map[string]*refusal{}
	var order []*refusal
	t.replay(list, func(n int, p *past) {
		c := &list[n]
		r := down[c.same]
		switch {
		case r == nil:
		case list[r.n].hopeless(c, p):
			r.again++
			r.seqs = append(r.seqs, c.e.Seq)
		default:
			delete(down, c.same)
			r = nil
		}
		if !c.turnedDown() {
			return
		}
		if r == nil {
			r = &refusal{seqs: []uint64{c.e.Seq}}
			down[c.same], order = r, append(order, r)
		}
		r.n = n
	})
	for _, r := range order {
		first := t.entry(r.seqs[0]).Exchange
		most := 0
		if first.Method == http.MethodGet { // by another reader, maybe
			most = 1
		}
		switch {
		case r.again > most && t.stubbed(tape.Kinds()...):
			y.Open("what has changed between may be in what was too large for the tape", r.seqs...)
		case r.again > most:
			bad.add(first.Method+" "+first.Path+" was refused with "+strconv.Itoa(first.Response.Status)+" and sent again unchanged", r.seqs...)
		case t.settled(list, r.n):
			y.Holds(r.seqs...)
		default:
			y.Skip("a call was refused just before the tape ends")
		}
	}
	bad.fail(&y, "no repetition of what was refused", "repeat after 5xx, 429 and lost answers only; mend what the answer's findings name, then send it")
	return y.Exercised("make a call that is refused with 400, 404 or 422")
}

// hopeless says whether a call that was turned down is made again although
// nothing has happened that might let it pass now.
func (c *try) hopeless(again *try, p *past) bool {
	gap := again.began - c.ended
	switch {
	case gap > longestPause, p.wrote > c.e.Seq, p.touched(c.e) > c.e.Seq, p.touched(again.e) > c.e.Seq:
		return false
	default:
		return p.changed < c.e.Seq || gap <= pollPause
	}
}

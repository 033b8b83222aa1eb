package retry

import (
	"net/http"
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// turnedDown says whether a call was refused for good. A conflict under a key
// may be the first call that is still at work, and a late cancellation has a
// clause of its own.
func turnedDown(c *trail.Call) bool {
	status := c.Exchange.Response.Status
	switch status {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	case http.StatusConflict:
		return c.Key == "" && !c.Lost
	}
	if o := trail.OperationOf(c.Exchange); c.Exchange.Operation == "" || o.Token || o.Cancels {
		return false
	}
	return status >= 400 && status < 500 && !c.Lost
}

// refusal is a call that was turned down, and how often it was made again.
type refusal struct {
	last  *trail.Call
	again int
	seqs  []uint64
}

// refusedNotRepeated looks for calls that were turned down and made again although
// nothing has changed.
func refusedNotRepeated(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	var bad verdict.Offences
	down := map[string]*refusal{}
	var order []*refusal
	t.Replay(func(c *trail.Call, p *trail.Past) {
		r := down[c.Same]
		switch {
		case r == nil:
		case hopeless(r.last, c, p):
			r.again++
			r.seqs = append(r.seqs, c.Entry.Seq)
		default:
			delete(down, c.Same)
			r = nil
		}
		if !turnedDown(c) {
			return
		}
		if r == nil {
			r = &refusal{seqs: []uint64{c.Entry.Seq}}
			down[c.Same], order = r, append(order, r)
		}
		r.last = c
	})
	for _, r := range order {
		first := t.Entry(r.seqs[0]).Exchange
		most := 0
		if first.Method == http.MethodGet { // by another reader, maybe
			most = 1
		}
		switch {
		case r.again > most && t.Stubbed(tape.Kinds()...):
			y.Open("what has changed between may be in what was too large for the tape", r.seqs...)
		case r.again > most:
			bad.Add(first.Method+" "+first.Path+" was refused with "+strconv.Itoa(first.Response.Status)+" and sent again unchanged", r.seqs...)
		case t.Settled(r.last):
			y.Holds(r.seqs...)
		default:
			y.Skip("a call was refused just before the tape ends")
		}
	}
	bad.Fail(&y, "no repetition of what was refused")
	return y.Exercised()
}

// hopeless says whether a call that was turned down is made again although
// nothing has happened that might let it pass now: one that passes shows that something
// has.
func hopeless(c *trail.Call, again *trail.Call, p *trail.Past) bool {
	gap := again.Began - c.Ended
	switch {
	case again.Done(), gap > longestPause, p.Wrote > c.Entry.Seq, p.Touched(c.Entry) > c.Entry.Seq, p.Touched(again.Entry) > c.Entry.Seq:
		return false
	default:
		return p.Changed < c.Entry.Seq || gap <= pollPause
	}
}

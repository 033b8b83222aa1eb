package token

import (
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

const (
	// mostRefusals is how often one call may be refused for its token in a row: the
	// first time, and two repetitions.
	mostRefusals = 3
	// mostHits is how many calls with one refused token may be on their way.
	mostHits = 16
	// soonRead is how long after a refusal the same reading counts as the one that
	// was refused: later ones are made for reasons of their own.
	soonRead = int64(10 * time.Second)
)

const wantRecovery = "one new token, and the call once more"

// incident is a call that was refused for its token, until it is let through.
type incident struct {
	n        int
	refusals []uint64
	tokens   map[string]bool
	calls    int
}

// recovering is the walk along the calls.
type recovering struct {
	t     *trail.Trail
	y     *verdict.Tally
	list  []*trail.Call
	open  map[string]*incident
	order []*incident
	// good are the last calls that were let through, by what makes a call the same
	// although its key is another.
	good map[string]int
	// renewed says of an entry whether the application was started anew soon after.
	renewed func(e *tape.Entry) bool
}

// tokenRecovery follows each call that was refused for its token. What its caller has
// not heard of asks for nothing.
func tokenRecovery(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	r := recovering{t: t, y: &y, list: t.Calls(), open: map[string]*incident{}, good: map[string]int{}, renewed: t.Renewed()}
	for _, c := range r.list {
		switch {
		case trail.OperationOf(c.Exchange).Token:
		case c.TokenRefused() && c.Lost:
			y.Skip("a caller did not hear of the refusal: it had hung up, or the connection broke")
		case c.TokenRefused():
			r.refused(c)
		case c.Exchange.Auth == tape.AuthValid:
			r.through(c)
		}
	}
	twice := false
	for _, i := range r.order {
		twice = twice || len(i.refusals) > 1
		if i.calls > 0 {
			r.unrecovered(i)
		}
	}
	if !twice { // as no trouble may: a sane client's call comes to nothing
		y.Unseen("a call that is refused with its new token, too: whether the client gives up then (a fault with tokenRevoked call, and count 8)")
	}
	return y.Exercised()
}

// refused notes a refusal. Those of one token at a time are parallel calls.
func (r *recovering) refused(c *trail.Call) {
	name := again(r.t, c)
	i := r.open[name]
	if i == nil {
		i = &incident{tokens: map[string]bool{}}
		r.open[name], r.order = i, append(r.order, i)
	}
	i.calls++
	i.n = c.N
	if !i.tokens[c.Exchange.Token] {
		i.tokens[c.Exchange.Token] = true
		i.refusals = append(i.refusals, c.Entry.Seq)
	}
}

// through looks at a call that was let through: whether it is one that was refused.
func (r *recovering) through(c *trail.Call) {
	if !c.Reads() {
		r.good[meant(r.t, c)] = c.N
	}
	name := again(r.t, c)
	i := r.open[name]
	switch {
	case i == nil, i.tokens[c.Exchange.Token]:
		return
	case c.Reads() && c.Began-r.list[i.n].Ended > soonRead && !i.loops():
		r.y.Skip("a reading was refused, and made again only much later, maybe for another reason")
	default:
		r.judge(i, c)
	}
	i.calls = 0
	delete(r.open, name)
}

// again is equal for a call and its repetition with another token.
func again(t *trail.Trail, c *trail.Call) string {
	if c.Key != "" {
		return c.Exchange.Operation + "\x00" + c.Exchange.Path + "\x00" + c.Key
	}
	return meant(t, c)
}

// meant is equal for calls that mean the same, whatever their keys.
func meant(t *trail.Trail, c *trail.Call) string {
	if reference := t.Sent(c.Exchange).Text("reference"); reference != "" {
		return c.Exchange.Operation + "\x00\x00" + reference
	}
	return c.Same
}

// judge tells of an incident whose call was let through in the end.
func (r *recovering) judge(i *incident, again *trail.Call) {
	switch tokens := r.fetched(i, again); {
	case i.loops():
		r.y.Fail(wantRecovery, "the call was refused "+strconv.Itoa(i.calls)+" times", i.refusals...)
	case len(tokens) > instances:
		r.y.Fail(wantRecovery, strconv.Itoa(len(tokens))+" tokens fetched after one call was refused", append(i.refusals, tokens...)...)
	default:
		r.y.Holds(i.refusals[0], again.Entry.Seq)
	}
}

// past says whether the caller of a call has had a moment to react: beside others
// that call at the same time, many calls are none.
func (r *recovering) past(c *trail.Call) bool {
	const moment = int64(time.Second)
	return r.t.Meta.Clock != "real" || r.t.Waited(&r.t.Entries[len(r.t.Entries)-1])-c.Ended >= moment
}

// fetched are the tokens that were fetched between a refusal and the call that was
// made again, none where others may have fetched them for their own: more than one
// call was refused. Those that have served other calls meanwhile were fetched for these.
func (r *recovering) fetched(i *incident, again *trail.Call) []uint64 {
	if i.calls > 1 || again.N-i.n > verdict.MaxEvidence || r.t.Cut(tape.KindExchange) {
		return nil
	}
	var tokens []*trail.Call
	for n := max(0, i.n-verdict.MaxEvidence); n < again.N; n++ {
		switch c := r.list[n]; {
		case c.TokenRefused() && n != i.n:
			return nil
		case n > i.n && trail.OperationOf(c.Exchange).Token && trail.Served(c.Exchange):
			tokens = append(tokens, c)
		default:
			tokens = slices.DeleteFunc(tokens, func(of *trail.Call) bool { return of.Exchange.Token == c.Exchange.Token })
		}
	}
	seqs := make([]uint64, len(tokens))
	for k, c := range tokens {
		seqs[k] = c.Entry.Seq
	}
	return seqs
}

func (i *incident) loops() bool { return len(i.refusals) > mostRefusals || i.calls > mostHits }

// unrecovered judges an incident whose call was not let through under its key.
// What was refused with 401 has done nothing, so it may be made again under
// another key.
func (r *recovering) unrecovered(i *incident) {
	last := r.list[i.n]
	switch again := r.good[meant(r.t, last)]; {
	case i.loops():
		r.y.Fail(wantRecovery, "the call was refused "+strconv.Itoa(i.calls)+" times, and made again and again", i.refusals...)
	case again > i.n && !i.tokens[r.list[again].Exchange.Token]:
		r.y.Holds(i.refusals[0], r.list[again].Entry.Seq)
	case r.t.Stubbed(tape.KindExchange):
		r.y.Open("the repetition may be in what was too large for the tape", i.refusals...)
	case len(i.refusals) > 1: // made again with a new token, which was refused too
		r.y.Holds(i.refusals...)
	case r.t.Unheard(last):
		r.y.Skip("a refusal was held back, under a clock that does not show whether it has reached its caller")
	case r.renewed(last.Entry):
		r.y.Skip("a token was refused just before the application was started anew")
	case r.t.Settled(r.list[i.n]) && r.past(last):
		r.y.Fail(wantRecovery, last.Exchange.Method+" "+last.Exchange.Path+" was refused with "+strconv.Itoa(last.Exchange.Response.Status)+" and not made again with another token", i.refusals...)
	default:
		r.y.Skip("a token was refused just before the tape ends")
	}
}

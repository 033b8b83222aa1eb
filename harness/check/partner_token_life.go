package check

import (
	"strconv"

	"paysandbox/mockserver/tape"
)

// turnedAway says whether a call was refused because its token, good once, is no
// longer.
func (c *try) turnedAway() bool {
	return !tokenCall(c.x.Operation) && (c.x.Auth == tape.AuthExpired || c.x.Auth == tape.AuthRevoked)
}

// refreshed looks for calls with tokens that have expired. One that the harness
// has made expire by moving a clock that the application does not see is none.
func refreshed(t *Tape) []Verdict {
	var y tally
	var bad offences
	list := t.tries()
	_, by := t.grants(list)
	var now, old *granted // the token in use, and the one that it has replaced in time
	sees := t.sees()
	for n := range list {
		c := &list[n]
		g := by[c.x.Token]
		if tokenCall(c.x.Operation) || g == nil {
			continue
		}
		switch c.x.Auth {
		case tape.AuthExpired:
			if sees(g, c) {
				bad.add("a call with a token that had expired "+span(c.e.At-g.until)+" before", c.e.Seq)
			} else {
				y.skip("a token has expired in a time that the application could not see")
			}
		case tape.AuthValid:
			if g != now {
				now, old = g, g.replaces(now, c)
			}
			if old != nil && c.e.At > old.until {
				y.ok(old.c.e.Seq, g.c.e.Seq, c.e.Seq)
				old = nil
			}
		}
	}
	bad.fail(&y, "a new token before the old one expires", "reckon the expiry from expiresInSeconds, and fetch a new token a minute before")
	return y.exercised("go on with calls until after the token has expired (a short token-lifetime helps)")
}

// sees tells of a call whether its caller could see that its token had expired:
// it lives by the virtual time, or the token's life was over by the wall too, for
// which every move of the clock has to be on the tape.
func (t *Tape) sees() func(g *granted, c *try) bool {
	virtual := t.virtual()
	real := t.Meta.Clock == "real" && !t.cut(tape.KindClock)
	return func(g *granted, c *try) bool { return virtual || real && c.began-g.c.ended >= g.life }
}

// replaces gives the token before, when this one was fetched because that had
// grown old: not because it was refused, and not by another process.
func (g *granted) replaces(before *granted, c *try) *granted {
	switch {
	case before == nil, g.amends, before.refused != 0 && before.refused < c.e.Seq, g.c.e.At-before.c.e.At < before.life/2:
		return nil
	default:
		return before
	}
}

// mostRefusals is how often one call may be refused for its token in a row: the
// first time, and two repetitions.
const mostRefusals = 3

// incident is a call that was refused for its token, until it is let through.
type incident struct {
	n        int
	refusals []uint64
	tokens   map[string]bool
	calls    int
}

// recovered follows each call that was refused for its token.
func recovered(t *Tape) []Verdict {
	var y tally
	list := t.tries()
	open := map[string]*incident{}
	var order []*incident
	for n := range list {
		c := &list[n]
		if tokenCall(c.x.Operation) {
			continue
		}
		name := c.again()
		i := open[name]
		switch {
		case c.turnedAway():
			if i == nil {
				i = &incident{tokens: map[string]bool{}}
				open[name], order = i, append(order, i)
			}
			i.add(n, c)
		case i != nil && !i.tokens[c.x.Token] && c.x.Auth == tape.AuthValid:
			i.judge(&y, c.e.Seq)
			i.calls = 0
			delete(open, name)
		}
	}
	for _, i := range order {
		if i.calls > 0 {
			t.unrecovered(&y, list, i)
		}
	}
	return y.exercised("meet a token that was withdrawn: the fault token-revoked")
}

// again is equal for a call and its repetition with another token.
func (c *try) again() string {
	if c.key != "" {
		return c.x.Operation + "\x00" + c.x.Path + "\x00" + c.key
	}
	if reference := read(c.x.Request.Body).text("reference"); reference != "" {
		return c.x.Operation + "\x00\x00" + reference
	}
	return c.same
}

// add notes one more refusal. Those of one token at a time are parallel calls.
func (i *incident) add(n int, c *try) {
	i.calls++
	if !i.tokens[c.x.Token] {
		i.tokens[c.x.Token] = true
		i.refusals = append(i.refusals, c.e.Seq)
	}
	i.n = n
}

const (
	wantRecovery = "one new token, and the call once more"
	hintRecovery = "on 401 drop the token, fetch one new, and make the call again once; then give up"
	// mostHits is how many calls with one refused token may be on their way.
	mostHits = 16
)

// judge tells of an incident whose call was let through in the end.
func (i *incident) judge(y *tally, seq uint64) {
	if i.loops() {
		y.fail(wantRecovery, "the call was refused "+strconv.Itoa(i.calls)+" times", hintRecovery, i.refusals...)
		return
	}
	y.ok(i.refusals[0], seq)
}

func (i *incident) loops() bool { return len(i.refusals) > mostRefusals || i.calls > mostHits }

// unrecovered judges an incident whose call was not let through.
func (t *Tape) unrecovered(y *tally, list []try, i *incident) {
	switch {
	case i.loops():
		y.fail(wantRecovery, "the call was refused "+strconv.Itoa(i.calls)+" times, and made again and again", hintRecovery, i.refusals...)
	case t.stubbed(tape.KindExchange):
		y.open("the repetition may be in what was too large for the tape", i.refusals...)
	case len(i.refusals) > 1: // made again with a new token, which was refused too
		y.ok(i.refusals...)
	case t.settled(list, i.n):
		y.fail(wantRecovery, "the call was not made again with another token", hintRecovery, i.refusals...)
	default:
		y.skip("a token was refused just before the tape ends")
	}
}

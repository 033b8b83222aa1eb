package check

import (
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// turnedAway says whether a call was refused because its token, good once, is no
// longer.
func (c *try) turnedAway() bool {
	return !tokenCall(c.x.Operation) && (c.x.Auth == tape.AuthExpired || c.x.Auth == tape.AuthRevoked)
}

// refreshed looks for calls with tokens that have expired. One that the harness
// has made expire by moving a clock that the application does not see is none.
func refreshed(t *Tape) []verdict.Judgement {
	var y verdict.Tally
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
				y.Skip("a token has expired in a time that the application could not see")
			}
		case tape.AuthValid:
			if g != now {
				now, old = g, g.replaces(now, c)
			}
			if old != nil && c.e.At > old.until {
				y.Holds(old.c.e.Seq, g.c.e.Seq, c.e.Seq)
				old = nil
			}
		}
	}
	if y.Held() == 0 {
		t.interleaved(&y, list)
	}
	bad.fail(&y, "a new token before the old one expires", "reckon the expiry from expiresInSeconds, and fetch a new token a minute before")
	return y.Exercised("go on with calls until after the token has expired, with --latitude token-lifetime=60 (or 600) for longer than that")
}

// sees tells of a call whether its caller could see that its token had expired:
// it lives by the virtual time, or the token's life was over by the wall too, for
// which every move of the clock has to be on the tape.
func (t *Tape) sees() func(g *granted, c *try) bool {
	virtual := t.virtual()
	real := t.Meta.Clock == "real" && !t.cut(tape.KindClock)
	return func(g *granted, c *try) bool { return virtual || real && c.began-g.c.ended >= g.life }
}

// interleaved looks for tokens that were fetched in the second half of the life of
// another, and have served calls after its end: processes with a token each take turns,
// so that no token follows upon the one that it replaces.
func (t *Tape) interleaved(y *verdict.Tally, list []try) {
	all, by := t.grants(list)
	last := map[*granted]int64{}
	for n := range list {
		if c := &list[n]; c.x.Auth == tape.AuthValid && by[c.x.Token] != nil {
			last[by[c.x.Token]] = c.e.At
		}
	}
	for i, g := range all {
		for _, old := range all[max(0, i-2*instances):i] {
			half := g.c.e.At >= old.c.e.At+old.life/2 && g.c.e.At <= old.until
			if half && !g.amends && old.served > 0 && old.refused == 0 && last[g] > old.until {
				y.Holds(old.c.e.Seq, g.c.e.Seq)
				break
			}
		}
	}
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

package token

import (
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// tokenRefresh looks for calls with tokens that have expired. One that the harness
// has made expire by moving a clock that the application does not see is none.
func tokenRefresh(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	var bad verdict.Offences
	_, by := grants(t)
	var now, old *granted // the token in use, and the one that it has replaced in time
	sees := sees(t)
	for _, c := range t.Calls() {
		g := by[c.Exchange.Token]
		if trail.OperationOf(c.Exchange).Token || g == nil {
			continue
		}
		switch c.Exchange.Auth {
		case tape.AuthExpired:
			if sees(g, c) {
				bad.Add("a call with a token that had expired "+trail.Span(c.Entry.At-g.until)+" before", c.Entry.Seq)
			} else {
				y.Skip("a token has expired in a time that the application could not see")
			}
		case tape.AuthValid:
			if g != now {
				now, old = g, g.replaces(now, c)
			}
			if old != nil && c.Entry.At > old.until {
				y.Holds(old.c.Entry.Seq, g.c.Entry.Seq, c.Entry.Seq)
				old = nil
			}
		}
	}
	if y.Held() == 0 {
		judgeInterleaving(t, &y)
	}
	bad.Fail(&y, "a new token before the old one expires")
	return y.Exercised()
}

// sees tells of a call whether its caller could see that its token had expired:
// it lives by the virtual time, or the token's life was over by the wall too, for
// which every move of the clock has to be on the tape.
func sees(t *trail.Trail) func(g *granted, c *trail.Call) bool {
	virtual := t.Virtual()
	real := t.Meta.Clock == "real" && !t.Cut(tape.KindClock)
	return func(g *granted, c *trail.Call) bool { return virtual || real && c.Began-g.c.Ended >= g.life }
}

// judgeInterleaving looks for tokens that were fetched in the second half of the life of
// another, and have served calls after its end: processes with a token each take turns,
// so that no token follows upon the one that it replaces.
func judgeInterleaving(t *trail.Trail, y *verdict.Tally) {
	all, by := grants(t)
	last := map[*granted]int64{}
	for _, c := range t.Calls() {
		if c.Exchange.Auth == tape.AuthValid && by[c.Exchange.Token] != nil {
			last[by[c.Exchange.Token]] = c.Entry.At
		}
	}
	for i, g := range all {
		for _, old := range all[max(0, i-2*instances):i] {
			half := g.c.Entry.At >= old.c.Entry.At+old.life/2 && g.c.Entry.At <= old.until
			if half && !g.amends && old.served > 0 && old.refused == 0 && last[g] > old.until {
				y.Holds(old.c.Entry.Seq, g.c.Entry.Seq)
				break
			}
		}
	}
}

// replaces gives the token before, when this one was fetched because that had
// grown old: not because it was refused, and not by another process.
func (g *granted) replaces(before *granted, c *trail.Call) *granted {
	switch {
	case before == nil, g.amends, before.refused != 0 && before.refused < c.Entry.Seq, g.c.Entry.At-before.c.Entry.At < before.life/2:
		return nil
	default:
		return before
	}
}

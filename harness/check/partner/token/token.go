package token

import (
	"math"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// granted is a token of the integration's own and what became of it.
type granted struct {
	jti string
	c   *trail.Call
	// until is when it expires, in virtual time, and life its length, both in
	// nanoseconds.
	until, life int64
	// refused is the first entry that refused it, served how many calls it has
	// served.
	refused uint64
	served  int
	// amends is true when the token was fetched because another was refused.
	amends bool
}

// grants are the tokens that the tape has seen granted, in order.
func grants(t *trail.Trail) ([]*granted, map[string]*granted) {
	var all []*granted
	by := map[string]*granted{}
	refusedAt := int64(math.MinInt64 / 2)
	for _, c := range t.Calls() {
		switch {
		case trail.OperationOf(c.Exchange).Token:
			if !trail.Served(c.Exchange) || c.Exchange.Token == "" {
				continue
			}
			life := lifeOf(t, c.Exchange)
			g := &granted{jti: c.Exchange.Token, c: c, until: c.Entry.At + life, life: life, amends: c.Entry.At-refusedAt <= together}
			all, by[g.jti] = append(all, g), g
		case c.Exchange.Auth == tape.AuthExpired || c.Exchange.Auth == tape.AuthRevoked:
			refusedAt = c.Entry.At
			if g := by[c.Exchange.Token]; g != nil && g.refused == 0 {
				g.refused = c.Entry.Seq
			}
		default:
			if g := by[c.Exchange.Token]; g != nil {
				g.served++
			}
		}
	}
	return all, by
}

// lifeOf is how long a token is good for, in nanoseconds.
func lifeOf(t *trail.Trail, x *tape.Exchange) int64 {
	seconds, ok := trail.ReadBody(x.Response.Body).Whole("expiresInSeconds")
	if !ok || seconds <= 0 {
		var err error
		if seconds, err = strconv.ParseInt(t.Meta.Latitude["token-lifetime"], 10, 64); err != nil {
			seconds = 3600
		}
	}
	return seconds * int64(time.Second)
}

const (
	// goodFor is how much of a token's life has to be left for it to be used.
	goodFor = int64(2 * time.Minute)
	// instances is how many processes of an application may have a token each.
	instances = 3
	// fairShare is how many calls a token serves at least where there are more.
	fairShare = 5
)

// tokenReuse counts the good tokens that an application had when it fetched another.
func tokenReuse(t *trail.Trail) []verdict.Judgement {
	const want = "a token that is kept, and used until shortly before it expires"
	var y verdict.Tally
	all, by := grants(t)
	calls := 0
	for _, g := range all {
		if calls += g.served; g.served > 1 {
			y.Holds(g.c.Entry.Seq)
		}
	}
	spare, most := spare(t, all)
	some := spare[:min(len(spare), verdict.MaxEvidence)]
	switch {
	case most < instances || len(spare) <= instances:
	case t.Stubbed(tape.KindExchange):
		y.Open("whether the tokens before were refused may be in what was too large for the tape", some...)
	case calls < fairShare*len(all):
		y.Fail(want, strconv.Itoa(len(all))+" tokens for "+strconv.Itoa(calls)+" calls: "+strconv.Itoa(len(spare))+" of them were fetched while one before was good for "+trail.Span(goodFor)+" or more", some...)
	case len(carriers(t, by, spare)) > instances && calls < carriedShare*len(all):
		mid := carriers(t, by, spare)
		y.Fail(want, strconv.Itoa(len(all))+" tokens for "+strconv.Itoa(calls)+" calls: "+strconv.Itoa(len(mid))+" of them were fetched in the middle of the work on a payment, while the one before was good for "+trail.Span(goodFor)+" or more, and was never used again", mid[:min(len(mid), verdict.MaxEvidence)]...)
	default:
		received := strconv.Itoa(len(spare)) + " tokens fetched while others were good, " + strconv.Itoa(calls/len(all)) +
			" calls with each: a warning only, because each may be another process's or another test's"
		y.WarnAs("spread", want, received, some...)
	}
	return y.Exercised()
}

// spare lists the token calls that were made while other tokens were good, and
// says how many those were at most.
func spare(t *trail.Trail, all []*granted) (seqs []uint64, most int) {
	revoked := t.Controls("revokeTokens")
	started := t.Starts()
	var live []*granted
	for i, g := range all {
		if i > 0 && g.beside(all[i-1]) {
			continue // which is partner.token.single-flight's matter
		}
		live = slices.DeleteFunc(live, func(o *granted) bool {
			return o.until-g.c.Entry.At <= goodFor || o.refused != 0 && o.refused < g.c.Entry.Seq ||
				between(revoked, o.c.Entry.Seq, g.c.Entry.Seq) || between(started, o.c.Entry.Seq, g.c.Entry.Seq)
		})
		if g.amends {
			continue
		}
		if len(live) > 0 {
			seqs, most = append(seqs, g.c.Entry.Seq), max(most, len(live))
		}
		if len(live) <= instances {
			live = append(live, g)
		}
	}
	return seqs, most
}

// beside says whether a token was fetched right after another, as parallel calls
// do.
func (g *granted) beside(before *granted) bool {
	return g.c.N == before.c.N+1 && g.c.Entry.At-before.c.Entry.At <= together
}

// between says whether one of the numbers, which are ascending, lies between two.
func between(list []uint64, from, to uint64) bool {
	n, _ := slices.BinarySearch(list, from)
	return n < len(list) && list[n] < to
}

package check

import (
	"math"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// tokenClauses are the checks of how an integration comes by its tokens and
// keeps its secret.
func tokenClauses() []Check {
	one := func(id, title string, run func(t *Tape) []verdict.Judgement) Check {
		return Check{ID: id, Title: title, Clauses: []string{id}, Run: run}
	}
	return []Check{
		one("partner.token.reuse", "A token serves many calls", reused),
		one("partner.token.refresh", "No call is made with a token that has expired", refreshed),
		one("partner.token.recover", "A refused token is replaced, and the call made again", recovered),
		one("partner.token.single-flight", "Parallel calls fetch one token together", singleFlight),
		one("partner.token.out-of-urls", "No address holds a credential or a token, and no header a secret", outOfURLs),
		one("partner.token.server-side", "Tokens are fetched by a server", serverSide),
	}
}

// granted is a token of the integration's own and what became of it.
type granted struct {
	jti string
	c   *try
	n   int
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
func (t *Tape) grants(list []try) ([]*granted, map[string]*granted) {
	var all []*granted
	by := map[string]*granted{}
	refusedAt := int64(math.MinInt64 / 2)
	for n := range list {
		c := &list[n]
		switch {
		case tokenCall(c.x.Operation):
			if !served(c.x) || c.x.Token == "" {
				continue
			}
			life := t.lifeOf(c.x)
			g := &granted{jti: c.x.Token, c: c, n: n, until: c.e.At + life, life: life, amends: c.e.At-refusedAt <= flock}
			all, by[g.jti] = append(all, g), g
		case c.x.Auth == tape.AuthExpired || c.x.Auth == tape.AuthRevoked:
			refusedAt = c.e.At
			if g := by[c.x.Token]; g != nil && g.refused == 0 {
				g.refused = c.e.Seq
			}
		default:
			if g := by[c.x.Token]; g != nil {
				g.served++
			}
		}
	}
	return all, by
}

// lifeOf is how long a token is good for, in nanoseconds.
func (t *Tape) lifeOf(x *tape.Exchange) int64 {
	seconds, ok := read(x.Response.Body).whole("expiresInSeconds")
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

// reused counts the good tokens that an application had when it fetched another.
func reused(t *Tape) []verdict.Judgement {
	const want = "a token that is kept, and used until shortly before it expires"
	const hint = "keep the token with the time of its expiry, and use it for all calls of the process; where each test makes a client of its own, let them share one"
	var y verdict.Tally
	all, _ := t.grants(t.tries())
	calls := 0
	for _, g := range all {
		if calls += g.served; g.served > 1 {
			y.Holds(g.c.e.Seq)
		}
	}
	spare, most := t.spare(all)
	some := spare[:min(len(spare), verdict.MaxEvidence)]
	switch {
	case most < instances || len(spare) <= instances:
	case t.stubbed(tape.KindExchange):
		y.Open("whether the tokens before were refused may be in what was too large for the tape", some...)
	case calls < fairShare*len(all):
		y.Fail(want, strconv.Itoa(len(all))+" tokens for "+strconv.Itoa(calls)+" calls: "+strconv.Itoa(len(spare))+" of them were fetched while one before was good for "+span(goodFor)+" or more", hint, some...)
	default:
		received := strconv.Itoa(len(spare)) + " tokens fetched while others were good, " + strconv.Itoa(calls/len(all)) +
			" calls with each: a warning only, because each may be another process's or another test's"
		y.Warn(want, received, hint+"; in one process look at the unit of expiresInSeconds", some...)
	}
	return y.Exercised("make several calls with one token")
}

// spare lists the token calls that were made while other tokens were good, and
// says how many those were at most.
func (t *Tape) spare(all []*granted) (seqs []uint64, most int) {
	revoked := t.controls("revokeTokens")
	started := t.starts()
	var live []*granted
	for i, g := range all {
		if i > 0 && g.beside(all[i-1]) {
			continue // which is partner.token.single-flight's matter
		}
		live = slices.DeleteFunc(live, func(o *granted) bool {
			return o.until-g.c.e.At <= goodFor || o.refused != 0 && o.refused < g.c.e.Seq ||
				between(revoked, o.c.e.Seq, g.c.e.Seq) || between(started, o.c.e.Seq, g.c.e.Seq)
		})
		if g.amends {
			continue
		}
		if len(live) > 0 {
			seqs, most = append(seqs, g.c.e.Seq), max(most, len(live))
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
	return g.n == before.n+1 && g.c.e.At-before.c.e.At <= flock
}

// controls are the numbers of the control calls of an operation that were served.
func (t *Tape) controls(operation string) []uint64 {
	var list []uint64
	for e := range t.of(tape.KindControl) {
		if e.Exchange.Operation == operation && served(e.Exchange) {
			list = append(list, e.Seq)
		}
	}
	return list
}

// starts are the entries by which an application shows that it has been started:
// it says where its events go, or where its state is.
func (t *Tape) starts() []uint64 {
	list := t.controls("addWebhook")
	for e := range notes[any](t, NoteProbe) {
		list = append(list, e.Seq)
	}
	slices.Sort(list)
	return list
}

// renewed says of an entry whether the application was started anew soon after it:
// what it was doing then it may never do. What was too large for the tape counts in
// its favour.
func (t *Tape) renewed() func(e *tape.Entry) bool {
	const soon = int64(10 * time.Second)
	started := t.starts()
	return func(e *tape.Entry) bool {
		n, _ := slices.BinarySearch(started, e.Seq)
		return t.stubbed(tape.KindControl) || n < len(started) && t.waited(t.entry(started[n]))-t.waited(e) <= soon
	}
}

// between says whether one of the numbers, which are ascending, lies between two.
func between(list []uint64, from, to uint64) bool {
	n, _ := slices.BinarySearch(list, from)
	return n < len(list) && list[n] < to
}

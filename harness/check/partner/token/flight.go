package token

import (
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// together is how close together calls are that need a token at the same time. It
// is virtual time: what comes after a move of the clock is another matter.
const together = int64(time.Second)

// burst is some calls that needed a new token at about the same time, and the
// tokens that were fetched then.
type burst struct {
	calls, tokens []uint64
	// refused counts the refusals of each token.
	refused map[string]int
	// last is the last of the calls.
	last *trail.Call
	// late is true when a caller heard of its refusal after the first new token was
	// there: it may have fetched another.
	late bool
}

// singleFlight counts the tokens that calls in parallel have fetched: those that
// were refused for one token, and those that found it about to expire.
func singleFlight(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	var b *burst
	for _, c := range t.Calls() {
		if b != nil && c.Entry.At-b.last.Entry.At > together {
			b.judge(t, &y)
			b = nil
		}
		switch {
		case c.TokenRefused():
			if b == nil {
				b = &burst{refused: map[string]int{}}
			}
			b.last = c
			b.calls = append(b.calls, c.Entry.Seq)
			b.refused[c.Exchange.Token]++
			b.late = b.late || len(b.tokens) > 0 || trail.HeldBack(c.Exchange.Fault) > 0
		case b != nil && trail.OperationOf(c.Exchange).Token && trail.Served(c.Exchange):
			b.tokens = append(b.tokens, c.Entry.Seq)
		}
	}
	if b != nil && t.Settled(b.last) {
		b.judge(t, &y)
	}
	renewals(t, &y)
	return y.Exercised()
}

// judge tells of a burst. Each process has a token of its own, and may fetch one.
func (b *burst) judge(t *trail.Trail, y *verdict.Tally) {
	parallel := false
	for _, n := range b.refused {
		parallel = parallel || n > 1
	}
	allowed := len(b.refused)
	if b.late {
		allowed++
	}
	switch {
	case !parallel || len(b.tokens) == 0:
		y.Skip("calls were refused one at a time")
	case len(b.tokens) > allowed && t.Stubbed(tape.KindExchange):
		y.Open("whether another token was refused may be in what was too large for the tape", b.tokens[:min(len(b.tokens), verdict.MaxEvidence)]...)
	case len(b.tokens) > allowed:
		seqs := append(b.calls[:min(len(b.calls), verdict.MaxEvidence/2)], b.tokens[:min(len(b.tokens), verdict.MaxEvidence/2)]...)
		y.Fail("one token for all calls that need one", strconv.Itoa(len(b.tokens))+" tokens fetched at a time", seqs...)
	default:
		y.Holds(append(b.calls, b.tokens...)...)
	}
}

// renewals looks for tokens that were fetched one right after the other when
// those before were about to expire: more than were in use.
func renewals(t *trail.Trail, y *verdict.Tally) {
	all, by := grants(t)
	if t.Stubbed(tape.KindExchange) {
		return // what looks like one right after the other may not be
	}
	inUse := map[string]bool{}
	var best int64 // when the last of the tokens in use expires
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].beside(all[j-1]) {
			j++
		}
		from := 0
		if i > 0 {
			from = all[i-1].c.N
		}
		for _, c := range t.Calls()[from:all[i].c.N] {
			if g := by[c.Exchange.Token]; g != nil && !trail.OperationOf(c.Exchange).Token {
				inUse[g.jti], best = true, max(best, g.until)
			}
		}
		if j-i > max(len(inUse), 1) && len(inUse) > 0 && !all[i].amends && best-all[i].c.Entry.At <= goodFor {
			y.Fail("one token for all calls that need one", strconv.Itoa(j-i)+" tokens fetched at a time", all[i].c.Entry.Seq, all[j-1].c.Entry.Seq)
		}
		clear(inUse)
		best = 0
		i = j
	}
}

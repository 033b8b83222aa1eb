package service

import (
	"net/http"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// admittedCallers compares the tape's word on each caller with the answer.
func admittedCallers(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		want := tape.AuthValid
		if trail.OperationOf(x).Token {
			want = tape.AuthCredentialsOK
		}
		switch {
		case !trail.Served(x):
			switch {
			case x.Response.Status == http.StatusUnauthorized && x.Auth == "":
				y.Breach("auth.bearer", "a word on the tape on what was wrong with the caller", "none", "", e.Seq)
			case x.Auth != want && x.Response.Status >= 400:
				y.Holds(e.Seq)
			}
		case x.Auth == want, x.Auth == tape.AuthNoneNeeded && x.Operation != "" && !trail.OperationOf(x).Token:
			y.Holds(e.Seq)
		default:
			y.Breach(admits(x), "a refusal of a caller that is "+strconv.Quote(x.Auth), x.Method+" "+x.Path+" was answered with "+
				strconv.Itoa(x.Response.Status), "", e.Seq)
		}
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no call of the partner API")
}

// admits is the clause that is broken when a caller is served.
func admits(x *tape.Exchange) string {
	switch {
	case trail.OperationOf(x).Token:
		return "auth.token.refused"
	case x.Auth == tape.AuthMissing:
		return "auth.bearer"
	case x.Auth == tape.AuthExpired:
		return "auth.token.lifetime"
	default:
		return "auth.bearer.broken"
	}
}

// grant is when a token was granted, by which entry, and for how long it is good.
type grant struct {
	seq   uint64
	until int64
}

// tokenLifetimes judges by the grants on the tape whether each token that was served
// was good, whatever the tape says about the caller.
func tokenLifetimes(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	grants := map[string]grant{}
	var revoked uint64
	for i := range t.Entries {
		e := &t.Entries[i]
		x := e.Exchange
		switch {
		case x == nil:
		case e.Kind == tape.KindControl && x.Operation == "revokeTokens" && trail.Served(x):
			revoked = e.Seq
		case e.Kind != tape.KindExchange || !trail.Served(x) || x.Token == "":
		case trail.OperationOf(x).Token:
			seconds, _ := trail.ReadBody(x.Response.Body).Whole("expiresInSeconds")
			grants[x.Token] = grant{e.Seq, e.At + seconds*int64(time.Second)}
		default:
			g, known := grants[x.Token]
			lifetime(t, &y, e, g, known, revoked)
		}
	}
	return y.Judgements("no call with a token that was granted on it")
}

// lifetime judges one call that was served.
func lifetime(t *trail.Trail, y *verdict.Tally, e *tape.Entry, g grant, known bool, revoked uint64) {
	switch {
	case t.OfReadyWorld(e):
		y.Skip("a call of the ready world that the integration goes on from: its token was granted without a call")
	case !known && t.Cut(tape.KindExchange):
		y.Open("the grant of the token "+e.Exchange.Token+" is not on the tape", e.Seq)
	case !known:
		y.Breach("auth.bearer.broken", "a token that was granted", "the token "+e.Exchange.Token+" was never granted", "", e.Seq)
	case revoked > g.seq:
		y.Breach("auth.bearer.broken", "a refusal of a revoked token", "a served call with the token of entry "+strconv.FormatUint(g.seq, 10), "", g.seq, revoked, e.Seq)
	case e.At > g.until:
		y.Breach("auth.token.lifetime", "a refusal after "+trail.Moment(g.until), "a served call at "+trail.Moment(e.At), "", g.seq, e.Seq)
	default:
		y.Holds(e.Seq)
	}
}

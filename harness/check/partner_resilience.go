package check

import (
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// resilienceClauses are the checks of how an integration meets trouble.
func resilienceClauses() []Check {
	return []Check{
		{ID: "partner.outcome.resolved", Title: "A lost answer to a payment is resolved before anything is paid again", Clauses: []string{"partner.outcome.resolved"}, Run: resolved},
		{ID: "partner.client.timeout", Title: "The client gives up after 5 to 60 seconds", Clauses: []string{"partner.client.timeout"}, Run: timedOut},
		{ID: "partner.retry.backoff", Title: "Repetitions come after growing pauses with jitter", Clauses: []string{"partner.retry.backoff"}, Run: backedOff},
		{ID: "partner.retry.after", Title: "Nothing is repeated before Retry-After is over", Clauses: []string{"partner.retry.after"}, Run: obeyed},
		{ID: "partner.retry.not-4xx", Title: "What was refused is not sent again unchanged", Clauses: []string{"partner.retry.not-4xx"}, Run: accepted},
		{ID: "partner.retry.bounded", Title: "No call is made more than a few times in a row while it fails", Clauses: []string{"partner.retry.bounded"}, Run: bounded},
		{ID: "partner.polling.gentle", Title: "No state is read in quick succession", Clauses: []string{"partner.polling.gentle"}, Run: gentle},
	}
}

// The bounds of a client's timeout; a little is taken off the lower one for what
// passes before the service sees the call.
const (
	shortestTimeout = int64(4800 * time.Millisecond)
	longestTimeout  = int64(60 * time.Second)
)

// timedOut looks at callers who hung up, and at answers that were held back for
// as long as a fault can.
func timedOut(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	list := t.tries()
	renewed := t.renewed()
	const want = "a client that waits from 5 to 60 seconds"
	const hint = "set the timeout of the HTTP client, for example 10 s; most libraries have none, or a very long one"
	for n := range list {
		c := &list[n]
		held := int64(heldBack(c.x.Fault))
		switch {
		case c.hangup != nil && c.hangup.Hangup.After >= shortestTimeout && c.hangup.Hangup.After <= longestTimeout+int64(time.Second):
			y.Holds(c.e.Seq, c.hangup.Seq)
		case c.hangup != nil && n == len(list)-1:
			y.Skip("the last call was hung up, maybe because the application ended")
		case c.hangup != nil && renewed(c.hangup):
			y.Skip("a call was hung up when the application was started anew")
		case c.hangup != nil:
			y.Fail(want, "it hung up after "+span(c.hangup.Hangup.After), hint, c.e.Seq, c.hangup.Seq)
		case held < longestTimeout || t.Meta.Clock != "real" || t.stubbed(tape.KindHangup):
		case t.waited(&t.Entries[len(t.Entries)-1]) > c.ended+int64(time.Second):
			y.Fail(want, "it waited for "+span(held), hint, c.e.Seq)
		}
	}
	return y.Exercised("hold an answer back for longer than the client waits: the fault latency")
}

// retryAfter is what an answer asks for, in nanoseconds; 0 for nothing.
func retryAfter(x *tape.Exchange) int64 {
	v, _ := header(x.Response.Header, "Retry-After")
	seconds, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || seconds < 0 {
		return 0
	}
	return int64(seconds) * int64(time.Second)
}

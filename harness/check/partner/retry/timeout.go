package retry

import (
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// The bounds of a client's timeout. A second is taken off the lower one for what passes
// before the service sees the call: a client counts from when it begins, and a machine
// under load is late to take the connection.
const (
	shortestTimeout = int64(4 * time.Second)
	longestTimeout  = int64(60 * time.Second)
)

// clientTimeout looks at callers who hung up, and at answers that were held back for
// as long as a fault can.
func clientTimeout(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	list := t.Calls()
	renewed := t.Renewed()
	const want = "a client that waits from 5 to 60 seconds"
	for _, c := range list {
		held := int64(trail.HeldBack(c.Exchange.Fault))
		switch {
		case c.Hangup != nil && c.Hangup.Hangup.After >= shortestTimeout && c.Hangup.Hangup.After <= longestTimeout+int64(time.Second):
			y.Holds(c.Entry.Seq, c.Hangup.Seq)
		case c.Hangup != nil && c.N == len(list)-1:
			y.Skip("the last call was hung up, maybe because the application ended")
		case c.Hangup != nil && renewed(c.Hangup):
			y.Skip("a call was hung up when the application was started anew")
		case c.Hangup != nil:
			y.Fail(want, "it hung up after "+trail.Span(c.Hangup.Hangup.After), c.Entry.Seq, c.Hangup.Seq)
		case held < longestTimeout || t.Meta.Clock != "real" || t.Stubbed(tape.KindHangup):
		case t.Waited(&t.Entries[len(t.Entries)-1]) > c.Ended+int64(time.Second):
			y.Fail(want, "it waited for "+trail.Span(held), c.Entry.Seq)
		}
	}
	return y.Exercised()
}

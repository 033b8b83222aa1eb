package trail

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// MayHaveActed says whether the service may have done what a call asked for: it was
// served, or neither side knows that it was not.
func (c *Call) MayHaveActed() bool {
	return c.Lost || c.Exchange.Response.Status < 400 || c.Exchange.Response.Status >= 500
}

// Intent says who is to pay what by a call, and under which reference.
func Intent(c *Call) (about, reference string) {
	b := c.Sent()
	payer := ""
	for _, name := range []string{"registrationId", "contactNumber", "emailAddress"} {
		if payer = b.Text(name); payer != "" {
			break
		}
	}
	where := ""
	if OperationOf(c.Exchange).Refunds {
		where = c.Exchange.Path + "?" + c.Exchange.Query
	}
	about = strings.ToLower(c.Exchange.Operation + "\x00" + where + "\x00" + string(Quote(b.Get("amount"))) + "\x00" + payer)
	return about, b.Text("reference")
}

// UnderKey says under which key a call was made.
func UnderKey(key string) string {
	if key == "" {
		return "without a key"
	}
	return "under another key"
}

// Call is one call of the partner API as its caller has seen it.
type Call struct {
	trail    *Trail
	Entry    *tape.Entry
	Exchange *tape.Exchange
	// N is its place among the calls.
	N int
	// Same is equal for calls that are the same but for their key: method,
	// address and body.
	Same string
	// Key is the idempotency key, if any.
	Key string
	// Began and ended are when the call came in and when its caller knew what had
	// come of it, in nanoseconds that the application let pass.
	Began, Ended int64
	// Lost is true when the answer has not reached the caller whole.
	Lost bool
	// Hangup is the entry that says so; nil when the caller did not hang up.
	Hangup *tape.Entry
}

// CallOf reads a call by itself, without what the rest of its tape tells of it.
func CallOf(e *tape.Entry) *Call { return &Call{trail: &Trail{}, Entry: e, Exchange: e.Exchange} }

// Sent is the body of the call, read once for all who ask.
func (c *Call) Sent() Body { return c.trail.Sent(c.Exchange) }

// Answered is the body of the answer.
func (c *Call) Answered() Body { return c.trail.Answered(c.Exchange) }

// About says whether the path or the query names an id.
func (c *Call) About(id string) bool {
	return id != "" && strings.Contains(strings.ToLower(c.Exchange.Path+"?"+c.Exchange.Query), strings.ToLower(id))
}

// Failed says whether a caller may try the call again: it came to nothing for
// want of the service.
func (c *Call) Failed() bool {
	status := c.Exchange.Response.Status
	return c.Lost || status >= 500 || status == 429
}

// Reads says whether the call only looks something up.
func (c *Call) Reads() bool { return c.Exchange.Method == "GET" || c.Exchange.Method == "HEAD" }

// Done says whether the call was served and its caller knows.
func (c *Call) Done() bool { return !c.Lost && Served(c.Exchange) }

// Calls are the calls of the partner API, oldest first, but for those that people
// make by hand beside an application. They are shared, and not to be changed.
func (t *Trail) Calls() []*Call { return Once(t, "calls", t.readCalls) }

// readCalls reads them from the tape.
func (t *Trail) readCalls() []*Call {
	hand := t.ByHand()
	hangups := map[uint64]*tape.Entry{}
	for e := range t.Of(tape.KindHangup) {
		hangups[e.Cause] = e
	}
	var list []*Call
	for e := range t.Of(tape.KindExchange) {
		if len(hand) > 0 && e.Seq == hand[0] {
			hand = hand[1:]
			continue
		}
		c := t.call(e, hangups[e.Seq])
		c.N = len(list)
		list = append(list, c)
	}
	return list
}

func (t *Trail) call(e, hangup *tape.Entry) *Call {
	x := e.Exchange
	_, cut := x.Fault.Effect(effectCut)
	c := &Call{
		trail: t, Entry: e, Exchange: x, Began: t.Waited(e), Hangup: hangup,
		Same: sameCall(x),
		Lost: x.Response.Status == 0 || cut || hangup != nil,
	}
	c.Key, _ = Header(x.Request.Header, "Idempotency-Key")
	switch {
	case hangup != nil:
		c.Ended = t.Waited(hangup)
	case t.Meta.Clock == "real":
		c.Ended = c.Began + int64(HeldBack(x.Fault))
	default: // what holds an answer back takes wall time
		c.Ended = c.Began
	}
	return c
}

// TokenRefused says whether a call was refused because its token, good once, is no
// longer. Whoever reads that the service is out, or busy, knows nothing of the token.
func (c *Call) TokenRefused() bool {
	status := c.Exchange.Response.Status
	if OperationOf(c.Exchange).Token || status >= 500 || status == 429 {
		return false
	}
	return c.Exchange.Auth == tape.AuthExpired || c.Exchange.Auth == tape.AuthRevoked
}

package check

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// The effects of faults that checks look at, as a fault's label names them.
const (
	effectLatency = "latency"
	effectSlow    = "slow-body"
	effectCut     = "cut-connection"
)

// try is one call of the partner API as its caller has seen it.
type try struct {
	e *tape.Entry
	x *tape.Exchange
	// n is its place among the calls.
	n int
	// same is equal for calls that are the same but for their key: method,
	// address and body.
	same string
	// key is the idempotency key, if any.
	key string
	// began and ended are when the call came in and when its caller knew what had
	// come of it, in nanoseconds that the application let pass.
	began, ended int64
	// lost is true when the answer has not reached the caller whole.
	lost bool
	// hangup is the entry that says so; nil when the caller did not hang up.
	hangup *tape.Entry
}

// failed says whether a caller may try the call again: it came to nothing for
// want of the service.
func (c *try) failed() bool {
	status := c.x.Response.Status
	return c.lost || status >= 500 || status == 429
}

// reads says whether the call only looks something up.
func (c *try) reads() bool { return c.x.Method == "GET" || c.x.Method == "HEAD" }

// done says whether the call was served and its caller knows.
func (c *try) done() bool { return !c.lost && served(c.x) }

// tries are the calls of the partner API, oldest first, but for those that people
// make by hand beside an application. They are shared, and not to be changed.
func (t *Tape) tries() []try { return t.calls() }

// attempted reads them from the tape.
func (t *Tape) attempted() []try {
	hand := t.ByHand()
	hangups := map[uint64]*tape.Entry{}
	for e := range t.of(tape.KindHangup) {
		hangups[e.Cause] = e
	}
	var list []try
	for e := range t.of(tape.KindExchange) {
		if len(hand) > 0 && e.Seq == hand[0] {
			hand = hand[1:]
			continue
		}
		c := t.tryOf(e, hangups[e.Seq])
		c.n = len(list)
		list = append(list, c)
	}
	return list
}

func (t *Tape) tryOf(e, hangup *tape.Entry) try {
	x := e.Exchange
	_, cut := effect(x.Fault, effectCut)
	c := try{
		e: e, x: x, began: t.waited(e), hangup: hangup,
		same: sameCall(x),
		lost: x.Response.Status == 0 || cut || hangup != nil,
	}
	c.key, _ = header(x.Request.Header, "Idempotency-Key")
	switch {
	case hangup != nil:
		c.ended = t.waited(hangup)
	case t.Meta.Clock == "real":
		c.ended = c.began + int64(heldBack(x.Fault))
	default: // what holds an answer back takes wall time
		c.ended = c.began
	}
	return c
}

// heldBack is how long a fault has held an answer back.
func heldBack(label string) time.Duration {
	var sum time.Duration
	for _, name := range []string{effectLatency, effectSlow} {
		text, _ := effect(label, name)
		if d, err := time.ParseDuration(text); err == nil {
			sum += d
		}
	}
	return sum
}

// effect finds an effect in a fault's label, such as "f1: status=503; latency=2s".
func effect(label, name string) (value string, ok bool) {
	_, effects, _ := strings.Cut(label, ": ")
	for part := range strings.SplitSeq(effects, "; ") {
		if found, v, _ := strings.Cut(part, "="); found == name {
			return v, true
		}
	}
	return "", false
}

// What has to come after a call before it counts that something did not follow.
const (
	enoughCalls = 4
	enoughTime  = int64(10 * time.Second)
)

// settled says whether so much has come after a call, and after its caller knew
// what had come of it, that what was not done about it until now will not be done.
func (t *Tape) settled(list []try, n int) bool {
	later := list[n+1:]
	first := sort.Search(len(later), func(i int) bool { return later[i].began >= list[n].ended })
	calls := 0
	for i := first; i < len(later) && calls < enoughCalls; i++ {
		if c := &later[i]; !tokenCall(c.x.Operation) && !c.turnedAway() { // a new token is how to go on
			calls++
		}
	}
	if calls >= enoughCalls {
		return true
	}
	if len(t.Entries) == 0 || !t.keepsTime() {
		return false
	}
	return t.waited(&t.Entries[len(t.Entries)-1])-list[n].ended >= enoughTime
}

// unheard says whether it is not known when the caller heard what had come of a
// call: the answer was held back under a clock that does not show for how long.
func (t *Tape) unheard(c *try) bool {
	return c.hangup == nil && t.Meta.Clock != "real" && heldBack(c.x.Fault) > 0
}

// offences collects what breaks a clause in one way, to be told once.
type offences struct {
	n       int
	first   string
	entries []uint64
}

// add notes one more.
func (o *offences) add(received string, entries ...uint64) {
	if o.n++; o.n == 1 {
		o.first = received
	}
	if len(o.entries) < verdict.MaxEvidence {
		o.entries = append(o.entries, entries...)
	}
}

// fail tells of all of them in one verdict.
func (o *offences) fail(y *verdict.Tally, expected, hint string) {
	if o.n == 0 {
		return
	}
	received := o.first
	if o.n > 1 {
		received += ", and " + strconv.Itoa(o.n-1) + " more of the kind"
	}
	y.Fail(expected, received, hint, o.entries...)
}

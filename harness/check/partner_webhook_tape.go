package check

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// forgeries are the delivery profiles whose deliveries are not genuine.
var forgeries = []string{"altered-byte", "altered-signature", "missing-signature", "wrong-secret", "empty-secret", "stale-signature"}

// hook is one attempt to deliver and the event that it is about, nil when that
// is not on the tape.
type hook struct {
	*tape.Attempt
	entry, event *tape.Entry
}

// hooks are the attempts of the tape, in its order.
func (t *Tape) hooks() []hook {
	events := map[string]*tape.Entry{}
	for e := range t.of(tape.KindEvent) {
		events[e.Event.ID] = e
	}
	var list []hook
	for e := range t.of(tape.KindAttempt) {
		list = append(list, hook{e.Attempt, e, events[e.Attempt.Event]})
	}
	return list
}

// about is the resource that was told about, "" when that is not known.
func (h *hook) about() string {
	if h.event == nil {
		return ""
	}
	return strings.ToLower(main(h.event))
}

// says is the status that the event tells.
func (h *hook) says() string {
	if h.event == nil {
		return ""
	}
	return read(h.event.Event.Body).object("Data").text("Status")
}

// genuine says whether the delivery is what the service signs: a receiver may
// accept it.
func (h *hook) genuine() bool { return !spoilt(h.Attempt, forgeries...) }

// trusted says whether a genuine delivery was taken.
func (h *hook) trusted() bool { return h.genuine() && succeeded(h.Attempt) }

// telling says whether a genuine delivery was taken that says what has happened:
// under a name that the application knows, and with the moment at which it did.
func (h *hook) telling() bool {
	return h.trusted() && !spoilt(h.Attempt, "unknown-event", "stale-timestamp")
}

// signed says whether the delivery carries a signature: without one the endpoint
// has no secret, or the signature was left out on purpose.
func (h *hook) signed() bool {
	_, ok := header(h.Header, signatureHeader)
	return ok
}

// away says whether nobody was there who could judge the delivery: no answer, a
// gateway's answer, or the wish to come later.
func (h *hook) away() bool {
	switch h.Status {
	case 0, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	default:
		return false
	}
}

// refused says whether the receiver has answered that it does not want it.
func (h *hook) refused() bool { return !succeeded(h.Attempt) && !h.away() }

// takers are the endpoints that have taken anything genuine. What was dropped
// counts in their favour.
func (t *Tape) takers(hooks []hook) func(endpoint string) bool {
	took := map[string]bool{}
	for i := range hooks {
		if hooks[i].trusted() {
			took[hooks[i].Endpoint] = true
		}
	}
	return func(endpoint string) bool { return took[endpoint] || t.cut(tape.KindAttempt) }
}

// unsure is fail where the tape shows everything that could explain what was
// seen, and an open question where a part of it is missing.
func (t *Tape) unsure(y *verdict.Tally, expected, received, hint string, entries ...uint64) {
	if t.Meta.Dropped > 0 || t.stubbed(tape.KindExchange, tape.KindControl, tape.KindAttempt, tape.KindTransition, tape.KindEvent) {
		y.Open(received+", and what may explain it is not on the tape", entries...)
		return
	}
	y.Fail(expected, received, hint, entries...)
}

// enough is how many further calls show that an application has gone on.
const enough = 10

// wentOn says whether the application has had the time, or has made so many
// calls after an entry, that what has not happened by then does not happen.
func (t *Tape) wentOn(since *tape.Entry, d time.Duration) bool {
	if len(t.Entries) == 0 {
		return false
	}
	if t.waited(&t.Entries[len(t.Entries)-1])-t.waited(since) >= int64(d) {
		return true
	}
	calls := 0
	for e := range t.exchanges() {
		if e.Seq > since.Seq {
			calls++
		}
	}
	return calls >= enough
}

// probe is what an application's state probe has answered about payments.
type probe struct {
	entry *tape.Entry
	by    map[string]effects
	// calm is from when on no call of the application was failing, held back or put
	// off: what it does because of an event waits for that.
	calm int64
}

// effects count how often an application has fulfilled a payment, and taken
// that back.
type effects struct{ fulfilled, reversed int }

// text writes the counts for people.
func (e effects) text() string {
	return often("fulfilled", e.fulfilled) + ", " + often("reversed", e.reversed)
}

// often writes how often something was done.
func often(what string, n int) string {
	switch n {
	case 0:
		return "never " + what
	case 1:
		return what + " once"
	case 2:
		return what + " twice"
	default:
		return what + " " + strconv.Itoa(n) + " times"
	}
}

// worked says whether the probe has asked late enough after an entry for the
// application to have done its work: one that answers at once works later.
func (t *Tape) worked(p *probe, since *tape.Entry) bool {
	const work = int64(300 * time.Millisecond)
	return t.Meta.Clock != "real" || t.waited(p.entry)-max(t.waited(since), p.calm) >= work
}

// reached says whether a delivery may have come before the application answered
// the probe: an attempt is put on the tape when it is over.
func (t *Tape) reached(h *hook, p *probe) bool {
	switch {
	case h.entry.Seq < p.entry.Seq:
		return true
	case h.entry.Cause == 0 || h.entry.Cause > p.entry.Seq:
		return false
	default:
		return t.Meta.Clock != "real" || t.waited(h.entry)-h.Took-int64(followLead) <= t.waited(p.entry)
	}
}

// probes are the answers of the state probe, oldest first.
func (t *Tape) probes() []probe {
	type answer struct {
		Payments []struct {
			ID        string `json:"paymentRequestId"`
			Fulfilled int    `json:"fulfilled"`
			Reversed  int    `json:"reversed"`
		} `json:"payments"`
	}
	var list []probe
	tries, n, calm := t.tries(), 0, int64(math.MinInt64/2)
	for e, a := range notes[answer](t, NoteState) {
		for ; n < len(tries) && tries[n].e.Seq < e.Seq; n++ {
			if c := &tries[n]; c.failed() || heldBack(c.x.Fault) > 0 {
				calm = max(calm, c.ended+retryAfter(c.x))
			}
		}
		p := probe{entry: e, by: map[string]effects{}, calm: calm}
		for _, m := range a.Payments {
			p.by[strings.ToLower(m.ID)] = effects{m.Fulfilled, m.Reversed}
		}
		list = append(list, p)
	}
	return list
}

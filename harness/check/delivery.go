package check

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// retryWaits are the waits between the attempts of one delivery. Latitude,
// retries.
var retryWaits = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// longestWait caps what a receiver asks for in Retry-After.
const longestWait = 24 * time.Hour

// deliveryChecks are the checks on deliveries.
func deliveryChecks() []Check {
	return []Check{
		{ID: "delivery.signed", Title: "Every delivery is signed over its exact bytes", Clauses: []string{"event.signature"}, Run: signed},
		{ID: "delivery.bytes", Title: "Every delivery sends the bytes of its event", Clauses: []string{"event.signature"}, Run: delivered},
		{
			ID: "delivery.retry", Title: "Failed deliveries are tried again by the schedule, and the others are not",
			Clauses: []string{"event.delivery.retry", "event.delivery.gone"}, Run: retried,
		},
		{
			ID: "delivery.order", Title: "The events about one resource arrive in the order in which they happened",
			Clauses: []string{"event.delivery.order"}, Run: ordered,
		},
	}
}

// succeeded says whether a receiver took a delivery.
func succeeded(a *tape.Attempt) bool { return a.Status >= 200 && a.Status < 300 }

// retried follows each delivery from attempt to attempt.
func retried(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	last := map[string]*tape.Entry{}
	off := map[string]bool{}
	for i := range t.Entries {
		e := &t.Entries[i]
		switch {
		case e.Transition != nil && e.Transition.Machine == "webhook endpoint":
			off[e.Transition.Entity] = e.Transition.To == "Disabled"
		case e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Method == http.MethodDelete && served(e.Exchange):
			off[main(e)] = true
		case e.Attempt != nil:
			before := last[e.Attempt.Delivery]
			last[e.Attempt.Delivery] = e
			if spoilt(e.Attempt, "parallel-duplicate") {
				y.Skip("a delivery that goes out twice at the same moment on purpose")
				continue
			}
			if t.begins(&y, before, e) && t.goesOn(&y, e, off[e.Attempt.Endpoint]) {
				y.Holds(e.Seq)
			}
		}
	}
	return y.Judgements("no delivery")
}

// begins judges when an attempt was made: the first at once, the others when the
// one before has said.
func (t *Tape) begins(y *verdict.Tally, before, e *tape.Entry) bool {
	const hint = "wait as the schedule says: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h"
	a := e.Attempt
	switch {
	case before == nil && a.Number == 1:
		return true
	case before == nil && t.cut(tape.KindAttempt):
		y.Open("the attempts before this one are not on the tape", e.Seq)
	case before == nil:
		y.Breach("event.delivery.retry", "attempt 1 of the delivery "+a.Delivery, "attempt "+strconv.Itoa(a.Number), hint, e.Seq)
	case a.Number != before.Attempt.Number+1 && t.stubs[tape.KindAttempt]:
		y.Open("an attempt between these is not on the tape", before.Seq, e.Seq)
	case a.Number != before.Attempt.Number+1:
		y.Breach("event.delivery.retry", "attempt "+strconv.Itoa(before.Attempt.Number+1), "attempt "+strconv.Itoa(a.Number), hint, before.Seq, e.Seq)
	case before.Attempt.Next == 0:
		y.Breach("event.delivery.retry", "no further attempt: "+before.Attempt.Reason, "attempt "+strconv.Itoa(a.Number), hint, before.Seq, e.Seq)
	case e.At < before.Attempt.Next:
		y.Breach("event.delivery.retry", "attempt "+strconv.Itoa(a.Number)+" not before "+clock(before.Attempt.Next), clock(e.At), hint, before.Seq, e.Seq)
	default:
		return true
	}
	return false
}

// goesOn judges what follows from an attempt's answer.
func (t *Tape) goesOn(y *verdict.Tally, e *tape.Entry, off bool) bool {
	a := e.Attempt
	limit := len(retryWaits) + 1
	if t.chose("retries") != "" {
		limit = 1
	}
	why := ""
	switch {
	case a.Number > limit && !spoilt(a, "duplicate"):
		why = "attempt " + strconv.Itoa(a.Number) + " of " + strconv.Itoa(limit)
	case a.Next != 0:
		why = t.tooMuch(e, limit)
	case a.Status == http.StatusGone && !off:
		return t.disables(y, e)
	default:
		why = t.tooLittle(a, limit, off)
	}
	if why != "" {
		y.Breach(retryClause(a), "2xx and 410 end a delivery, else up to "+strconv.Itoa(limit)+" attempts", why, "see the retry schedule of webhooks", e.Seq)
		return false
	}
	return a.Next == 0 || succeeded(a) || isPlanned(y, e)
}

// retryClause is the clause about what follows an attempt.
func retryClause(a *tape.Attempt) string {
	if a.Status == http.StatusGone {
		return "event.delivery.gone"
	}
	return "event.delivery.retry"
}

// tooMuch says why an attempt should not be followed by another one, "" when it
// should.
func (t *Tape) tooMuch(e *tape.Entry, limit int) string {
	a := e.Attempt
	again := "a further attempt at " + clock(a.Next) + " after "
	switch {
	case succeeded(a) && !t.doubled(e), a.Status == http.StatusGone:
		return again + "status " + strconv.Itoa(a.Status)
	case !succeeded(a) && a.Number >= limit:
		return again + "attempt " + strconv.Itoa(a.Number)
	}
	return ""
}

// tooLittle says why an attempt should have been followed by another one, ""
// when it should not, or nobody can know.
func (t *Tape) tooLittle(a *tape.Attempt, limit int, off bool) string {
	over := off || succeeded(a) || a.Number >= limit || spoilt(a, "duplicate")
	if over || t.cut(tape.KindTransition, tape.KindControl) {
		return ""
	}
	return "no further attempt after attempt " + strconv.Itoa(a.Number)
}

// doubled says whether a delivery that succeeded goes out again on purpose.
func (t *Tape) doubled(e *tape.Entry) bool {
	a := e.Attempt
	return a.Next == e.At && (strings.Contains(a.Reason, "profile duplicate") || t.Meta.Latitude["event-order"] == "duplicated")
}

// waits compares the time of the next attempt with the schedule, or with what
// the receiver asks for.
func isPlanned(y *verdict.Tally, e *tape.Entry) bool {
	a := e.Attempt
	want, got := retryWaits[a.Number-1], time.Duration(a.Next-e.At)
	if asked, ok := header(a.ResponseHeader, "Retry-After"); ok {
		want = wished(asked, e.At, want)
	}
	if got != want {
		y.Breach("event.delivery.retry", "attempt "+strconv.Itoa(a.Number+1)+" after "+want.String(), "after "+got.String(), "see the retry schedule of webhooks", e.Seq)
		return false
	}
	return true
}

// wished reads a Retry-After as a wait; what cannot be read leaves the schedule.
func wished(value string, now int64, scheduled time.Duration) time.Duration {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
		return time.Duration(min(n, int64(longestWait/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(time.Unix(0, now)), 0), longestWait)
	}
	return scheduled
}

// disables expects the endpoint of an attempt that was answered with 410 to be
// switched off by it.
func (t *Tape) disables(y *verdict.Tally, e *tape.Entry) bool {
	for m := range t.of(tape.KindTransition) {
		if m.Transition.Entity == e.Attempt.Endpoint && m.Transition.To == "Disabled" && m.At <= e.At {
			return true
		}
		if m.Transition.Entity == e.Attempt.Endpoint && m.Cause == e.Seq {
			return true
		}
	}
	if t.cut(tape.KindTransition) {
		y.Open("whether the endpoint was disabled is not on the tape", e.Seq)
		return false
	}
	y.Breach("event.delivery.gone", "410 disables the endpoint", "the endpoint "+e.Attempt.Endpoint+" stays enabled", "stop delivering to a receiver that has gone", e.Seq)
	return false
}

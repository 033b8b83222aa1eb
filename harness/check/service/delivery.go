package service

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
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

// deliveryRetries follows each delivery from attempt to attempt.
func deliveryRetries(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	last := map[string]*tape.Entry{}
	off := map[string]bool{}
	for i := range t.Entries {
		e := &t.Entries[i]
		switch {
		case e.Transition != nil && e.Transition.Machine == "webhook endpoint":
			off[e.Transition.Entity] = e.Transition.To == "Disabled"
		case e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Method == http.MethodDelete && trail.Served(e.Exchange):
			off[trail.Subject(e)] = true
		case e.Attempt != nil:
			before := last[e.Attempt.Delivery]
			last[e.Attempt.Delivery] = e
			if trail.Spoilt(e.Attempt, "parallel-duplicate") {
				y.Skip("a delivery that goes out twice at the same moment on purpose")
				continue
			}
			if begins(t, &y, before, e) && goesOn(t, &y, e, off[e.Attempt.Endpoint]) {
				y.Holds(e.Seq)
			}
		}
	}
	return y.Judgements("no delivery")
}

// begins judges when an attempt was made: the first at once, the others when the
// one before has said.
func begins(t *trail.Trail, y *verdict.Tally, before, e *tape.Entry) bool {
	a := e.Attempt
	switch {
	case before == nil && a.Number == 1:
		return true
	case before == nil && t.Cut(tape.KindAttempt):
		y.Open("the attempts before this one are not on the tape", e.Seq)
	case before == nil:
		y.Breach("event.delivery.retry", "attempt 1 of the delivery "+a.Delivery, "attempt "+strconv.Itoa(a.Number), "", e.Seq)
	case a.Number != before.Attempt.Number+1 && t.Stubbed(tape.KindAttempt):
		y.Open("an attempt between these is not on the tape", before.Seq, e.Seq)
	case a.Number != before.Attempt.Number+1:
		y.Breach("event.delivery.retry", "attempt "+strconv.Itoa(before.Attempt.Number+1), "attempt "+strconv.Itoa(a.Number), "", before.Seq, e.Seq)
	case before.Attempt.Next == 0:
		y.Breach("event.delivery.retry", "no further attempt: "+before.Attempt.Reason, "attempt "+strconv.Itoa(a.Number), "", before.Seq, e.Seq)
	case e.At < before.Attempt.Next:
		y.Breach("event.delivery.retry", "attempt "+strconv.Itoa(a.Number)+" not before "+trail.Moment(before.Attempt.Next), trail.Moment(e.At), "", before.Seq, e.Seq)
	default:
		return true
	}
	return false
}

// goesOn judges what follows from an attempt's answer.
func goesOn(t *trail.Trail, y *verdict.Tally, e *tape.Entry, off bool) bool {
	a := e.Attempt
	limit := len(retryWaits) + 1
	if t.Chose("retries") != "" {
		limit = 1
	}
	why := ""
	switch {
	case a.Number > limit && !trail.Spoilt(a, "duplicate"):
		why = "attempt " + strconv.Itoa(a.Number) + " of " + strconv.Itoa(limit)
	case a.Next != 0:
		why = tooMuch(t, e, limit)
	case a.Status == http.StatusGone && !off:
		return disables(t, y, e)
	default:
		why = tooLittle(t, a, limit, off)
	}
	if why != "" {
		y.Breach(retryClause(a), "2xx and 410 end a delivery, else up to "+strconv.Itoa(limit)+" attempts", why, "schedule", e.Seq)
		return false
	}
	return a.Next == 0 || trail.Accepted(a) || isPlanned(y, e)
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
func tooMuch(t *trail.Trail, e *tape.Entry, limit int) string {
	a := e.Attempt
	again := "a further attempt at " + trail.Moment(a.Next) + " after "
	switch {
	case trail.Accepted(a) && !doubled(t, e), a.Status == http.StatusGone:
		return again + "status " + strconv.Itoa(a.Status)
	case !trail.Accepted(a) && a.Number >= limit:
		return again + "attempt " + strconv.Itoa(a.Number)
	}
	return ""
}

// tooLittle says why an attempt should have been followed by another one, ""
// when it should not, or nobody can know.
func tooLittle(t *trail.Trail, a *tape.Attempt, limit int, off bool) string {
	over := off || trail.Accepted(a) || a.Number >= limit || trail.Spoilt(a, "duplicate")
	if over || t.Cut(tape.KindTransition, tape.KindControl) {
		return ""
	}
	return "no further attempt after attempt " + strconv.Itoa(a.Number)
}

// doubled says whether a delivery that succeeded goes out again on purpose: the
// attempt that follows says so, if it is on the tape.
func doubled(t *trail.Trail, e *tape.Entry) bool {
	a := e.Attempt
	if a.Next != e.At || t.Meta.Latitude["event-order"] == "duplicated" {
		return a.Next == e.At
	}
	for i := range t.Entries {
		if next := t.Entries[i].Attempt; next != nil && t.Entries[i].Seq > e.Seq && next.Delivery == a.Delivery {
			return trail.Spoilt(next, "duplicate")
		}
	}
	return true
}

// isPlanned compares the time of the next attempt with the schedule, and with what the
// receiver asks for: who is asked for less patience than the schedule has may come by either.
func isPlanned(y *verdict.Tally, e *tape.Entry) bool {
	a := e.Attempt
	scheduled, got := retryWaits[a.Number-1], time.Duration(a.Next-e.At)
	want := scheduled
	if asked, ok := trail.Header(a.ResponseHeader, "Retry-After"); ok {
		want = wished(asked, receiverTime(e), scheduled)
	}
	if got != want && got != max(want, scheduled) {
		y.Breach("event.delivery.retry", "attempt "+strconv.Itoa(a.Number+1)+" after "+max(want, scheduled).String(), "after "+got.String(), "schedule", e.Seq)
		return false
	}
	return true
}

// receiverTime is when a receiver answered: by its own word, or else in virtual time.
func receiverTime(e *tape.Entry) time.Time {
	if date, ok := trail.Header(e.Attempt.ResponseHeader, "Date"); ok {
		if at, err := http.ParseTime(date); err == nil {
			return at
		}
	}
	return time.Unix(0, e.At)
}

// wished reads a Retry-After as a wait; what cannot be read leaves the schedule.
func wished(value string, now time.Time, scheduled time.Duration) time.Duration {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return time.Duration(min(n, int64(longestWait/time.Second))) * time.Second
		}
		return longestWait
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), longestWait)
	}
	return scheduled
}

// disables expects the endpoint of an attempt that was answered with 410 to be
// switched off by it.
func disables(t *trail.Trail, y *verdict.Tally, e *tape.Entry) bool {
	for m := range t.Of(tape.KindTransition) {
		if m.Transition.Entity == e.Attempt.Endpoint && m.Transition.To == "Disabled" && m.At <= e.At {
			return true
		}
		if m.Transition.Entity == e.Attempt.Endpoint && m.Cause == e.Seq {
			return true
		}
	}
	if t.Cut(tape.KindTransition) {
		y.Open("whether the endpoint was disabled is not on the tape", e.Seq)
		return false
	}
	y.Breach("event.delivery.gone", "410 disables the endpoint", "the endpoint "+e.Attempt.Endpoint+" stays enabled", "gone", e.Seq)
	return false
}

package delivery

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// retryWaits are the waits after each failed attempt but the last. Latitude,
// retries.
var retryWaits = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// maxRetryAfter caps what a receiver may ask for.
const maxRetryAfter = 24 * time.Hour

// statusGone is the answer by which a receiver takes itself off.
const statusGone = 410

// AttemptResult is what became of one attempt.
type AttemptResult struct {
	// Status is the receiver's HTTP status, 0 when none came.
	Status int
	// RetryAfter is the value of the header, "" when there was none.
	RetryAfter string
	// Date is the value of the header, "" when there was none: a receiver that asks to wait
	// until a time tells the wall's, which the virtual time may be far from.
	Date string
	// Error says why no answer came.
	Error string
}

// String is the result in words.
func (r *AttemptResult) String() string {
	switch {
	case r.Status != 0:
		return "status " + strconv.Itoa(r.Status)
	case r.Error != "":
		return r.Error
	default:
		return "no answer"
	}
}

// AttemptOutcome is what follows from an attempt.
type AttemptOutcome struct {
	// Done is true when nothing follows from it: the event was delivered or given
	// up, or another attempt, made at the same moment, decides.
	Done bool
	// Next is when the delivery goes out again, in nanoseconds since 1970 UTC of
	// virtual time; 0 when Done.
	Next int64
	// Reason says in words why there is a next attempt, or none.
	Reason string
}

// attempts is how often a delivery is tried.
func (l *Ledger) attempts() int {
	if l.is(latitude.RetriesNone) {
		return 1
	}
	return len(retryWaits) + 1
}

// Attempted is the input that tells what became of an attempt asked for by the
// effect SendDelivery. Of two attempts at the same moment the one that is told
// last decides what follows. An unknown delivery, also one whose endpoint has
// been removed, is NotFound; one without an attempt under way IllegalTransition.
func (l *Ledger) Attempted(id uuid.UUID, r AttemptResult) (AttemptOutcome, error) {
	n := l.index[id]
	if n == 0 {
		return AttemptOutcome{}, kernel.NoSuch("pending delivery", id.String())
	}
	d := l.delivery(n)
	if !d.underWay() {
		return AttemptOutcome{}, DeliveryMachine.Refusal(id, d.state, arrive)
	}
	d.attempts++
	if d.state == inFlightTwice {
		return l.judgeFirst(n, &r), nil
	}
	d.applied = 0
	return l.judge(n, &r), nil
}

// judgeFirst notes the outcome of the first of two attempts that were made at
// the same moment.
func (l *Ledger) judgeFirst(n uint32, r *AttemptResult) AttemptOutcome {
	d := l.delivery(n)
	if r.success() {
		d.step(firstArrives)
		return AttemptOutcome{Done: true, Reason: "delivered: " + r.String() + "; the other attempt of the same moment is under way"}
	}
	d.step(firstFails)
	if r.Status == statusGone && l.endpoint(d.endpoint).state == Enabled {
		return AttemptOutcome{Done: true, Reason: l.gone(d.endpoint)}
	}
	return AttemptOutcome{Done: true, Reason: r.String() + "; the other attempt of the same moment decides what follows"}
}

// success says whether the receiver took the event.
func (r *AttemptResult) success() bool { return r.Status >= 200 && r.Status < 300 }

// judge decides what follows from an attempt.
func (l *Ledger) judge(n uint32, r *AttemptResult) AttemptOutcome {
	d := l.delivery(n)
	e := l.endpoint(d.endpoint)
	success := r.success() || d.state == halfDelivered
	switch {
	case r.Status == statusGone && e.state == Enabled:
		return l.finish(n, giveUp, l.gone(d.endpoint))
	case d.state == repeated:
		return l.finish(n, endRepetition, "delivered before; the second time: "+r.String())
	case success && d.shape.Has(Duplicate) && !d.outOfLine && e.state == Enabled:
		d.step(repeat)
		d.applied, d.due = Duplicate, l.core.Now()
		l.core.Effect(kernel.Effect{Kind: kernel.SendDelivery, ID: d.id})
		return AttemptOutcome{Next: d.due, Reason: "delivered: " + r.String() + "; goes out again by profile duplicate"}
	case r.success():
		return l.finish(n, arrive, "delivered: "+r.String())
	case success:
		return l.finish(n, arrive, "delivered by the other attempt of the same moment; this one: "+r.String())
	case e.state == Disabled:
		return l.finish(n, giveUp, "given up: "+r.String()+", and the endpoint is disabled")
	default:
		return l.retry(n, r)
	}
}

// retry sets the next attempt, or gives up.
func (l *Ledger) retry(n uint32, r *AttemptResult) AttemptOutcome {
	d := l.delivery(n)
	limit := l.attempts()
	if int(d.attempts) >= limit {
		return l.finish(n, giveUp, "given up after "+kernel.Plural(int(d.attempts), "attempt")+": "+r.String())
	}
	wait, why := retryWaits[d.attempts-1], "by schedule"
	if after := retryAfter(r.RetryAfter, l.answered(r)); after > wait { // it may ask for patience, not for a storm
		wait, why = after, "as Retry-After asks"
	}
	d.due = l.core.Now() + int64(wait)
	due := d.due
	reason := r.String() + "; attempt " + strconv.Itoa(int(d.attempts)+1) + " of " + strconv.Itoa(limit) + " after " + wait.String() + ", " + why
	d.step(fail)
	l.launch(n)
	return AttemptOutcome{Next: due, Reason: reason}
}

// gone disables an endpoint, gives up all that waits for it and tells so.
func (l *Ledger) gone(endpoint uint32) string {
	if err := l.move(endpoint, "disable", "the receiver answered 410"); err != nil {
		panic("delivery: " + err.Error())
	}
	reason := "status 410 disabled the endpoint"
	if waiting := l.abandon(endpoint, false); waiting > 0 {
		reason += "; waiting deliveries given up with it: " + strconv.Itoa(waiting)
	}
	return reason
}

// answered is when the receiver answered: by its own word, or else in virtual time.
func (l *Ledger) answered(r *AttemptResult) time.Time {
	if at, ok := httpDate(r.Date); ok {
		return at
	}
	return time.Unix(0, l.core.Now()).UTC()
}

// retryAfter reads the header in its two forms, seconds or an HTTP date, as a
// wait from now on; what lies behind or cannot be read is no wait, and a day is
// the most.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > math.MaxInt64/int64(time.Second) {
			return maxRetryAfter
		}
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if at, ok := httpDate(value); ok {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}

// httpDate reads a date in the forms that HTTP has.
func httpDate(value string) (time.Time, bool) {
	for _, layout := range [...]string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		if at, err := time.Parse(layout, strings.TrimSpace(value)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

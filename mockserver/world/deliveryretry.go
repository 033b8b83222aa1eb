package world

import (
	"math"
	"strconv"
	"strings"
	"time"

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
	// Error says why no answer came.
	Error string
}

// told is the result in words.
func (r *AttemptResult) told() string {
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
func (w *World) attempts() int {
	if w.is(latitude.RetriesNone) {
		return 1
	}
	return len(retryWaits) + 1
}

// judgeFirst notes the outcome of the first of two attempts that were made at
// the same moment.
func (w *World) judgeFirst(n uint32, r *AttemptResult) AttemptOutcome {
	d := w.webhooks.delivery(n)
	switch {
	case r.Status == statusGone && w.webhooks.endpoint(d.endpoint).state == EndpointEnabled:
		return w.gone(n)
	case r.success():
		d.landed = true
		return AttemptOutcome{Done: true, Reason: "delivered: " + r.told() + "; the other attempt of the same moment is under way"}
	default:
		return AttemptOutcome{Done: true, Reason: r.told() + "; the other attempt of the same moment decides what follows"}
	}
}

// success says whether the receiver took the event.
func (r *AttemptResult) success() bool { return r.Status >= 200 && r.Status < 300 }

// judge decides what follows from an attempt.
func (w *World) judge(n uint32, r *AttemptResult) AttemptOutcome {
	d := w.webhooks.delivery(n)
	e := w.webhooks.endpoint(d.endpoint)
	success := r.success() || d.landed
	switch {
	case r.Status == statusGone && e.state == EndpointEnabled:
		return w.gone(n)
	case d.again:
		return w.finish(n, "delivered before; the second time: "+r.told())
	case success && d.shape.has(profileDuplicate) && !d.resent && e.state == EndpointEnabled:
		d.again, d.applied, d.due = true, profileDuplicate, w.core.Now()
		w.launch(n)
		return AttemptOutcome{Next: w.core.Now(), Reason: "delivered: " + r.told() + "; goes out again by profile duplicate"}
	case r.success():
		return w.finish(n, "delivered: "+r.told())
	case success:
		return w.finish(n, "delivered by the other attempt of the same moment; this one: "+r.told())
	case e.state == EndpointDisabled:
		return w.finish(n, "given up: "+r.told()+", and the endpoint is disabled")
	default:
		return w.retry(n, r)
	}
}

// retry sets the next attempt, or gives up.
func (w *World) retry(n uint32, r *AttemptResult) AttemptOutcome {
	d := w.webhooks.delivery(n)
	limit := w.attempts()
	if int(d.attempts) >= limit {
		return w.finish(n, "given up after "+kernel.Plural(int(d.attempts), "attempt")+": "+r.told())
	}
	wait, why := retryWaits[d.attempts-1], "by schedule"
	if after, ok := retryAfter(r.RetryAfter, w.Now()); ok {
		wait, why = after, "as Retry-After asks"
	}
	d.due = w.core.Now() + int64(wait)
	due := d.due
	reason := r.told() + "; attempt " + strconv.Itoa(int(d.attempts)+1) + " of " + strconv.Itoa(limit) + " after " + wait.String() + ", " + why
	w.launch(n)
	return AttemptOutcome{Next: due, Reason: reason}
}

// gone disables the endpoint and gives up all that waits for it.
func (w *World) gone(n uint32) AttemptOutcome {
	d := w.webhooks.delivery(n)
	at := d.endpoint
	if err := w.moveEndpoint(at, "disable", "the receiver answered 410"); err != nil {
		panic("world: " + err.Error())
	}
	waiting := w.webhooks.abandon(at, false)
	reason := "status 410 disabled the endpoint"
	if waiting > 0 {
		reason += "; waiting deliveries given up with it: " + strconv.Itoa(waiting)
	}
	if d.flying > 0 {
		return AttemptOutcome{Done: true, Reason: reason}
	}
	return w.finish(n, reason)
}

// retryAfter reads the header in its two forms, seconds or an HTTP date, as a
// wait from now on; what lies behind is no wait, and a day is the most.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if allDigits(value) {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > math.MaxInt64/int64(time.Second) {
			return maxRetryAfter, true
		}
		return min(time.Duration(seconds)*time.Second, maxRetryAfter), true
	}
	for _, layout := range [...]string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		if at, err := time.Parse(layout, value); err == nil {
			return min(max(at.Sub(now), 0), maxRetryAfter), true
		}
	}
	return 0, false
}

package app

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// How a call is repeated.
const (
	// firstPause is the middle of the first pause; each further one is twice as
	// long.
	firstPause = 100 * time.Millisecond
	// spread is by how much a pause can be shorter or longer. It is small enough
	// for pauses always to grow.
	spread = 0.25
	// maxRetryAfter is the longest wait that a caller is made to suffer.
	maxRetryAfter = time.Minute
)

// pauseAfter decides whether a call that failed is made again, and after which
// pause. What was refused with 4xx is not: it would be refused again.
func (a *App) pauseAfter(got answer, err error, try int, r request) (time.Duration, bool) {
	busy := got.status == http.StatusTooManyRequests || got.status >= http.StatusInternalServerError
	if err == nil && !busy || r.once || try >= a.policy.attempts {
		return 0, false
	}
	pause := a.policy.backoff(try)
	if wait := a.retryAfter(got.header); err == nil && wait > pause {
		return wait, wait <= maxRetryAfter
	}
	return pause, true
}

// backoff is the pause after so many attempts: it doubles, and chance spreads
// callers that failed at the same moment.
func (a *App) backoff(try int) time.Duration {
	middle := firstPause << min(try-1, 3)
	return time.Duration(float64(middle) * (1 - spread + 2*spread*a.chance.fraction()))
}

// retryAfter reads the header of that name, seconds or a date; 0 is none.
func (a *App) retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if text == "" {
		return 0
	}
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return at.Sub(a.Now())
}

// repeatUnchanged lets the same request go out again, with the same key and
// reference: a service that honours keys tells what became of the first one.
func repeatUnchanged(context.Context, *request, error, any) (done bool, err error) { return false, nil }

// lookFirst is for services that ignore keys. It looks in the report for a payment
// whose answer was lost, and lets it be asked for again only when it is not there. Of
// other calls that move money the report does not tell, so they are left to people.
func (a *App) lookFirst(ctx context.Context, r *request, lost error, into any) (done bool, err error) {
	if r.key == "" || lost == nil {
		return false, nil
	}
	reference, has := r.body["reference"].(string)
	if !has {
		return true, fmt.Errorf("%w: what became of %s %s is left to people", errNever, r.method, r.path)
	}
	lines, err := a.report(ctx, nil)
	if err != nil {
		return true, fmt.Errorf("%w: %w", errLost, err)
	}
	for _, line := range lines {
		if line.Reference == reference {
			return true, read([]byte(`{"paymentRequestId":"`+line.PaymentRequestID+`"}`), into)
		}
	}
	return false, nil
}

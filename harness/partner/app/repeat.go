package app

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// How a call is repeated.
const (
	// maxAttempts is how often a call is made before the service counts as out.
	maxAttempts = 4
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
	limit := maxAttempts
	if r.attempts > 0 {
		limit = r.attempts
	}
	if a.careless().is("retry.bounded") {
		limit = 25
	}
	busy := got.status == http.StatusTooManyRequests || got.status >= http.StatusInternalServerError
	if err == nil && !busy {
		return firstPause, a.careless().repeatsRefusals() && try == 1 && worthAnother(got, r)
	}
	if try >= limit {
		return 0, false
	}
	pause := a.backoff(try)
	if wait := a.retryAfter(got.header); err == nil && wait > pause {
		return wait, wait <= maxRetryAfter
	}
	return pause, true
}

// worthAnother is what a careless caller thinks of refusals: all but 401, and
// those of a cancellation, might be different the next time.
func worthAnother(got answer, r request) bool {
	return got.status != http.StatusUnauthorized && r.method != http.MethodPut
}

// backoff is the pause after so many attempts: it doubles, and chance spreads
// callers that failed at the same moment.
func (a *App) backoff(try int) time.Duration {
	if a.careless().is("retry.backoff") {
		return 950 * time.Millisecond
	}
	middle := firstPause << min(try-1, 3)
	return time.Duration(float64(middle) * (1 - spread + 2*spread*a.chance.fraction()))
}

// retryAfter reads the header of that name, seconds or a date; 0 is none.
func (a *App) retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if text == "" || a.careless().ignoresRetryAfter() {
		return 0
	}
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return at.Sub(a.now())
}

// patience is how long one attempt may take.
func (a *App) patience() time.Duration {
	if a.careless().is("client.timeout") {
		return 400 * time.Millisecond
	}
	return a.o.Timeout
}

// beforeRepeating is empty in a careful application: the same request goes out
// again, with the same key and reference, and the service tells what became of
// the first one. done ends the call.
func (a *App) beforeRepeating(ctx context.Context, r *request, lost error, into any) (done bool, err error) {
	if r.key == "" {
		return false, nil
	}
	switch c := a.careless(); {
	case c.paysAgainWhenAnswerIsLost() && lost != nil:
		a.asNew(r)
	case c.looksBeforeRepeating():
		return a.lookFirst(ctx, r, lost, into)
	}
	return false, nil
}

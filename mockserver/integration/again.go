package integration

import "context"

// Again marks a request that is played from a tape: what the outside decided
// then (the time, the verdict on the caller) is not decided again.
type Again struct {
	// Integration is where the request is played.
	Integration *Integration
	// At is the recorded virtual time in nanoseconds since 1970 UTC.
	At int64
	// Auth and Token are the recorded verdict and token id.
	Auth, Token string
	// InFlight is true when another call with the same key was at work.
	InFlight bool
}

type againKey struct{}

// WithAgain marks a request's context.
func WithAgain(ctx context.Context, a *Again) context.Context {
	return context.WithValue(ctx, againKey{}, a)
}

// AgainFrom gives the mark of a request, or nil for one that is new.
func AgainFrom(ctx context.Context) *Again {
	a, _ := ctx.Value(againKey{}).(*Again)
	return a
}

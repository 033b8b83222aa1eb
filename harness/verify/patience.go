package verify

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// patience bounds one call to the target.
	patience = 30 * time.Second
	// mostSilent is how many calls in a row may stay without an answer, because it does
	// not come in time or the connection is cut. Tokens and
	// the control API do not count: a service that grants tokens may still hang.
	mostSilent = 10
)

// bounded is a context that also ends when the plan's time is over, or when the
// target does not answer any more; its cause then wraps ErrTarget.
func (p *Plan) bounded(ctx context.Context) (context.Context, *silence, context.CancelFunc) {
	stop := context.CancelFunc(func() {})
	if p.Timeout > 0 {
		ctx, stop = context.WithTimeoutCause(ctx, p.Timeout, fmt.Errorf("%w: the run took longer than %s, the time that it was given", ErrTarget, p.Timeout))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &silence{end: cancel}, func() { cancel(nil); stop() }
}

// silence ends a run whose target does not answer any more.
type silence struct {
	inARow atomic.Int32
	end    context.CancelCauseFunc
}

// heard notes what became of a call.
func (s *silence) heard(req *http.Request, err error) {
	path := strings.ToLower(req.URL.Path)
	if s == nil || strings.Contains(path, controlPath) || strings.HasSuffix(path, "/token") {
		return
	}
	if err == nil {
		s.inARow.Store(0)
		return
	}
	if s.inARow.Add(1) == mostSilent {
		s.end(fmt.Errorf("%w: it has left %d calls in a row without an answer, the last of them %s %s: %w", ErrTarget, mostSilent, req.Method, req.URL.Path, err))
	}
}

package main

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// The balancer asks each sandbox whether it is ready, and takes one that has not answered
// within silence for gone: it may be paused, so that its port listens and nothing comes.
const (
	askEvery = 500 * time.Millisecond
	silence  = 2 * time.Second
)

// errSilent says that a sandbox has stopped answering while a call was under way.
var errSilent = errors.New("the sandbox has fallen silent: nobody knows whether it has done that")

// sandbox is one of those that calls are given to.
type sandbox struct {
	addr string
	mu   sync.Mutex
	gone bool
	// under are the calls under way, and cut ends them.
	under context.Context //nolint:containedctx // It is how long the sandbox answers.
	cut   context.CancelCauseFunc
}

func newSandbox(addr string) *sandbox {
	s := &sandbox{addr: addr}
	s.under, s.cut = context.WithCancelCause(context.Background())
	return s
}

// is notes whether the sandbox is gone. Calls that one has not answered which fell silent end.
func (s *sandbox) is(gone, silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = gone
	if silent {
		s.cut(errSilent)
		s.under, s.cut = context.WithCancelCause(context.Background())
	}
}

// away says whether the sandbox is gone, and gives how long it answers.
func (s *sandbox) away() (bool, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone, s.under
}

// watch asks the sandbox whether it is ready until the context ends.
func (s *sandbox) watch(ctx context.Context) {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		s.is(s.ask(ctx))
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// ask asks once.
func (s *sandbox) ask(ctx context.Context) (gone, silent bool) {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+"/_sandbox/ready", http.NoBody)
	if err != nil {
		return true, false
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return true, errors.Is(err, context.DeadlineExceeded)
	}
	return res.StatusCode != http.StatusOK, res.Body.Close() != nil
}

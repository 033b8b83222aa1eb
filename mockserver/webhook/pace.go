package webhook

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// slowChunks is in how many parts a slow body is sent.
const slowChunks = 4

// errCut ends a body that is to be cut.
var errCut = errors.New("cut on purpose")

// slowBody hands out a body in parts, with a pause before each but the first.
type slowBody struct {
	ctx   context.Context
	rest  []byte
	chunk int
	pause time.Duration
	begun bool
}

func newSlowBody(ctx context.Context, body []byte, over time.Duration) *slowBody {
	return &slowBody{
		ctx: ctx, rest: body, chunk: (len(body) + slowChunks - 1) / slowChunks, pause: over / (slowChunks - 1),
	}
}

// Read implements io.Reader.
func (s *slowBody) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	if s.begun {
		if err := wait(s.ctx, s.pause); err != nil {
			return 0, err
		}
	}
	s.begun = true
	n := copy(p, s.rest[:min(s.chunk, len(s.rest))])
	s.rest = s.rest[n:]
	return n, nil
}

// wait lets time pass, or ends with ctx.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// cutBody hands out a body and then fails, upon which the connection is closed.
// cut says whether it came to that.
type cutBody struct {
	rest []byte
	cut  atomic.Bool
}

// Read implements io.Reader.
func (c *cutBody) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		c.cut.Store(true)
		return 0, errCut
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

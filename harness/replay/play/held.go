package play

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// held is a call that the service has begun to read and cannot finish: its body waits.
// What is called meanwhile is called truly at once with it.
type held struct {
	call     *Call
	step     int
	answered Answered
	body     *gate
	done     chan struct{}
	answer   *http.Response
	err      error
}

// gate is a body that tells when it is asked for, and is given when it may be.
type gate struct {
	io.ReadCloser
	asked, open chan struct{}
	once        sync.Once
}

func (g *gate) Read(p []byte) (int, error) {
	g.once.Do(func() { close(g.asked) })
	<-g.open
	return g.ReadCloser.Read(p)
}

// hold begins a call, and comes back when the service reads its body, or has answered
// without it.
func (p *player) hold(ctx context.Context, c *Call, step int) error {
	operation, _ := p.sandbox.Routes.Match(c.Exchange.Method, c.Exchange.Path)
	h := &held{call: c, step: step, answered: Answered{N: c.N, Operation: operation}, done: make(chan struct{})}
	r, err := p.request(ctx, c, operation)
	if err != nil {
		return err
	}
	h.body = &gate{ReadCloser: r.Body, asked: make(chan struct{}), open: make(chan struct{})}
	r.Body, r.GetBody = h.body, nil
	go func() {
		defer close(h.done)
		h.answer, h.err = p.sandbox.HTTP.Do(r) //nolint:bodyclose // release closes it
	}()
	select {
	case <-h.body.asked:
	case <-h.done:
	}
	p.held = h
	return nil
}

// release lets the call that is held go on, and takes its answer.
func (p *player) release() error {
	h := p.held
	if h == nil {
		return nil
	}
	p.held = nil
	close(h.body.open)
	<-h.done
	if h.err != nil {
		return fmt.Errorf("play call %d: %w", h.call.N+1, h.err)
	}
	if err := p.take(h.call, &h.answered, h.answer); err != nil {
		return fmt.Errorf("play call %d: %w", h.call.N+1, err)
	}
	h.answered.Step = h.step
	at := slices.IndexFunc(p.run.Answers, func(a Answered) bool { return a.Step > h.step })
	if at < 0 {
		at = len(p.run.Answers)
	}
	p.run.Answers = slices.Insert(p.run.Answers, at, h.answered)
	return nil
}

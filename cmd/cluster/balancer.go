package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"
)

// balancer gives each call to the next sandbox that answers, and to the one after it when
// that one cannot be reached.
type balancer struct {
	sandboxes []*sandbox
	next      atomic.Uint64
}

func (b *balancer) serve(ctx context.Context, l net.Listener) error {
	fmt.Printf("load balancer: http://%s (interrupt ends all)\n", l.Addr())
	for _, box := range b.sandboxes {
		go box.watch(ctx)
	}
	s := &http.Server{Handler: b.proxy(), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// proxy hands calls on as they came.
func (b *balancer) proxy() *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host },
		Transport:     b,
		FlushInterval: -1, // console streams
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "no sandbox answers, call again: "+err.Error(), http.StatusBadGateway)
		},
	}
}

// RoundTrip tries the sandboxes in turn, those that are gone last.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var wrong error
	for _, box := range b.inTurn() {
		_, answers := box.away()
		ctx, cancel := context.WithCancelCause(r.Context())
		stop := context.AfterFunc(answers, func() { cancel(context.Cause(answers)) })
		context.AfterFunc(ctx, func() { stop() }) // with the call
		try := r.Clone(ctx)
		if try.Body != nil {
			try.Body = io.NopCloser(r.Body) // nothing of it is read before somebody listens
		}
		try.URL.Host = box.addr
		res, err := http.DefaultTransport.RoundTrip(try)
		if err == nil {
			return res, nil // what it streams ends with the sandbox, too
		}
		cancel(nil)
		if !again(r, err) {
			return nil, err
		}
		wrong = errors.Join(wrong, err)
	}
	return nil, wrong
}

// inTurn are the sandboxes in the order in which a call tries them.
func (b *balancer) inTurn() (list []*sandbox) {
	var gone []*sandbox
	first := b.next.Add(1)
	for n := range uint64(len(b.sandboxes)) {
		box := b.sandboxes[(first+n)%uint64(len(b.sandboxes))]
		if away, _ := box.away(); away {
			gone = append(gone, box)
			continue
		}
		list = append(list, box)
	}
	return append(list, gone...)
}

// again says whether a call may be made again after an error: nobody has heard it, or it
// only reads.
func again(r *http.Request, err error) bool {
	var op *net.OpError
	unheard := errors.As(err, &op) && op.Op == "dial"
	return r.Context().Err() == nil && (unheard || r.ContentLength == 0 && (r.Method == http.MethodGet || r.Method == http.MethodHead))
}

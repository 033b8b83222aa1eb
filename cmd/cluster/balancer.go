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

// balancer gives each call to the next sandbox, and to the one after it when that one
// cannot be reached.
type balancer struct {
	sandboxes []string
	next      atomic.Uint64
}

func (b *balancer) serve(ctx context.Context) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:8484")
	if err != nil {
		return err
	}
	fmt.Printf("load balancer: http://%s (interrupt ends all)\n", l.Addr())
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

// RoundTrip tries the sandboxes in turn.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var wrong error
	first := b.next.Add(1)
	for n := range uint64(len(b.sandboxes)) {
		try := r.Clone(r.Context())
		if try.Body != nil {
			try.Body = io.NopCloser(r.Body) // nothing of it is read before somebody listens
		}
		try.URL.Host = b.sandboxes[(first+n)%uint64(len(b.sandboxes))]
		res, err := http.DefaultTransport.RoundTrip(try)
		if err == nil || !again(r, err) {
			return res, err
		}
		wrong = errors.Join(wrong, err)
	}
	return nil, wrong
}

// again says whether a call may be made again after an error: nobody has heard it, or it
// only reads.
func again(r *http.Request, err error) bool {
	var op *net.OpError
	unheard := errors.As(err, &op) && op.Op == "dial"
	return r.Context().Err() == nil && (unheard || r.ContentLength == 0 && (r.Method == http.MethodGet || r.Method == http.MethodHead))
}

package drive

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Hosts gives names to applications that listen on ports which the system has
// chosen, so that tapes hold names and no ports. It is safe for concurrent use;
// the zero value is ready.
type Hosts struct {
	mu    sync.Mutex
	known map[string]string
}

// Set lets a name, such as gym.partner.test:80, stand for an address; an empty
// address takes the name away.
func (h *Hosts) Set(name, address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil {
		h.known = map[string]string{}
	}
	if address == "" {
		delete(h.known, name)
		return
	}
	h.known[name] = address
}

// Resolve gives the address that a name stands for, "" for one that is not known.
func (h *Hosts) Resolve(name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known[name]
}

// dialPatience bounds one connection.
const dialPatience = 10 * time.Second

// Client is an HTTP client that knows the names. It follows no redirects. With
// fresh every call has a connection of its own: over a kept one the library
// repeats calls that carry an Idempotency-Key by itself when their answer is lost,
// and nobody gets to see how the caller deals with that.
func (h *Hosts) Client(timeout time.Duration, fresh bool) *http.Client {
	d := &net.Dialer{Timeout: dialPatience}
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			MaxIdleConnsPerHost: 4, DisableKeepAlives: fresh,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if to := h.Resolve(address); to != "" {
					address = to
				}
				return d.DialContext(ctx, network, address)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

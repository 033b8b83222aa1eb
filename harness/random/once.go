package random

import (
	"io"
	"net/http"
	"strings"
)

// once sends each call once. A transport of Go makes a call anew by itself where its connection was used before and is cut, and
// whether it was used before is chance: what a drawn fault cuts would be met once or twice.
type once struct{ http.RoundTripper }

// sentOnce is a client whose calls are made once.
func sentOnce(client *http.Client) *http.Client {
	c := http.Client{}
	if client != nil {
		c = *client
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = once{c.Transport}
	return &c
}

// RoundTrip makes one call. A body that can be read once alone is not sent anew; an empty one is not sent at all.
func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.GetBody = nil
	if empty := r.Body == nil || r.Body == http.NoBody; empty && (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions) {
		r.Body = io.NopCloser(strings.NewReader(""))
	}
	return o.RoundTripper.RoundTrip(r)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// visit opens an address of this machine as a payer's browser does.
func visit(ctx context.Context, address string) (int, error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()) {
		return 0, fmt.Errorf("%w: %s", errNotHere, u.Hostname())
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, err
	}
	req.Header.Set("User-Agent", "Mozilla/5.0 (paysandbox payer)")
	// Where the application sends its payers next is none of the harness's business.
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := browser.Do(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

var errNotHere = errors.New("payers go back to addresses of this machine only")

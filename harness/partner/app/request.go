package app

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// userAgent names product and version with every call.
const userAgent = "paysandbox-example/1.0"

// newRequest writes the request with its headers.
func (a *App) newRequest(ctx context.Context, r request, token string) (*http.Request, error) {
	var raw []byte
	if r.body != nil {
		var err error
		if raw, err = json.Marshal(r.body); err != nil {
			return nil, err
		}
	}
	address := a.o.BaseURL + r.path
	if query := a.query(r, token); query != "" {
		address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	// A kept connection that breaks is repeated by net/http itself, at once and
	// unseen. When a call is repeated is decided in this package.
	req.Close = true
	req.Header.Set("Accept", "application/json")
	if raw != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if r.key != "" && !a.careless().sendsNoKey() {
		req.Header.Set("Idempotency-Key", r.key)
	}
	a.introduce(req, r.open)
	return req, nil
}

// introduce says who calls.
func (a *App) introduce(req *http.Request, open bool) {
	req.Header.Set("User-Agent", userAgent)
	if a.careless().hidesUserAgent() {
		req.Header.Set("User-Agent", "") // none, instead of the library's own
	}
	if open && a.careless().speaksAsBrowser() {
		req.Header.Set("Origin", "https://shop.partner.example.com")
		req.Header.Set("Referer", "https://shop.partner.example.com/checkout")
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		req.Header.Set("Sec-Fetch-Mode", "cors")
	}
}

// query writes the parameters of the address. Nothing secret or personal is
// among them: addresses are logged everywhere.
func (a *App) query(r request, token string) string {
	if a.careless().writesTokenIntoAddress() && r.method == http.MethodGet {
		q := url.Values{"access_token": {token}}
		for name, values := range r.query {
			q[name] = values
		}
		return q.Encode()
	}
	return r.query.Encode()
}

package app

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
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
	if query := r.query.Encode(); query != "" { // nothing secret or personal: addresses are logged everywhere
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
	if r.key != "" && a.o.Keys {
		req.Header.Set("Idempotency-Key", r.key)
	}
	req.Header.Set("User-Agent", userAgent)
	return req, nil
}

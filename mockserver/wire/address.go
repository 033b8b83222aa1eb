package wire

import (
	"context"
	"net/http"
	"strings"
)

// PageBase is the prefix of an integration's hosted pages, built from the
// address that the caller used: "http://127.0.0.1:8484/pages/default". A Host
// that cannot stand in a link is taken for localhost.
func PageBase(r *http.Request, integration string) string {
	return addressed(r, Host(r)) + "/pages/" + integration
}

// Called is the address that the caller used, without a path.
func Called(r *http.Request) string { return addressed(r, r.Host) }

// partners is the key of the host of the partner API in a request's context.
type partners struct{}

// Apart gives a request that came to an address of the operators' own the host by which its
// caller reaches the partner API: the links that are made for it lead there.
func Apart(r *http.Request, host string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), partners{}, host))
}

// Host is the host by which the caller reaches the partner API: the one that was called,
// unless the partner API is served apart.
func Host(r *http.Request) string {
	if host, ok := r.Context().Value(partners{}).(string); ok {
		return host
	}
	return r.Host
}

func addressed(r *http.Request, host string) string {
	scheme := "http://"
	if r.TLS != nil || strings.EqualFold(Sent(r, "X-Forwarded-Proto"), "https") {
		scheme = "https://"
	}
	if f := Sent(r, "X-Forwarded-Host"); f != "" {
		host = f
	}
	if !plainHost(host) {
		host = "localhost"
	}
	return scheme + host
}

// plainHost says whether a Host header is a name or address with an optional
// port.
func plainHost(host string) bool {
	for i := range len(host) {
		switch b := host[i]; {
		case isAlnum(b), b == '.', b == ':', b == '-', b == '_', b == '[', b == ']':
		default:
			return false
		}
	}
	return host != "" && len(host) <= 255
}

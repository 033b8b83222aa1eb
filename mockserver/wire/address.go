package wire

import (
	"net/http"
	"strings"
)

// PageBase is the prefix of an integration's hosted pages, built from the
// address that the caller used: "http://127.0.0.1:8484/pages/default". A Host
// that cannot stand in a link is taken for localhost.
func PageBase(r *http.Request, integration string) string {
	scheme, host := "http://", r.Host
	if r.TLS != nil || strings.EqualFold(Sent(r, "X-Forwarded-Proto"), "https") {
		scheme = "https://"
	}
	if f := Sent(r, "X-Forwarded-Host"); f != "" {
		host = f
	}
	if !plainHost(host) {
		host = "localhost"
	}
	return scheme + host + "/pages/" + integration
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

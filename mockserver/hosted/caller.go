package hosted

import (
	"net/http"
	"strings"

	"paysandbox/mockserver/tape"
)

// capturedHeaders are the request headers that go on the tape, in this order.
var capturedHeaders = [...]string{
	"Content-Type", "Accept", "User-Agent", "Origin", "Traceparent", "X-Request-Id", "X-Forwarded-Proto", "X-Forwarded-Host",
}

// captured copies the headers that matter, the address that was called first.
func captured(r *http.Request) []tape.Header {
	list := []tape.Header{{Name: "Host", Value: r.Host}}
	for _, name := range capturedHeaders {
		if v := r.Header[name]; len(v) > 0 {
			list = append(list, tape.Header{Name: name, Value: v[0]})
		}
	}
	return list
}

// base is the prefix of hosted pages: the address that the caller used. It is
// the same as the partner API's.
func base(r *http.Request, integration string) string {
	scheme, host := "http", r.Host
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	if f := r.Header.Get("X-Forwarded-Host"); f != "" {
		host = f
	}
	if !plainHost(host) {
		host = "localhost"
	}
	return scheme + "://" + host + Prefix + integration
}

// plainHost says whether a Host header is a name or address with an optional
// port, so that it can stand in a link.
func plainHost(host string) bool {
	for i := range len(host) {
		b := host[i]
		letter, digit := 'a' <= b|0x20 && b|0x20 <= 'z', '0' <= b && b <= '9'
		if !letter && !digit && strings.IndexByte(".-:[]_", b) < 0 {
			return false
		}
	}
	return host != "" && len(host) <= 255
}

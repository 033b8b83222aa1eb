package hosted

import (
	"net/http"

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

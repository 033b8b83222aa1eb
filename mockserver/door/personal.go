package door

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/wire"
)

// personalKey is where the context of a request holds what is told of what was struck.
type personalKey struct{}

// Strike takes what has the form of personal data, and the process' own tokens, out of a
// request's line and headers before anything looks at them: they go on the tape and into
// answers. What is left of it is found again when the tape is played, so that the same is
// told. It gives the request that goes on.
func Strike(r *http.Request, tokens *secret.Values) *http.Request {
	u, found := r.URL, false
	strike := func(text string) string {
		struck, list := secret.Struck(tokens.Text(text), nil)
		found = found || len(list) > 0
		return struck
	}
	r.Method = strike(r.Method)
	u.Path, u.RawPath = strike(u.Path), struckEscaped(u.RawPath, strike)
	query, there := secret.StruckQuery(tokens.Text(u.RawQuery))
	u.RawQuery, found = query, found || there
	for name, values := range r.Header {
		if name == "Authorization" { // is never kept
			continue
		}
		for i := range values {
			values[i] = strike(values[i])
		}
	}
	if !found {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), personalKey{}, personal(r)))
}

// struckEscaped strikes each segment of an escaped path as it reads: of %3A4111… the A is
// no letter before a number.
func struckEscaped(path string, strike func(string) string) string {
	if path == "" { // as it reads
		return ""
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			continue
		}
		if struck := strike(plain); struck != plain {
			segments[i] = url.PathEscape(struck)
		}
	}
	return strings.Join(segments, "/")
}

// personal tells of what is left in a request's line and headers, in a fixed order.
func personal(r *http.Request) (list []kernel.Finding) {
	list = wire.Personal(wire.Personal(list, "method", r.Method), "path", r.URL.Path)
	query := r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		list = wire.Personal(list, "query", name)
		for _, value := range query[name] {
			list = wire.Personal(list, "query:"+Clip(name), value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if name == "Authorization" {
			continue
		}
		for _, value := range r.Header[name] {
			list = wire.Personal(list, "header:"+Clip(name), value)
		}
	}
	return list
}

// advice is what was told of a request's line and headers.
func advice(r *http.Request) []kernel.Finding {
	list, _ := r.Context().Value(personalKey{}).([]kernel.Finding)
	return list
}

package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

// identify tells who is calling. A request that is played again has been judged
// before. A caller may name the integration that it means to speak to in the
// header Sandbox-Integration: a token of another one is then foreign, and a
// request without a token goes on the tape of the one named.
func (x *exchange) identify() integration.Caller {
	if x.again != nil {
		return integration.Caller{Integration: x.again.Integration, Verdict: x.again.Auth, Token: x.again.Token}
	}
	reg := x.api.opts.Registry
	c := reg.Authenticate(x.req.Header.Get("Authorization"))
	named := x.req.Header.Get("Sandbox-Integration")
	if named == "" {
		return c
	}
	meant := reg.Get(named)
	if meant == nil || meant == c.Integration {
		return c
	}
	if c.Verdict == tape.AuthValid {
		c.Verdict = tape.AuthForeign
	}
	c.Integration = meant
	return c
}

// capturedHeaders are the request headers that go on the tape, in this order.
// Authorization is not among them: the verdict on it is recorded instead. Of a
// Referer's query the names alone are kept: the values may be secrets.
var capturedHeaders = [...]string{
	"Content-Type", "Accept", "User-Agent", "Idempotency-Key", "Origin", headerReferer, "Sec-Fetch-Site", "Sec-Fetch-Mode",
	"Sandbox-Fault", "Sandbox-Integration",
	"Traceparent", "X-Request-Id", "X-Forwarded-Proto", "X-Forwarded-Host",
}

const headerReferer = "Referer"

// captured copies the headers that matter, the address that was called first.
// It looks at what was sent, which is little, and keeps the order of the list.
func captured(r *http.Request, into []tape.Header) []tape.Header {
	into = append(into[:0], tape.Header{Name: "Host", Value: r.Host})
	var found [len(capturedHeaders)][]string
	for name, values := range r.Header {
		if at := slices.Index(capturedHeaders[:], name); at >= 0 {
			found[at] = values
		}
	}
	for at, values := range found {
		if len(values) == 0 {
			continue
		}
		h := tape.Header{Name: capturedHeaders[at], Value: values[0]}
		if h.Name == headerReferer {
			h.Value = struckReferer(h.Value)
		}
		into = append(into, h)
	}
	return into
}

// struckReferer is a Referer without its fragment, and with xxx for each value of
// its query.
func struckReferer(referer string) string {
	referer, _, _ = strings.Cut(referer, "#")
	address, query, has := strings.Cut(referer, "?")
	if !has {
		return address
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		parts[i] = name + "=xxx"
		if _, err := url.QueryUnescape(name); err != nil || !strings.Contains(part, "=") {
			parts[i] = "xxx"
		}
	}
	return address + "?" + strings.Join(parts, "&")
}

// base is the prefix of hosted pages, remembered from call to call: callers
// rarely change the address that they use.
func (a *API) base(r *http.Request, integration string) string {
	key := pageBase{
		host: r.Host, integration: integration, secure: r.TLS != nil,
		proto: r.Header.Get("X-Forwarded-Proto"), forwarded: r.Header.Get("X-Forwarded-Host"),
	}
	if last := a.bases.Load(); last != nil && last.pageBase == key {
		return last.base
	}
	known := &knownBase{pageBase: key, base: wire.PageBase(r, integration)}
	a.bases.Store(known)
	return known.base
}

// pageBase is what a prefix of hosted pages is made from.
type pageBase struct {
	host, integration, proto, forwarded string
	secure                              bool
}

// knownBase is a prefix that has been made.
type knownBase struct {
	pageBase
	base string
}

// query reads the query string; what cannot be read is left out.
func query(r *http.Request) url.Values {
	if r.URL.RawQuery == "" {
		return nil
	}
	v, _ := url.ParseQuery(r.URL.RawQuery)
	return v
}

// foldedArg finds a query parameter whatever its letter case; of several
// spellings the first in byte order counts.
func foldedArg(q url.Values, name string) string {
	for _, known := range slices.Sorted(maps.Keys(q)) {
		if strings.EqualFold(known, name) {
			return q[known][0]
		}
	}
	return ""
}

package door

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

const headerReferer = "Referer"

// maxCaptured is how many headers a surface may have captured.
const maxCaptured = 16

// captured copies the headers that matter, the address that was called first.
// It looks at what was sent, which is little, and keeps the order of the list.
// Authorization is on no list: the verdict on it is recorded instead.
func captured(r *http.Request, names []string, into []tape.Header) []tape.Header {
	into = append(into[:0], tape.Header{Name: "Host", Value: wire.Host(r)})
	var found [maxCaptured]string
	var sent [maxCaptured]bool
	for name, values := range r.Header {
		if at := slices.Index(names, name); at >= 0 && len(values) > 0 {
			found[at], sent[at] = values[0], true
		}
	}
	for at, name := range names {
		if !sent[at] {
			continue
		}
		if name == headerReferer {
			found[at] = struckReferer(found[at])
		}
		into = append(into, tape.Header{Name: name, Value: found[at]})
	}
	return into
}

// maxExposed is how many headers go on the tape because of what stands in them.
const maxExposed = 4

// shortestSecret is how long what is found by its value is at least, in bytes.
const shortestSecret = 8

// expose adds to the captured headers those that no list has and that hold a secret of
// the integration, a Cookie for example: it is struck when it is written down, and the
// name says where it stood. A replay sends what was struck.
func (x *Exchange) expose(listed []string) {
	if x.On == nil || x.Call.Kind != tape.KindExchange {
		return
	}
	var found []tape.Header
	for name, values := range x.Req.Header {
		if len(values) == 1 && len(values[0]) < shortestSecret || name == "Authorization" || slices.Contains(listed, name) {
			continue
		}
		for _, v := range values {
			if x.On.Betrayed(v) || x.Again != nil && strings.Contains(v, secret.InHeader) {
				found = append(found, tape.Header{Name: Clip(name), Value: v})
				break
			}
		}
	}
	slices.SortStableFunc(found, func(a, b tape.Header) int { return strings.Compare(a.Name, b.Name) })
	sent := &x.Call.Exchange.Request.Header
	*sent = append(*sent, found[:min(len(found), maxExposed)]...)
}

// struckReferer is a Referer without its fragment, and with xxx for each value of
// its query: the values may be secrets.
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

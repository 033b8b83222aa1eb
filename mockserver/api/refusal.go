package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/tape"
)

// unauthorised is the one answer to every caller without a good token: why the
// token is not good stands on the tape only.
func unauthorised() *kernel.Error {
	return &kernel.Error{
		Code:   kernel.Unauthorised,
		Detail: "this call needs a valid access token: get one from POST /Authentication/Token and send it as Authorization: Bearer <token>",
	}
}

// unsupported refuses a body that does not say it is JSON.
func unsupported(received string) *kernel.Error {
	return &kernel.Error{Code: kernel.UnsupportedMediaType, Detail: "the body's media type is not JSON", Findings: []kernel.Finding{{
		Pointer: "header:Content-Type", Clause: "request.media-type", Source: kernel.Spec, Received: strconv.Quote(received),
		Expected: "application/json, text/json or application/*+json, in UTF-8", Fix: "send Content-Type: application/json",
	}}}
}

func tooLarge(length int64) *kernel.Error {
	received := "more than 10 MiB"
	if length > 0 {
		received = strconv.FormatInt(length, 10) + " bytes"
	}
	return &kernel.Error{Code: kernel.TooLarge, Detail: "the body is larger than 10 MiB", Findings: []kernel.Finding{{
		Clause: "request.size", Source: kernel.Assumed, Received: received,
		Expected: "at most 10485760 bytes", Fix: "send a smaller attachment, or its address instead",
	}}}
}

// The reasons why a body was refused without being read. They come from outside,
// so a replay takes them from the tape, where they stand as a header.
const (
	unreadHeader   = "Sandbox-Unread"
	unreadTooLarge = "too-large"
	unreadMedia    = "media-type"
	unreadBroken   = "broken-off"
)

// unread notes on the tape why the body was not read, and how many bytes tell it.
func (x *exchange) unread(why string, n int64) {
	h := &x.call.Exchange.Request.Header
	*h = append(*h, tape.Header{Name: unreadHeader, Value: why + " " + strconv.FormatInt(n, 10)})
}

// unreadBefore gives, in a replay, why the body was not read then.
func (x *exchange) unreadBefore() (why string, n int64) {
	if x.again == nil {
		return "", 0
	}
	why, count, _ := strings.Cut(x.req.Header.Get(unreadHeader), " ")
	n, _ = strconv.ParseInt(count, 10, 64)
	return why, n
}

// incomplete refuses a body that ended before its announced length.
func incomplete(got int64) *kernel.Error {
	return &kernel.Error{Code: kernel.Malformed, Detail: "the body ended before it was complete", Findings: []kernel.Finding{{
		Clause: "request.body", Source: kernel.Assumed, Received: strconv.FormatInt(got, 10) + " bytes",
		Expected: "as many bytes as Content-Length announces, or a complete chunked body", Fix: "send the whole body",
	}}}
}

// tooMany refuses a call over the rate limit that the ledger has switched on.
func (x *exchange) tooMany(wait int) *kernel.Error {
	x.retryAfter = strconv.Itoa(wait)
	return &kernel.Error{Code: kernel.TooManyRequests, Detail: "the rate limit is reached; wait " + x.retryAfter + " s of virtual time"}
}

// noRoute answers what no operation has.
func (a *API) noRoute(w http.ResponseWriter, r *http.Request) { a.serve(w, r, nil) }

// noOperation says why no operation takes the request: its path does not exist,
// or exists with other methods only.
func (x *exchange) noOperation() *kernel.Error {
	path := x.call.Exchange.Path
	if exact := x.settings().Is(latitude.PathsReferenceOnly); !exact || x.api.paths.exactly(path) {
		if allow := x.api.paths.methodsOf(path, x.settings()); len(allow) > 0 && !slices.Contains(allow, x.req.Method) {
			x.allow = strings.Join(allow, ", ")
			return &kernel.Error{
				Code:   kernel.MethodNotAllowed,
				Detail: x.req.Method + " is not a method of " + clip(path) + "; use " + strings.Join(allow, " or "),
			}
		}
	}
	detail := "no operation has the path " + clip(path)
	if near := x.nearest(); near != nil {
		detail += "; the nearest is " + near.Method + " " + near.Path
	}
	return &kernel.Error{Code: kernel.NotFound, Detail: detail + "; /docs lists them all"}
}

// nearest is the operation whose path differs least from the one asked for;
// the same method wins a draw. Paths that have nothing in common give none.
func (x *exchange) nearest() *route {
	path := clip(x.call.Exchange.Path)
	asked := slices.DeleteFunc(segments(strings.ToLower(path)), func(s segment) bool { return s.text == "" })
	var best *route
	least := 1 << 30
	for _, r := range x.api.routes {
		if r.hidden(x.settings()) {
			continue
		}
		d := 2 * distance(asked, r.segments)
		if r.Method != x.req.Method {
			d++
		}
		if d < least {
			best, least = r, d
		}
	}
	if best == nil || least > 2*(len(path)/2+2) {
		return nil
	}
	return best
}

// distance counts the letters to change, segment by segment; a parameter takes
// any text.
func distance(asked, known []segment) int {
	total := 0
	for i := range max(len(asked), len(known)) {
		switch {
		case i >= len(asked) && known[i].param:
			total++
		case i >= len(asked):
			total += len(known[i].text)
		case i >= len(known):
			total += len(asked[i].text)
		case !known[i].param:
			total += spelling.Edits(asked[i].text, strings.ToLower(known[i].text))
		}
	}
	return total
}

// clip cuts what a stranger has written.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

package verify_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
)

// spoiler stands in front of the good server and spoils one thing.
type spoiler func(next http.Handler, k *keeper) http.Handler

// keeper watches a mutant.
type keeper struct {
	// hits counts how often it has spoilt something.
	hits atomic.Int64
	// samples are what the operations answer when all is well.
	samples []sample
}

// sample is what an operation answers.
type sample struct {
	fits *regexp.Regexp
	body string
}

// exchange is one call on its way through a mutant.
type exchange struct {
	keeper *keeper
	req    *http.Request
	asked  []byte
	status int
	header http.Header
	body   []byte
	// cut is set where the call's body broke off.
	cut error
	// kept is set where the good server must not have the call, and touched where
	// it was spoilt in a way that its text does not show.
	kept, touched bool
}

// control begins the patterns of the control API's calls about one integration.
const control = "/_sandbox/integrations/*"

// pattern reads "GET /User/*/Status" with a star for one part of the path. Paths
// are found in any letter case; the method may be a star.
func pattern(text string) *regexp.Regexp {
	method, path, _ := strings.Cut(text, " ")
	if method == "*" {
		method = "[A-Z]+"
	}
	parts := strings.Split(path, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("(?i)^" + method + " " + strings.Join(parts, "[^/]+") + "$")
}

// on spoils the exchanges that one of the patterns fits: ask may change the call
// before the good server has it, and answer what it said. Either may be nil.
func on(patterns string, ask, answer func(x *exchange)) spoiler {
	var fits []*regexp.Regexp
	for p := range strings.SplitSeq(patterns, ", ") {
		fits = append(fits, pattern(p))
	}
	return func(next http.Handler, k *keeper) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, fit := range fits {
				if fit.MatchString(r.Method + " " + r.URL.Path) {
					k.through(next, w, r, ask, answer)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// through takes one exchange through the good server and counts whether it was
// spoilt.
func (k *keeper) through(next http.Handler, w http.ResponseWriter, r *http.Request, ask, answer func(*exchange)) {
	x := &exchange{keeper: k, req: r.Clone(r.Context()), status: http.StatusOK, header: http.Header{}}
	x.asked, x.cut = io.ReadAll(r.Body)
	before := x.told()
	if ask != nil {
		ask(x)
	}
	spoilt := x.kept || x.touched || x.told() != before
	if !x.kept {
		x.pass(next)
	}
	before = x.said()
	if answer != nil {
		answer(x)
	}
	if spoilt || x.touched || x.said() != before {
		k.hits.Add(1)
	}
	x.write(w)
}

// pass has the good server answer the call as it is now.
func (x *exchange) pass(next http.Handler) {
	again := x.req.Clone(x.req.Context())
	again.Body = io.NopCloser(io.MultiReader(bytes.NewReader(x.asked), broken{x.cut}))
	if x.cut == nil {
		again.ContentLength = int64(len(x.asked))
	}
	answered := httptest.NewRecorder()
	next.ServeHTTP(answered, again)
	x.status, x.header, x.body = answered.Code, answered.Header(), answered.Body.Bytes()
}

// broken is the end of a body that may have broken off.
type broken struct{ err error }

// Read gives the error, or the end.
func (b broken) Read([]byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	return 0, io.EOF
}

// told and said are the two halves of an exchange as texts to compare.
func (x *exchange) told() string {
	return x.req.Method + x.req.URL.String() + headerText(x.req.Header) + string(x.asked)
}

func (x *exchange) said() string {
	return strconv.Itoa(x.status) + headerText(x.header) + string(x.body)
}

// headerText writes headers in the order of their names.
func headerText(h http.Header) string {
	var b strings.Builder
	_ = h.Write(&b)
	return b.String()
}

// write gives the answer as it is now.
func (x *exchange) write(w http.ResponseWriter) {
	for name, values := range x.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(x.body)))
	w.WriteHeader(x.status)
	if x.req.Method != http.MethodHead {
		_, _ = w.Write(x.body)
	}
}

// ok says whether the good server said yes.
func (x *exchange) ok() bool { return x.status < http.StatusMultipleChoices }

// tell replaces the answer by a success with this body.
func (x *exchange) tell(body string) {
	x.status, x.body = http.StatusOK, []byte(body)
	x.header.Del("Content-Type")
	if body != "" {
		x.header.Set("Content-Type", "application/json; charset=utf-8")
	}
}

// grant replaces the answer by the success that the operation usually has.
func (x *exchange) grant() {
	call := x.req.Method + " " + x.req.URL.Path
	for _, s := range x.keeper.samples {
		if s.fits.MatchString(call) {
			x.tell(s.body)
			return
		}
	}
	x.tell("{}")
}

// refuse replaces the answer by a refusal.
func (x *exchange) refuse(status int, field, clause string) {
	problem := map[string]any{
		"type": "about:blank", "title": http.StatusText(status), "status": status, "detail": "refused", "traceId": "0",
		"errors": map[string]any{field: []string{"is not allowed"}},
		"findings": []any{map[string]any{
			"pointer": "/" + strings.ReplaceAll(field, ".", "/"), "clause": clause, "received": "", "expected": "another value", "fix": "send another value",
		}},
	}
	x.status, x.body = status, encoded(problem)
	x.header.Set("Content-Type", "application/problem+json")
}

// member reads a member of the call's body, written as owner.ssn; nil when it is
// not there.
func (x *exchange) member(path string) any { return reached(decoded(x.asked), path) }

// got reads a member of the answer.
func (x *exchange) got(path string) any { return reached(decoded(x.body), path) }

// change puts a member of the answer to another value: gone takes it away.
func (x *exchange) change(path string, v any) { x.body = changed(x.body, path, v) }

// send puts a member of the call's body to another value.
func (x *exchange) send(path string, v any) { x.asked = changed(x.asked, path, v) }

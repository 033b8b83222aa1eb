package control

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// unauthorised is the one answer to every caller without the control token.
func unauthorised() *kernel.Error {
	return &kernel.Error{
		Code:   kernel.Unauthorised,
		Detail: "the control API needs the control token that the sandbox printed when it started: send it as Authorization: Bearer <token>",
	}
}

// unsupported refuses a body that does not say it is JSON.
func unsupported(received string) *kernel.Error {
	return &kernel.Error{Code: kernel.UnsupportedMediaType, Detail: "the body's media type is not JSON", Findings: []kernel.Finding{{
		Pointer: "header:Content-Type", Clause: "control.media-type", Source: kernel.Assumed, Received: strconv.Quote(clip(received)),
		Expected: "application/json, in UTF-8", Fix: "send Content-Type: application/json",
	}}}
}

func tooLarge(length int64) *kernel.Error {
	received := "more than 1 MiB"
	if length > 0 {
		received = strconv.FormatInt(length, 10) + " bytes"
	}
	return &kernel.Error{Code: kernel.TooLarge, Detail: "the body is larger than 1 MiB", Findings: []kernel.Finding{{
		Clause: "control.size", Source: kernel.Assumed, Received: received,
		Expected: "at most 1048576 bytes", Fix: "send a smaller body",
	}}}
}

// incomplete refuses a body that ended before its announced length.
func incomplete(got int) *kernel.Error {
	return &kernel.Error{Code: kernel.Malformed, Detail: "the body ended before it was complete", Findings: []kernel.Finding{{
		Clause: "control.body", Source: kernel.Assumed, Received: strconv.Itoa(got) + " bytes",
		Expected: "as many bytes as Content-Length announces, or a complete chunked body", Fix: "send the whole body",
	}}}
}

// badBody refuses a body for what reading it has shown. Nothing is advice here:
// this is the sandbox's own API.
func badBody(findings []kernel.Finding) *kernel.Error {
	for i := range findings {
		findings[i].Advisory = false
	}
	return invalid(findings...)
}

// invalid refuses a request that was not acted upon.
func invalid(findings ...kernel.Finding) *kernel.Error {
	problems := "1 problem"
	if len(findings) != 1 {
		problems = strconv.Itoa(len(findings)) + " problems"
	}
	return &kernel.Error{Code: kernel.Invalid, Detail: "the call was refused: " + problems + " found, nothing was changed", Findings: findings}
}

// wrong is one finding about a member or parameter.
func wrong(pointer, clause, received, expected, fix string) kernel.Finding {
	return kernel.Finding{Pointer: pointer, Clause: clause, Source: kernel.Assumed, Received: received, Expected: expected, Fix: fix}
}

// quoted shows what was received; nothing when nothing was.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(clip(s))
}

// unknownData turns the lesson of the test data's table into a finding.
func unknownData(pointer, clause string, err error) *kernel.Error {
	var e *fixtures.UnknownError
	if !errors.As(err, &e) {
		return invalid(wrong(pointer, clause, "", "a value of the test data", err.Error()))
	}
	return invalid(wrong(pointer, clause, strconv.Quote(e.Received), e.Expected, "nearest: "+strings.Join(e.Nearest, ", ")))
}

// noRoute answers what no call has: a path that does not exist, or one that
// exists with another method.
func (c *Control) noRoute(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	if allow := c.paths.methodsOf(path); len(allow) > 0 {
		w.Header().Set("Allow", strings.Join(allow, ", "))
		c.refuse(w, r, &kernel.Error{
			Code:   kernel.MethodNotAllowed,
			Detail: r.Method + " is not a method of " + clip(path) + "; use " + strings.Join(allow, " or "),
		})
		return
	}
	detail := "no call has the path " + clip(path)
	if near := c.paths.nearest(r.Method, path); near != nil {
		detail += "; the nearest is " + near.Method + " " + near.Path
	}
	c.refuse(w, r, &kernel.Error{Code: kernel.NotFound, Detail: detail + "; " + Prefix + "/docs lists them all"})
}

// readQuery reads the query string and refuses one that cannot be read.
func readQuery(r *http.Request) (url.Values, error) {
	v, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid(wrong("query:", "control.query", quoted(secret.Query(r.URL.RawQuery)), "a query string with well-formed escapes", "escape % as %25 and ; as %3B"))
	}
	return v, nil
}

package control

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

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
	return strconv.Quote(door.Clip(s))
}

// unknownData makes a finding of what the table of test data says.
func unknownData(pointer, clause string, err error) *kernel.Error {
	var e *fixtures.UnknownError
	if !errors.As(err, &e) {
		return invalid(wrong(pointer, clause, "", "a value of the test data", err.Error()))
	}
	return invalid(wrong(pointer, clause, strconv.Quote(e.Received), e.Expected, "nearest: "+strings.Join(e.Nearest, ", ")))
}

// readQuery reads the query string and refuses one that cannot be read.
func readQuery(r *http.Request) (url.Values, error) {
	v, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid(wrong("query:", "control.query", quoted(secret.Query(r.URL.RawQuery)), "a query string with well-formed escapes", "escape % as %25 and ; as %3B"))
	}
	return v, nil
}

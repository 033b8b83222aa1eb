package wire

import (
	"strings"

	"paysandbox/mockserver/kernel"
)

// ProblemType is the media type of every problem, whatever Accept says.
const ProblemType = "application/problem+json"

// Problem is the body of a refusal: RFC 9457 problem details with the
// sandbox's extension members (source: assumed, after the provider's web
// framework).
type Problem struct {
	// Type is a stable URN for the kind of refusal.
	Type string `json:"type" required:"true" example:"urn:paysandbox:problem:invalid-request" description:"stable name of the kind of problem"`
	// Title is the kind of refusal in a few words, the same for each problem of the type.
	Title string `json:"title" required:"true" example:"The request breaks one or more rules"`
	// Status is the HTTP status of the answer.
	Status int `json:"status" required:"true" example:"400"`
	// Detail says what was tried and on what; it never holds a secret.
	Detail string `json:"detail" required:"true" example:"the company cannot be created: 2 members are invalid"`
	// Instance is where this refusal can be looked at, in the console of the sandbox; the
	// path of a request that stands on no tape.
	Instance string `json:"instance" required:"true" example:"/console/-/entries/42"`
	// TraceID is the request's number, as in the answer's header.
	TraceID string `json:"traceId" required:"true" example:"ex-42"`
	// Errors are the messages for each refused field, as in
	// employees[0].emailAddress; $ is the whole body. Advisory findings are
	// not among them. It is written in the order of the names.
	Errors map[string][]string `json:"errors" required:"true" description:"messages for each refused field; $ is the whole body"`
	// Findings are all problems, advisory ones too, in the order of the body's members.
	Findings []kernel.Finding `json:"findings" required:"true"`
	// Machine is the state machine that refused; empty but for illegal transitions.
	Machine string `json:"machine,omitempty" example:"payment"`
	// State is the state in which the event came; empty but for illegal transitions.
	State string `json:"state,omitempty" example:"Paid"`
	// Event is the refused event; empty but for illegal transitions.
	Event string `json:"event,omitempty" example:"cancel"`
	// LegalEvents are the events that the state admits, in table order; absent
	// when it admits none or when the problem is another one.
	LegalEvents []string `json:"legalEvents,omitempty"`
}

// maxRepeated bounds, in bytes, what an answer repeats of a path and of the ids in it.
const maxRepeated = 2 << 10

// NewProblem makes the body of a refusal. The status is the caller's, because
// one code can have different ones in different APIs; Status has the usual.
func NewProblem(err *kernel.Error, status int, instance, traceID string) Problem {
	p := Problem{
		Type:     "urn:paysandbox:problem:" + string(err.Code),
		Title:    entryOf(err.Code).title,
		Status:   status,
		Detail:   clip(err.Detail, maxRepeated),
		Instance: clip(instance, maxRepeated),
		TraceID:  traceID,
		Errors:   map[string][]string{},
		Findings: append([]kernel.Finding{}, err.Findings...),
		Machine:  err.Machine, State: err.State, Event: err.Event,
		LegalEvents: err.Legal,
	}
	for i := range err.Findings {
		if f := &err.Findings[i]; !f.Advisory {
			name := FieldName(f.Pointer)
			p.Errors[name] = append(p.Errors[name], message(f))
		}
	}
	return p
}

// message is one finding in one line.
func message(f *kernel.Finding) string {
	if f.Fix == "" {
		return "expected " + f.Expected
	}
	return "expected " + f.Expected + "; " + f.Fix
}

// FieldName turns a finding's pointer into the dotted name of the field:
// /employees/0/emailAddress into employees[0].emailAddress, the empty pointer
// into $. What is no JSON pointer, such as query:companyId, stays.
func FieldName(pointer string) string {
	if pointer == "" {
		return "$"
	}
	if pointer[0] != '/' {
		return pointer
	}
	var b strings.Builder
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch {
		case isIndex(token):
			b.WriteString("[" + token + "]")
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
	}
	return b.String()
}

// isIndex reports whether a reference token is an array index.
func isIndex(token string) bool {
	for i := range len(token) {
		if !isDigit(token[i]) {
			return false
		}
	}
	return token != ""
}

// Status gives the usual HTTP status of a code; 500 for an unknown one.
func Status(code kernel.Code) int { return entryOf(code).status }

// entry is what the catalogue of problems says about one code.
type entry struct {
	status int
	title  string
}

// catalogue is read only.
var catalogue = map[kernel.Code]entry{
	kernel.Invalid:              {400, "The request breaks one or more rules"},
	kernel.Malformed:            {400, "The body cannot be read"},
	kernel.Unauthorised:         {401, "The call is not authorised"},
	kernel.Forbidden:            {403, "The call may not come from there"},
	kernel.NotFound:             {404, "There is no such thing"},
	kernel.MethodNotAllowed:     {405, "The path does not have this method"},
	kernel.IllegalTransition:    {409, "The present state does not admit this"},
	kernel.Conflict:             {409, "The request collides with an earlier one"},
	kernel.TooLarge:             {413, "The body is too large"},
	kernel.UnsupportedMediaType: {415, "The body is of an unsupported media type"},
	kernel.KeyReused:            {422, "The idempotency key was used for another request"},
	kernel.TooManyRequests:      {429, "Too many requests"},
	kernel.Internal:             {500, "The sandbox has made a mistake"},
	kernel.Unavailable:          {503, "The sandbox does not serve this now"},
	kernel.Full:                 {507, "The sandbox has no memory left"},
}

// entryOf gives the catalogue's entry, that of Internal for an unknown code.
func entryOf(code kernel.Code) entry {
	if e, ok := catalogue[code]; ok {
		return e
	}
	return catalogue[kernel.Internal]
}

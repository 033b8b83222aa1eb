package kernel

import (
	"strconv"
	"strings"
)

// Code names a kind of refusal. The HTTP layer maps each code to one status.
type Code string

// The catalogue of refusals.
const (
	// Invalid is a request that breaks one or more rules (400).
	Invalid Code = "invalid-request"
	// Malformed is a body that is not the JSON it claims to be (400).
	Malformed Code = "malformed-body"
	// Unauthorised is a call without a valid token, or a token call with wrong
	// credentials (401).
	Unauthorised Code = "unauthorised"
	// Forbidden is a call that may not come from where it comes from (403).
	Forbidden Code = "forbidden"
	// NotFound is an unknown path, or an id that this integration does not own (404).
	NotFound Code = "not-found"
	// MethodNotAllowed is a known path with a wrong method (405).
	MethodNotAllowed Code = "method-not-allowed"
	// IllegalTransition is an event that the entity's present state does not
	// admit; the partner API answers 400, the control API 409.
	IllegalTransition Code = "illegal-transition"
	// Conflict is a request that collides with an earlier one (409).
	Conflict Code = "conflict"
	// TooLarge is a body or attachment over its limit (413).
	TooLarge Code = "too-large"
	// UnsupportedMediaType is a body of a media type that is not JSON (415).
	UnsupportedMediaType Code = "unsupported-media-type"
	// KeyReused is an idempotency key sent again with another body (422).
	KeyReused Code = "idempotency-key-reused"
	// TooManyRequests is a refused call over the rate limit (429).
	TooManyRequests Code = "too-many-requests"
	// Internal is a mistake of the sandbox itself (500).
	Internal Code = "internal-error"
	// Full is a call that would make something where no memory is left (507).
	Full Code = "insufficient-storage"
	// Unavailable is an armed fault or a shutdown in progress (503).
	Unavailable Code = "unavailable"
)

// Error is the one error type that leaves the deterministic part. Its text is safe to show
// to the caller: it never holds a secret.
type Error struct {
	// Code is the kind of refusal.
	Code Code
	// Detail is one sentence that says what was tried and on what.
	Detail string
	// Findings are all problems of the request, in the order of its members.
	Findings []Finding
	// Machine, State, Event and Legal are set on an illegal transition: the
	// machine's name, the present state, the refused event, and the events
	// that the state admits, in table order.
	Machine, State, Event string
	Legal                 []string
}

// Error gives the code and the detail in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	b.WriteString(e.Detail)
	for _, f := range e.Findings {
		b.WriteString("; ")
		b.WriteString(f.Pointer)
		b.WriteString(" expected ")
		b.WriteString(f.Expected)
		b.WriteString(", ")
		b.WriteString(f.Fix)
	}
	return b.String()
}

// NoSuch says that this integration owns no such thing.
func NoSuch(what, id string) *Error {
	if strings.TrimSpace(id) == "" { // else nobody sees that there was none
		id = strconv.Quote(id)
	}
	return &Error{Code: NotFound, Detail: "no " + what + " " + id + " in this integration"}
}

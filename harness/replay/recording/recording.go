// Package recording holds what a partner's files say that happened between an
// integration and the service, whichever format they came in. Readers write it;
// everything that makes a case reads it. It owns no reading and no judging.
package recording

import (
	"time"

	"paysandbox/mockserver/tape"
)

// Recording is what one or several files say.
type Recording struct {
	// Sources are the files, in the order in which they were given.
	Sources []Source `json:"sources"`
	// Exchanges are the calls to the service, ordered by the time they began, and by
	// their place where no time is known.
	Exchanges []Exchange `json:"exchanges,omitempty"`
	// Received are the webhooks that the partner says it received, in the same order.
	Received []Received `json:"received,omitempty"`
	// Skipped is what the files hold and the recording does not.
	Skipped []Skipped `json:"skipped,omitempty"`
}

// Source is one file.
type Source struct {
	// Name is the file's name as it was given.
	Name string `json:"name"`
	// Format is what it was read as: "tape", "har", "curl", "http", "postman", …
	Format string `json:"format"`
	// Creator is the tool that wrote it, as the file says, if it does.
	Creator string `json:"creator,omitempty"`
	// ReceivedComplete is true when the file is stated to hold every webhook that
	// arrived while it was written: only then can "never sent" be said.
	ReceivedComplete bool `json:"receivedComplete,omitempty"`
}

// Place is where in a source something stands.
type Place struct {
	// Source is the file's name.
	Source string `json:"source"`
	// Line counts from 1; 0 when the format has no lines that mean something.
	Line int `json:"line,omitempty"`
	// Entry counts the file's entries from 1; 0 when it has none.
	Entry int `json:"entry,omitempty"`
	// Pointer is a JSON pointer into the file, if that says it better.
	Pointer string `json:"pointer,omitempty"`
}

// Exchange is one call and what is known of its answer.
type Exchange struct {
	// Place is where it was read.
	Place Place `json:"place"`
	// Begin and End are when the call was sent and when its answer had arrived, in
	// UTC; zero when the recording does not say.
	Begin time.Time `json:"begin,omitzero"`
	End   time.Time `json:"end,omitzero"`
	// Method is the HTTP method.
	Method string `json:"method"`
	// Scheme and Host are the service as the partner addressed it.
	Scheme string `json:"scheme,omitempty"`
	Host   string `json:"host,omitempty"`
	// Path is the escaped path; Query is the raw query without the question mark.
	Path  string `json:"path"`
	Query string `json:"query,omitempty"`
	// Header are the request's headers, in the order of the recording.
	Header []tape.Header `json:"header,omitempty"`
	// Body is the request's body; BodyMissing says that there was one that the
	// recording does not hold.
	Body        []byte `json:"body,omitempty"`
	BodyMissing bool   `json:"bodyMissing,omitempty"`
	// Answer is what came back.
	Answer Answer `json:"answer"`
}

// Known says how much of an answer a recording holds.
type Known string

const (
	// NotRecorded: the recording says nothing of the answer.
	NotRecorded Known = "not-recorded"
	// NeverArrived: no answer of the service came to the caller (also when something
	// in between answered 502, 503 or 504), so that the call's outcome is unknown.
	NeverArrived Known = "never-arrived"
	// WithoutBody: status and perhaps headers are known, the body is not.
	WithoutBody Known = "without-body"
	// Whole: status and body are known; the body may be empty.
	Whole Known = "whole"
)

// Answer is the answer of a call, as far as it is known.
type Answer struct {
	Known  Known         `json:"known"`
	Status int           `json:"status,omitempty"`
	Header []tape.Header `json:"header,omitempty"`
	Body   []byte        `json:"body,omitempty"`
}

// Received is one webhook as the partner received it.
type Received struct {
	// Place is where it was read.
	Place Place `json:"place"`
	// At is when it arrived, in UTC; zero when unknown.
	At time.Time `json:"at,omitzero"`
	// URL is the receiver's address, if known.
	URL string `json:"url,omitempty"`
	// Header and Body are what came in; the signature is verified over Body.
	Header []tape.Header `json:"header,omitempty"`
	Body   []byte        `json:"body,omitempty"`
	// Status is what the receiver answered; 0 when unknown.
	Status int `json:"status,omitempty"`
}

// Skipped is something that a file holds and that is not part of the recording:
// a call to another host, a body that cannot be read, a line that is no request.
type Skipped struct {
	Place Place `json:"place"`
	// Why says it in one sentence, with what was expected.
	Why string `json:"why"`
	// Host is set when it was left out as a call to a foreign host.
	Host string `json:"host,omitempty"`
}

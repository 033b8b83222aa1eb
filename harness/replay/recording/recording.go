// Package recording holds what a partner's files say that happened between an
// integration and the service, whichever format they came in. Readers write it;
// everything that makes a case reads it. It owns no reading and no judging.
package recording

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Recording is what one or several files say.
type Recording struct {
	// Sources are the files, in the order in which they were given.
	Sources []Source `json:"sources"`
	// Services are the hosts that were taken for the service, the busiest first.
	Services []Service `json:"services,omitempty"`
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
	// Size is how long it is, in bytes; 0 where that is not known.
	Size int `json:"size,omitempty"`
	// Events is how often the file names an event of the service, whether webhooks were read of it or not.
	Events int `json:"events,omitempty"`
	// Arrivals are when requests with bodies came to a receiver, of whose access log nothing else is known.
	Arrivals []Arrival `json:"arrivals,omitempty"`
	// Unheard says that its words tell that no event came of what has a state of which one tells.
	Unheard bool `json:"unheard,omitempty"`
	// Creator is the tool that wrote it, as the file says, if it does.
	Creator string `json:"creator,omitempty"`
	// ReceivedComplete is true when the file is stated to hold every webhook that
	// arrived while it was written: each that is missing was never sent then.
	ReceivedComplete bool `json:"receivedComplete,omitempty"`
	// Lacks is what the file is known not to hold, as one asks for it; "" for one that
	// seems to be whole.
	Lacks string `json:"lacks,omitempty"`
	// Altered is true when the file says itself that it is not what was saved.
	Altered bool `json:"altered,omitempty"`
	// Offsets are how far the service's clock was ahead of the file's, as the Date of
	// answers shows: the first holds from the file's beginning, each further one from
	// the entry at which the service's clock was seen to have jumped. The times of the
	// recording are the service's: the offsets are in them.
	Offsets []Offset `json:"offsets,omitempty"`
}

// Arrival is a request with a body that came to a receiver.
type Arrival struct {
	At time.Time `json:"at"`
	// Line is where the file tells of it, 0 where that is not known, and Status what was answered, 0 likewise.
	Line   int `json:"line,omitempty"`
	Status int `json:"status,omitempty"`
}

// ByUs is how the tool names itself that writes a HAR of a case, OfExport how it does where that was made of what another has exported.
const (
	ByUs     = "paysandbox"
	OfExport = "paysandbox, of an export"
)

// IsExport says whether a file is of a form in which tools export, and may leave credentials out.
func (s *Source) IsExport() bool {
	return s.Format == "postman" || s.Format == "har" && (!strings.HasPrefix(s.Creator, ByUs) || strings.HasPrefix(s.Creator, OfExport))
}

// Offset is what was added to a file's times from an entry on, in nanoseconds.
type Offset struct {
	From Place         `json:"from"`
	By   time.Duration `json:"by"`
}

// Service is a host that was taken for the service.
type Service struct {
	// Scheme and Host are its address; empty for a tape, which names none.
	Scheme string `json:"scheme,omitempty"`
	Host   string `json:"host,omitempty"`
	// Base is the path before the operations' own, such as "/api"; it is taken off the
	// paths of the exchanges.
	Base string `json:"base,omitempty"`
	// Calls counts the exchanges.
	Calls int `json:"calls"`
	// Why says in words why it was taken for the service.
	Why string `json:"why"`
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

// Since says in words that something holds from a place on; "" for one of no known line.
func (p Place) Since() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf(" from line %d on", p.Line)
	case p.Entry > 0:
		return fmt.Sprintf(" from entry %d on", p.Entry)
	default:
		return ""
	}
}

// Text is the place as somebody finds it who has the files.
func (p Place) Text() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s line %d", p.Source, p.Line)
	case p.Entry > 0:
		return fmt.Sprintf("%s entry %d", p.Source, p.Entry)
	default:
		return p.Source
	}
}

// Told is a time of the recording as the file of a place tells it, which may have another clock, in UTC.
func (r *Recording) Told(at time.Time, p Place) time.Time {
	by := time.Duration(0)
	for i := range r.Sources {
		for j, o := range r.Sources[i].Offsets {
			if r.Sources[i].Name == p.Source && (j == 0 || o.From.Line <= p.Line && o.From.Entry <= p.Entry) {
				by = o.By
			}
		}
	}
	return at.Add(-by).UTC()
}

// Exchange is one call and what is known of its answer.
type Exchange struct {
	// Place is where it was read; Also are other places that tell of the same call.
	Place Place   `json:"place"`
	Also  []Place `json:"also,omitempty"`
	// Link is what the tool calls the request, if it does: a collection and its run
	// name it alike.
	Link string `json:"link,omitempty"`
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
	// Struck says that it carried an Authorization, and that the file has struck it out.
	Struck bool `json:"struck,omitempty"`
	// Dollars says where the files price what was asked for, where the amount's number is that of the price's dollars:
	// "shortDescription says $85.00" beside an amount of 85.
	Dollars string `json:"dollars,omitempty"`
	// GoesOn is how many lines its log goes on for behind its answer, where that names a next page which was never asked for.
	GoesOn int `json:"goesOn,omitempty"`
	// AsksOnce says that the script which makes the call, and is given beside, asks for no page but the first.
	AsksOnce bool `json:"asksOnce,omitempty"`
	// TokenCut is how many characters of the token that was granted last before it carries, where these are that one's beginning alone.
	TokenCut int `json:"tokenCut,omitempty"`
	// TooSoon says by which call to another host what its answer shows as under way was taken for paid.
	TooSoon string `json:"tooSoon,omitempty"`
	// Elsewhere says where the files show what a refused call names: with another client, whose token it does not carry.
	Elsewhere string `json:"elsewhere,omitempty"`
	// CameBack says where the files show that a payer came back to the redirectUrl of this call, with nothing added to it, and was turned
	// away there by the partner's own page.
	CameBack string `json:"cameBack,omitempty"`
	// RunAgain says how a log tells that the call was made once more because its piece of work had failed behind it and was run again.
	RunAgain string `json:"runAgain,omitempty"`
	// SentTo says where the files show that the link which the answer to this registration tells was sent to another payer.
	SentTo string `json:"sentTo,omitempty"`
	// Page is what its log tells in words of its own of the page of a report that it was answered with, where it does not show the answer.
	Page *Page `json:"page,omitempty"`
	// StandIns are the pointers into Body whose values stand in for what was sent, "path" where a part of Path does.
	StandIns []string `json:"standIns,omitempty"`
	// Answer is what came back.
	Answer Answer `json:"answer"`
}

// Page is a page of a report, as a log tells of it.
type Page struct {
	// Rows are the ids of its transfers, perhaps only how these begin; Next is the cursor of the page behind it, "" for none.
	Rows []string `json:"rows"`
	Next string   `json:"next,omitempty"`
}

// Known says how much of an answer a recording holds.
type Known string

const (
	// NotRecorded means that the recording says nothing of the answer.
	NotRecorded Known = "not-recorded"
	// NeverArrived means that no answer of the service came to the caller (also when something
	// in between answered 502, 503 or 504), so that the call's outcome is unknown.
	NeverArrived Known = "never-arrived"
	// WithoutBody means that status and perhaps headers are known, the body is not.
	WithoutBody Known = "without-body"
	// Whole means that status and body are known; the body may be empty.
	Whole Known = "whole"
)

// What a HAR says in its comments of an answer that it does not hold: the format has no other place for it, and a body that is
// empty, or a status of 0, would say something else.
const (
	SaysNotRecorded = "the answer was not recorded"
	SaysTruncated   = "truncated: the body was not recorded"
)

// Answer is the answer of a call, as far as it is known.
type Answer struct {
	Known  Known         `json:"known"`
	Status int           `json:"status,omitempty"`
	Header []tape.Header `json:"header,omitempty"`
	Body   []byte        `json:"body,omitempty"`
}

// WholeHead says whether an answer is shown with all its headers: every server tells its Date, and who picks some to tell does not
// pick that. What others lack is not known not to have been there.
func (a *Answer) WholeHead() bool {
	_, dated := trail.Header(a.Header, "Date")
	return dated
}

// Signature says what became of checking a webhook's signature.
type Signature string

const (
	// Unchecked means that no secret was given.
	Unchecked Signature = ""
	// Valid means that it is the service's, made with the given secret.
	Valid Signature = "valid"
	// Wrong means that it is not what the given secret makes of the body.
	Wrong Signature = "wrong"
	// Otherwise means that it is the service's, but not written as it has to be.
	Otherwise Signature = "otherwise"
	// Missing means that the webhook has none.
	Missing Signature = "missing"
)

// AccessLog is the format of the access log of a receiver: it tells when something came, and not what.
const AccessLog = "access-log"

// Unread is the format of a file in which no call was found.
const Unread = "unread"

// Words is the format of what somebody wrote to go with other files: there is nothing in it to be
// exported in another form.
const Words = "words"

// OfSandbox says whether the hosts that were taken for the service all say by their names that they are its sandbox's.
func (r *Recording) OfSandbox() bool {
	return len(r.Services) > 0 && !slices.ContainsFunc(r.Services, func(s Service) bool { return !ofSandbox().MatchString(s.Host) })
}

// ofSandbox is how a part of a host's name begins that says so; a product may have it within its name.
var ofSandbox = trail.Pattern(`(?i)(?:^|[.-])sandbox`)

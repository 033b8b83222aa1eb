package recording

import (
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Received is one webhook as the partner received it.
type Received struct {
	// Place is where it was read; Also are other places that tell of the same arrival.
	Place Place   `json:"place"`
	Also  []Place `json:"also,omitempty"`
	// At is when it arrived, in UTC; zero when unknown.
	At time.Time `json:"at,omitzero"`
	// Took is how long the receiver took to answer; 0 when unknown.
	Took time.Duration `json:"took,omitempty"`
	// URL is the receiver's address, if known.
	URL string `json:"url,omitempty"`
	// Header and Body are what came in; the signature is verified over Body.
	Header []tape.Header `json:"header,omitempty"`
	Body   []byte        `json:"body,omitempty"`
	// Status is what the receiver answered; 0 when unknown.
	Status int `json:"status,omitempty"`
	// Reprinted says that the file holds the body as a value: its bytes may have been others.
	Reprinted bool `json:"reprinted,omitempty"`
	// Mentioned says that a log tells of it in words of its own: the body has what it tells, and may have held more.
	Mentioned bool `json:"mentioned,omitempty"`
	// Log is what the receiver's log tells of what it did.
	Log []Deed `json:"log,omitempty"`
	// Unsigned says that the file shows nothing in the place of its signature: others show theirs there.
	Unsigned bool `json:"unsigned,omitempty"`
	// Signature is what checking it before anything was scrubbed has shown.
	Signature Signature `json:"signature,omitempty"`
}

// Says is equal for deliveries of one event: its name, what it is about, what it says, and its time. It is "" for what is no
// event, or struck out.
func (w *Received) Says() string {
	b := trail.ReadBody(w.Body)
	d := b.Object("Data")
	about := d.Text("PaymentId") + d.Text("CompanyId")
	if b.Text("Event") == "" || about == "" || Struck(about) {
		return ""
	}
	return strings.Join([]string{b.Text("Event"), strings.ToLower(about), d.Text("Status"), d.Text("Timestamp")}, " ")
}

// Denied says whether the receiver has refused it for what it is signed with.
func (w *Received) Denied() bool {
	return w.Status == 401 || w.Status == 403 || w.Status == 0 && w.Did(Refused)
}

// TurnedDown says whether the receiver has refused it, for its signature or for what it says: who refuses does nothing.
func (w *Received) TurnedDown() bool {
	return w.Denied() || w.Status >= 400 && w.Status < 500 && !slices.Contains([]int{408, 425, 429, 499}, w.Status)
}

// Deed is something that a receiver did with a webhook, by a line of its log.
type Deed struct {
	Kind Kind   `json:"kind"`
	Line string `json:"line,omitempty"`
}

// Kind says what a receiver did.
type Kind string

// The kinds.
const (
	// Refused: it did not take the webhook for its signature. The line is the words that say so: "signature mismatch".
	Refused Kind = "refused"
	// SameDigest: it refused a signature of which it had computed the same digest, written otherwise.
	SameDigest Kind = "same-digest"
	// OtherDigest: it refused a signature that is right, and had computed another. The line says of what that is.
	OtherDigest Kind = "other-digest"
	// DidAgain: it did the same as for an earlier delivery of the same event.
	DidAgain Kind = "did-again"
	// PassedOver: it did nothing, at a delivery that came again.
	PassedOver Kind = "passed-over"
	// Ignored: it did nothing about the return of a payment that was Paid.
	Ignored Kind = "ignored"
	// TooSoon: it handed something over for a payment that the webhook tells to be under way.
	TooSoon Kind = "too-soon"
	// SetBack: it took this for the payment's state, although a later event had come before.
	SetBack Kind = "set-back"
	// Another: it did something for another payment than the webhook tells of. The line is that one's reference.
	Another Kind = "another"
)

// What stands in the line of a SameDigest for the digest, by how it was written.
const (
	Digest           = "[digest]"
	DigestInCapitals = "[digest in capitals]"
	DigestInBase64   = "[digest in Base64]"
)

// Kinds are all of them.
var Kinds = []Kind{Refused, SameDigest, OtherDigest, DidAgain, PassedOver, Ignored, TooSoon, SetBack, Another}

// Computed says of what the receiver has computed the digest with which it compared a signature that is right; "" where that is not known.
func (w *Received) Computed() string {
	if of := w.Line(OtherDigest); of != "" {
		return "; the digest that it computed is that of " + of
	}
	return ""
}

// Did says whether the receiver's log tells of a deed of a kind.
func (w *Received) Did(k Kind) bool {
	return slices.ContainsFunc(w.Log, func(d Deed) bool { return d.Kind == k })
}

// Lines are those of the log that tell of deeds of a kind.
func (w *Received) Lines(k Kind) (lines []string) {
	for _, d := range w.Log {
		if d.Kind == k {
			lines = append(lines, d.Line)
		}
	}
	return lines
}

// Line is the first of them, "" for none.
func (w *Received) Line(k Kind) string {
	for _, d := range w.Log {
		if d.Kind == k {
			return d.Line
		}
	}
	return ""
}

// Tell notes deeds of a kind in the place of those that are known.
func (w *Received) Tell(k Kind, lines ...string) {
	w.Log = slices.DeleteFunc(slices.Clone(w.Log), func(d Deed) bool { return d.Kind == k })
	for _, line := range lines {
		w.Log = append(w.Log, Deed{k, line})
	}
}

// Reply is what the receiver has answered; one whose answer is not recorded, and that
// tells of no refusal, has taken it.
func (w *Received) Reply() int {
	switch {
	case w.Status != 0:
		return w.Status
	case w.Did(Refused):
		return 401
	default:
		return 200
	}
}

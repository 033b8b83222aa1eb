package tape

import (
	"bytes"
	"errors"
	"fmt"
)

// Errors of [Entry.Validate] and [Memory.Append]. They come wrapped; use
// errors.Is.
var (
	// ErrKind means that the kind is not one of the declared kinds.
	ErrKind = errors.New("entry kind is not declared")
	// ErrSeq means that a sequence number is 0, or not above the one before it.
	ErrSeq = errors.New("entry number does not increase")
	// ErrCause means that an entry names itself or a later entry as its cause.
	ErrCause = errors.New("entry is caused by itself or by a later entry")
	// ErrBody means that an entry has not exactly the one body of its kind.
	ErrBody = errors.New("entry has not exactly the body of its kind")
)

// Entry is one line of the tape. Exactly one body is set, the one that belongs
// to the kind: Exchange for exchange, page and control, Findings for finding,
// and the member of the same name for every other kind.
type Entry struct {
	// Seq is the entry's number in its integration, from 1, strictly increasing.
	Seq uint64 `json:"seq"`
	// Cause is the number of the earlier entry that made this one happen; 0 and
	// absent when it came from outside unasked.
	Cause uint64 `json:"cause,omitempty"`
	// At is the virtual time in unix nanoseconds; in JSON RFC 3339, UTC, with up
	// to nine decimals.
	At int64 `json:"at"`
	// Kind says what the entry is about.
	Kind Kind `json:"kind"`
	// Label is what the caller named itself by: a person, branch or job that shares
	// the integration. What follows from a call has the call's label.
	Label string `json:"label,omitempty"`
	// Entities are the ids that the entry is about, the main one first.
	Entities []string `json:"entities,omitempty"`
	// Omitted is not 0 when the entry was larger than the whole tape may be: the
	// number of bytes that it would have taken. It then has no body.
	Omitted int64 `json:"omitted,omitempty"`

	Exchange   *Exchange   `json:"exchange,omitempty"`
	Clock      *Clock      `json:"clock,omitempty"`
	Timer      *Timer      `json:"timer,omitempty"`
	Transition *Transition `json:"transition,omitempty"`
	Event      *Event      `json:"event,omitempty"`
	Attempt    *Attempt    `json:"attempt,omitempty"`
	Message    *Message    `json:"message,omitempty"`
	Fetch      *Fetch      `json:"fetch,omitempty"`
	Findings   []Finding   `json:"findings,omitempty"`
	Hangup     *Hangup     `json:"hangup,omitempty"`
}

// Validate tells whether the entry is well formed on its own: a declared kind,
// a number, an earlier cause, and exactly the body of its kind (none when
// Omitted is set). The error wraps ErrKind, ErrSeq, ErrCause or ErrBody.
func (e *Entry) Validate() error {
	switch {
	case !e.Kind.Valid():
		return fmt.Errorf("entry %d of kind %d: %w", e.Seq, e.Kind, ErrKind)
	case e.Seq == 0:
		return fmt.Errorf("entry 0 of kind %s: %w", e.Kind, ErrSeq)
	case e.Cause >= e.Seq:
		return fmt.Errorf("entry %d with cause %d: %w", e.Seq, e.Cause, ErrCause)
	case e.Omitted < 0 || e.bodies() != e.wantBodies():
		return fmt.Errorf("entry %d of kind %s: %w", e.Seq, e.Kind, ErrBody)
	}
	return nil
}

// wantBodies is the set of bodies, one bit a kind, that the entry should have.
func (e *Entry) wantBodies() uint32 {
	switch {
	case e.Omitted > 0:
		return 0
	case e.Kind == KindPage || e.Kind == KindControl:
		return bit(KindExchange)
	default:
		return bit(e.Kind)
	}
}

// bodies is the set of bodies that the entry has.
func (e *Entry) bodies() uint32 {
	return bitIf(e.Exchange != nil, KindExchange) |
		bitIf(e.Clock != nil, KindClock) |
		bitIf(e.Timer != nil, KindTimer) |
		bitIf(e.Transition != nil, KindTransition) |
		bitIf(e.Event != nil, KindEvent) |
		bitIf(e.Attempt != nil, KindAttempt) |
		bitIf(e.Message != nil, KindMessage) |
		bitIf(e.Fetch != nil, KindFetch) |
		bitIf(len(e.Findings) > 0, KindFinding) |
		bitIf(e.Hangup != nil, KindHangup)
}

func bit(k Kind) uint32 { return 1 << k }

func bitIf(set bool, k Kind) uint32 {
	if set {
		return bit(k)
	}
	return 0
}

// Mentions tells whether a text stands in one of the entry's texts or bodies, A to
// Z in either case.
func (e *Entry) Mentions(text string) bool {
	if text == "" {
		return true
	}
	c := codec{pass: seeking, want: lower(text)}
	c.entry(e)
	return c.found
}

// Holds tells whether a text stands in another one, A to Z in either case.
func Holds(in, text string) bool { return holds([]byte(in), lower(text)) }

// lower writes A to Z in lower case, and leaves everything else.
func lower(text string) []byte {
	low := []byte(text)
	lowerTo(low, low)
	return low
}

// lowerTo writes a text in lower case over bytes that are as many.
func lowerTo(low, text []byte) {
	for n, c := range text {
		if c-'A' <= 'Z'-'A' {
			c |= 0x20
		}
		low[n] = c
	}
}

// sought is how many bytes are looked through at once.
const sought = 512

// holds tells whether a text, given in lower case, stands in bytes, A to Z in either
// case. That takes time by their number, whatever they are.
func holds(in, lower []byte) bool {
	if len(lower) == 0 {
		return true
	}
	var short [sought]byte
	low := short[:]
	if len(lower) > len(low)/2 {
		low = make([]byte, 2*len(lower))
	}
	first := lower[0]
	upper := first
	if 'a' <= first && first <= 'z' {
		upper = first &^ 0x20
	}
	small, large := next(in, first, 0), next(in, upper, 0)
	for at := min(small, large); at+len(lower) <= len(in); at = min(small, large) {
		n := min(len(in)-at, len(low))
		lowerTo(low[:n], in[at:at+n])
		if bytes.Contains(low[:n], lower) {
			return true
		}
		at += n - len(lower) + 1 // it may stand over the end of the piece
		if small < at {
			small = next(in, first, at)
		}
		if large < at {
			large = next(in, upper, at)
		}
	}
	return false
}

// next finds a byte from a place on; where there is none, that is the end.
func next(b []byte, c byte, from int) int {
	if n := bytes.IndexByte(b[from:], c); n >= 0 {
		return from + n
	}
	return len(b)
}

package tape

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Kind says what an entry is about, and with that which body it carries. In
// JSON it is the lower-case name. The zero value is no kind.
type Kind uint8

// The kinds. The values are internal; files carry the names.
const (
	// KindExchange is one request to the partner API and its response.
	KindExchange Kind = iota + 1
	// KindPage is one request for a hosted page and its response.
	KindPage
	// KindControl is one call of the control API and its response.
	KindControl
	// KindClock is a move of the virtual clock, or a change of its mode.
	KindClock
	// KindTimer is a timer that fired.
	KindTimer
	// KindTransition is a state change of one resource.
	KindTransition
	// KindEvent is an event that was emitted for webhook endpoints.
	KindEvent
	// KindAttempt is one delivery attempt and the receiver's answer.
	KindAttempt
	// KindMessage is an e-mail or SMS to a simulated person.
	KindMessage
	// KindFetch is a file that was downloaded from a partner's address.
	KindFetch
	// KindFinding is a list of findings about a request.
	KindFinding
	// KindHangup is a caller that hung up while its answer was held back.
	KindHangup
)

// kindNames are the names in files, indexed by kind.
var kindNames = [...]string{
	"", "exchange", "page", "control", "clock", "timer", "transition",
	"event", "attempt", "message", "fetch", "finding", "hangup",
}

// Kinds lists every kind in declaration order.
func Kinds() []Kind {
	kinds := make([]Kind, 0, len(kindNames)-1)
	for k := KindExchange; k.Valid(); k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// Valid tells whether k is one of the declared kinds.
func (k Kind) Valid() bool { return k > 0 && int(k) < len(kindNames) }

// Input tells whether an entry of this kind came from outside (exchange, page,
// control, clock, attempt, fetch, hangup). Everything else is a consequence: a fresh
// world that is fed the inputs produces it again.
func (k Kind) Input() bool {
	switch k {
	case KindExchange, KindPage, KindControl, KindClock, KindAttempt, KindFetch, KindHangup:
		return true
	default:
		return false
	}
}

// String returns the name in files, or "kind(N)" for an undeclared kind.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// MarshalText returns the name in files; an undeclared kind is an error.
func (k Kind) MarshalText() ([]byte, error) {
	if !k.Valid() {
		return nil, fmt.Errorf("write entry kind %d: not a declared kind", uint8(k))
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText accepts exactly the names in files.
func (k *Kind) UnmarshalText(text []byte) error {
	for known := KindExchange; known.Valid(); known++ {
		if kindNames[known] == string(text) {
			*k = known
			return nil
		}
	}
	return fmt.Errorf("unknown entry kind %q", excerpt(text))
}

// FaultLabel names the armed fault that changed an exchange, and says what the fault does:
// "f1: status=503; latency=2s". It is empty for none.
type FaultLabel string

// LabelFault makes the label of a fault, whose effects are written as in the header
// Sandbox-Fault.
func LabelFault(id, effects string) FaultLabel { return FaultLabel(id + ": " + effects) }

// ID is the fault's.
func (l FaultLabel) ID() string {
	id, _, _ := strings.Cut(string(l), ": ")
	return id
}

// Effects are all that the fault does, written as in the header Sandbox-Fault.
func (l FaultLabel) Effects() string {
	_, effects, _ := strings.Cut(string(l), ": ")
	return effects
}

// Effect finds an effect by its name. Not each has a value.
func (l FaultLabel) Effect(name string) (value string, ok bool) {
	for part := range strings.SplitSeq(l.Effects(), "; ") {
		if found, v, _ := strings.Cut(part, "="); found == name {
			return v, true
		}
	}
	return "", false
}

// Profiles is a set of delivery profiles: their names in the documented order,
// between commas; empty for none.
type Profiles string

// Each goes through the names.
func (p Profiles) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(string(p), ",") {
			if name != "" && !yield(name) {
				return
			}
		}
	}
}

// Has says whether one of the names is in the set.
func (p Profiles) Has(names ...string) bool {
	for name := range p.Each() {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

package delivery

import (
	"slices"
	"strings"
)

// Profile is a set of the ways in which deliveries to an endpoint go wrong on
// purpose.
type Profile uint32

// The profiles. Duplicate, Reorder, Delay, Burst and ParallelDuplicate decide
// when, and how often, an attempt goes out; the others shape an attempt and are
// read by the sender.
const (
	Duplicate         Profile = 1 << iota // after a success the delivery goes out once more
	Reorder                               // an event is held until the next one has gone
	Delay                                 // the first attempt waits 1 to 60 minutes
	Burst                                 // events are gathered and released together
	BeforeResponse                        // the event arrives before the answer to the call
	StaleTimestamp                        // the event says that it is an hour old
	WrongSecret                           // signed with another secret
	MissingSignature                      // not signed
	AlteredByte                           // changed after it was signed
	OddJSON                               // the same JSON written unusually
	UnknownEvent                          // a name that nobody knows
	ExtraMember                           // members that nobody knows
	SlowRead                              // written byte by byte
	CutConnection                         // ends in the middle
	StaleSignature                        // the signature of a body that went out before
	ParallelDuplicate                     // two attempts at the same moment
	AlteredSignature                      // one digit of the signature is another
	EmptySecret                           // signed with the empty secret
	AlteredStatus                         // tells another status than was signed
)

// holding are the profiles that decide, when an event happens, when it goes out.
const holding = Reorder | Delay | Burst

// profileNames are the names of the profiles, by their bits.
var profileNames = [...]string{
	"duplicate", "reorder", "delay", "burst", "before-response", "stale-timestamp", "wrong-secret",
	"missing-signature", "altered-byte", "odd-json", "unknown-event", "extra-member", "slow-read", "cut-connection",
	"stale-signature", "parallel-duplicate", "altered-signature", "empty-secret", "altered-status",
}

// ProfileNames lists the delivery profiles in their documented order.
func ProfileNames() []string { return slices.Clone(profileNames[:]) }

// ParseProfile reads names between commas, in any case and order, and gives
// those that it does not know.
func ParseProfile(s string) (p Profile, unknown []string) {
	for name := range strings.SplitSeq(s, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if i := slices.Index(profileNames[:], name); i >= 0 {
			p |= 1 << i
		} else if name != "" {
			unknown = append(unknown, name)
		}
	}
	return p, unknown
}

// Has says whether one of the profiles is in the set.
func (p Profile) Has(q Profile) bool { return p&q != 0 }

// Names lists the profiles of a set in the documented order; nil when it is
// empty.
func (p Profile) Names() []string {
	var names []string
	for i, name := range profileNames {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String writes the set as the names between commas.
func (p Profile) String() string { return strings.Join(p.Names(), ",") }

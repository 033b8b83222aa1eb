package verdict

import (
	"strconv"
)

// Offences collects what breaks a clause in one way, to be told once.
type Offences struct {
	N       int
	First   string
	Entries []uint64
	// Hint is what the tape itself says of how to mend it; mostly empty.
	Hint string
}

// Add notes one more.
func (o *Offences) Add(received string, entries ...uint64) {
	if o.N++; o.N == 1 {
		o.First = received
	}
	if len(o.Entries) < MaxEvidence {
		o.Entries = append(o.Entries, entries...)
	}
}

// Fail tells of all of them in one verdict.
func (o *Offences) Fail(y *Tally, expected string) {
	if o.N == 0 {
		return
	}
	received := o.First
	if o.N > 1 {
		received += ", and " + strconv.Itoa(o.N-1) + " more of the kind"
	}
	y.Add(Judgement{Word: Fail, Expected: expected, Received: received, Hint: o.Hint, Entries: o.Entries})
}

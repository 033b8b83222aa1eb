package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// EvidenceOf makes evidence of a verdict on a tape, with the first exchange that
// it rests on. The entries are in the order of their numbers.
func EvidenceOf(v *verdict.Judgement, entries []tape.Entry) Evidence {
	e := Evidence{Entries: slices.Clone(v.Entries), Expected: v.Expected, Received: v.Received, Hint: v.Hint}
	for _, seq := range v.Entries {
		i, found := slices.BinarySearchFunc(entries, seq, func(e tape.Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
		if found && entries[i].Exchange != nil {
			e.Request, e.Response = Excerpt(entries[i].Exchange)
			break
		}
	}
	return e
}

// Numbers is what a piece of evidence rests on: tape entries as text.
func (e Evidence) Numbers() string {
	var b strings.Builder
	for i, n := range e.Entries {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d", n)
	}
	if e.MoreEntries > 0 {
		fmt.Fprintf(&b, " and %d more", e.MoreEntries)
	}
	return b.String()
}

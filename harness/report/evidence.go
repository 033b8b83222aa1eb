package report

import (
	"cmp"
	"slices"

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

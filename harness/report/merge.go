package report

import (
	"cmp"
	"slices"
)

// merge makes one result of all the judgements of a clause: the most telling
// verdict stands, with the evidence and the reason of those judgements that came
// to it, in the order of their scenarios.
func merge(judgements []ClauseResult) ClauseResult {
	list := slices.Clone(judgements)
	slices.SortStableFunc(list, compareJudgements)
	result := list[0]
	result.Evidence, result.Scenarios, result.MoreEvidence = nil, nil, 0
	for _, j := range list {
		result.Scenarios = append(result.Scenarios, j.Scenarios...)
		if j.Verdict == result.Verdict {
			result.Evidence = append(result.Evidence, j.Evidence...)
			result.MoreEvidence += j.MoreEvidence
			result.Reason = cmp.Or(result.Reason, j.Reason)
		}
		if result.Deviation == nil {
			result.Deviation = j.Deviation
		}
	}
	if more := len(result.Evidence) - MaxEvidence; more > 0 {
		result.Evidence, result.MoreEvidence = result.Evidence[:MaxEvidence], result.MoreEvidence+more
	}
	slices.SortStableFunc(result.Scenarios, compareRefs)
	result.Scenarios = slices.Compact(result.Scenarios)
	return result
}

// compareJudgements orders by verdict, then by where and by what was seen, so
// that the order of arrival does not matter.
func compareJudgements(a, b ClauseResult) int {
	return cmp.Or(
		cmp.Compare(a.Verdict.Rank(), b.Verdict.Rank()),
		slices.CompareFunc(a.Scenarios, b.Scenarios, compareRefs),
		slices.CompareFunc(a.Evidence, b.Evidence, compareEvidence),
		cmp.Compare(a.Reason, b.Reason),
	)
}

// compareEvidence orders by entries and then by text.
func compareEvidence(a, b Evidence) int {
	return cmp.Or(
		slices.Compare(a.Entries, b.Entries),
		cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Received, b.Received), cmp.Compare(a.Hint, b.Hint),
		cmp.Compare(a.Request, b.Request), cmp.Compare(a.Response, b.Response),
	)
}

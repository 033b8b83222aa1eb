package readiness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// View reads a report as people do, who want to know first whether an integration is
// ready for production.
type View struct{ *report.Report }

// Look is the verdict that a page's colour and sign show. Where the gate and the
// readiness disagree, because an advice was not followed or something missing was
// allowed, it is neither good nor bad.
func (v View) Look() verdict.Word {
	if v.Readiness != nil && v.Readiness.Ready != (v.Verdict == verdict.Pass) {
		return verdict.Warning
	}
	return v.Verdict
}

// Blocks tells whether a clause blocks production access.
func (v View) Blocks(clause string) bool {
	return v.Readiness != nil && slices.Contains(v.Readiness.Blocking, clause)
}

// Unshown tells whether production access waits for somebody to look at a clause.
func (v View) Unshown(clause string) bool {
	return v.Readiness != nil && slices.Contains(v.Readiness.NotShown, clause)
}

// NotShown are the clauses that traffic alone does not show.
func (v View) NotShown() []report.ClauseResult {
	if v.Readiness == nil {
		return nil
	}
	var list []report.ClauseResult
	for _, id := range v.Readiness.NotShown {
		list = append(list, v.Clause(id))
	}
	return list
}

// ToShow is what to do about clauses that traffic alone does not show.
const ToShow = "Let the application tell its state, by --state-url or notes of kind state, and do what each asks for; or have a person look and attest (--attest)."

// Exercise says how to bring about the evidence that a clause lacks.
func (v View) Exercise(clause string) string {
	if v.Readiness == nil {
		return ""
	}
	for _, m := range v.Readiness.Missing {
		if m.Clause == clause {
			return Advice(m)
		}
	}
	return ""
}

// Needed splits what is missing into what the verdict waits for and the rest:
// advice, and what is not about this run unless it is what keeps an integration
// from being ready, because it can be seen elsewhere only. For what is required of those
// alone who come across it nobody waits.
func (v View) Needed() (must, rest []report.Missing) {
	for _, m := range v.Readiness.Missing {
		word := v.Clause(m.Clause).Verdict
		elsewhere := word == verdict.NotApplicable && v.Readiness.Ready
		if m.Level == "MUST" && word != verdict.Disabled && !elsewhere && !clause.OnlyWhereMet(m.Clause) {
			must = append(must, m)
		} else {
			rest = append(rest, m)
		}
	}
	return must, rest
}

// NotJudged says how much nobody has judged, for those who read no further; empty when
// everything was, and about a service.
func (v View) NotJudged() string {
	if v.Readiness == nil {
		return ""
	}
	var parts []string
	if _, rest := v.Needed(); len(rest) > 0 {
		parts = append(parts, words.Plural(len(rest), "rule", "rules")+" for want of evidence")
	}
	if n := len(v.Partly()); n > 0 {
		parts = append(parts, "parts of "+words.Plural(n, "rule that holds", "rules that hold")+" otherwise")
	}
	if n := len(v.Readiness.Invisible); n > 0 {
		parts = append(parts, words.Plural(n, "thing", "things")+" that nobody can see from outside")
	}
	if last := len(parts) - 1; last > 0 {
		parts = []string{strings.Join(parts[:last], ", ") + " and " + parts[last]}
	}
	return words.After("Not judged, and not waited for: ", strings.Join(parts, ""))
}

// Excused tells whether a clause failed as somebody said that it would; what
// blocks production access is never excused.
func (v View) Excused(c report.ClauseResult) bool {
	return c.Verdict == verdict.Fail && c.Deviation != nil && !v.Blocks(c.ID)
}

// Accepted is the word for a failure that somebody answers for: about the service a
// known deviation, about an integration a waiver.
func (v View) Accepted() string {
	if v.Readiness == nil {
		return "known deviation"
	}
	return "waived"
}

// Partly are the clauses that hold as far as they were met: their reasons say what was not seen.
func (v View) Partly() []report.ClauseResult {
	var list []report.ClauseResult
	for _, c := range v.Clauses {
		if c.Verdict == verdict.Pass && c.Reason != "" && c.Attested == nil {
			list = append(list, c)
		}
	}
	return list
}

// Attested are the clauses on which a person has given their word.
func (v View) Attested() []report.ClauseResult {
	var list []report.ClauseResult
	for _, c := range v.Clauses {
		if c.Attested != nil {
			list = append(list, c)
		}
	}
	return list
}

// Word says what became of an attested clause, who says so, and until when.
func Word(a *report.Attestation) string {
	result := "attested"
	if !a.Passed {
		result = "attested not to hold"
	}
	return fmt.Sprintf("%s by %s at %s (sha256 %s), until %s", result, a.Who, a.At, a.SHA256, a.Lapses)
}

// Unjudged says why a clause was not judged, and what can be done about it.
func (v View) Unjudged(c report.ClauseResult) string {
	if v.Excused(c) {
		return v.Accepted() + ": " + c.Deviation.Reason
	}
	text := string(c.Verdict)
	if c.Verdict == verdict.NotExercised {
		text += " (" + c.Verdict.Label() + ")"
	}
	return cmp.Or(text, "not judged") + words.After(": ", v.Why(c)) + words.After("; to exercise it: ", v.Exercise(c.ID))
}

// Why is why a clause was not judged, without the way to exercise it, which
// stands elsewhere.
func (v View) Why(c report.ClauseResult) string {
	if v.Readiness == nil {
		return c.Reason
	}
	for _, m := range v.Readiness.Missing {
		if m.Clause == c.ID && m.Exercise != "" {
			return strings.TrimRight(strings.TrimSuffix(c.Reason, m.Exercise), ": ")
		}
	}
	return c.Reason
}

// Blocking are the clauses that block production access, and the troubles that
// do not. An id that the report does not hold stands for itself.
func (v View) Blocking() (blocking, others []report.ClauseResult) {
	if v.Readiness == nil {
		return nil, v.Troubles()
	}
	for _, id := range v.Readiness.Blocking {
		blocking = append(blocking, v.Clause(id))
	}
	for _, c := range v.Troubles() {
		if !v.Blocks(c.ID) && !v.Unshown(c.ID) {
			others = append(others, c)
		}
	}
	return blocking, others
}

// Attention is the title above the troubles that block nothing.
func (v View) Attention() string {
	if v.Readiness != nil {
		return "What else needs attention"
	}
	return "What needs attention"
}

// Clause finds a result by its id; one that is not there has nothing but its id.
func (v View) Clause(id string) report.ClauseResult {
	i := slices.IndexFunc(v.Clauses, func(c report.ClauseResult) bool { return c.ID == id })
	if i < 0 {
		return report.ClauseResult{ID: id}
	}
	return v.Clauses[i]
}

// Because is the run's reason, unless the headline says the same.
func (v View) Because() string {
	if strings.Contains(strings.ToLower(v.Headline()), strings.ToLower(strings.TrimSuffix(strings.TrimSpace(v.Reason), "."))) {
		return ""
	}
	return v.Reason
}

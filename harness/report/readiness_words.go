package report

import (
	"slices"
	"strings"

	"paysandbox/harness/verdict"
)

// look is the verdict that a page's colour and sign show. Where the gate and the
// readiness disagree, because an advice was not followed or something missing was
// allowed, it is neither good nor bad.
func (r *Report) look() verdict.Word {
	if r.Readiness != nil && r.Readiness.Ready != (r.Verdict == verdict.Pass) {
		return verdict.Warning
	}
	return r.Verdict
}

// blocks tells whether a clause blocks production access.
func (r *Readiness) blocks(clause string) bool {
	return r != nil && slices.Contains(r.Blocking, clause)
}

// exercise says how to bring about the evidence that a clause lacks.
func (r *Readiness) exercise(clause string) string {
	if r == nil {
		return ""
	}
	for _, m := range r.Missing {
		if m.Clause == clause {
			return m.advice()
		}
	}
	return ""
}

// attempt finds how often the opportunity was given.
func (r *Readiness) attempt(clause string) Attempt {
	for _, a := range r.Attempts {
		if a.Clause == clause {
			return a
		}
	}
	return Attempt{Clause: clause}
}

// words says how often the opportunity was given; nothing where it never was.
func (a Attempt) words() string {
	switch {
	case a.Armed == 0 && a.Met == 0:
		return ""
	case a.Armed == 0:
		return "met " + times(a.Met)
	case a.Met == 0:
		return "tried " + times(a.Armed) + ", never met by traffic"
	default:
		return "tried " + times(a.Armed) + ", met " + times(a.Met)
	}
}

// soFar says how often the opportunity for a missing clause was given, and why that
// was not enough; nothing where nothing is known.
func (r *Readiness) soFar(m Missing) string {
	tried := r.attempt(m.Clause).words()
	if tried == "" {
		return firstLine(m.Why)
	}
	return tried + joined(": ", firstLine(m.Why))
}

// times is a number of times in words.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return plural(n, "time", "times")
	}
}

// tries is how often trouble was armed and met in all.
func (r *Readiness) tries() (armed, met int) {
	for _, a := range r.Attempts {
		armed, met = armed+a.Armed, met+a.Met
	}
	return armed, met
}

// needed splits what is missing into what the verdict waits for and the rest:
// advice, and what is not about this run unless it is what keeps an integration
// from being ready, because it can be seen elsewhere only.
func (r *Report) needed() (must, rest []Missing) {
	for _, m := range r.Readiness.Missing {
		v := r.clause(m.Clause).Verdict
		elsewhere := v == verdict.NotApplicable && r.Readiness.Ready
		if m.Level == "MUST" && v != verdict.Disabled && !elsewhere {
			must = append(must, m)
		} else {
			rest = append(rest, m)
		}
	}
	return must, rest
}

// excused tells whether a clause failed as somebody said that it would; what
// blocks production access is never excused.
func (r *Report) excused(c ClauseResult) bool {
	return c.Verdict == verdict.Fail && c.Deviation != nil && !r.Readiness.blocks(c.ID)
}

// unjudged says why a clause was not judged, and what can be done about it.
func (r *Report) unjudged(c ClauseResult) string {
	if r.excused(c) {
		return "known deviation: " + c.Deviation.Reason
	}
	text := string(c.Verdict)
	if c.Verdict == verdict.NotExercised {
		text += " (" + c.Verdict.Label() + ")"
	}
	return orText(text, "not judged") + joined(": ", r.reason(c)) + joined("; to exercise it: ", r.Readiness.exercise(c.ID))
}

// reason is why a clause was not judged, without the way to exercise it, which
// stands elsewhere.
func (r *Report) reason(c ClauseResult) string {
	if r.Readiness == nil {
		return c.Reason
	}
	for _, m := range r.Readiness.Missing {
		if m.Clause == c.ID && m.Exercise != "" {
			return strings.TrimRight(strings.TrimSuffix(c.Reason, m.Exercise), ": ")
		}
	}
	return c.Reason
}

// blocking are the clauses that block production access, and the troubles that
// do not. An id that the report does not hold stands for itself.
func (r *Report) blocking() (blocking, others []ClauseResult) {
	if r.Readiness == nil {
		return nil, r.Troubles()
	}
	for _, id := range r.Readiness.Blocking {
		blocking = append(blocking, r.clause(id))
	}
	for _, c := range r.Troubles() {
		if !r.Readiness.blocks(c.ID) {
			others = append(others, c)
		}
	}
	return blocking, others
}

// attention is the title above the troubles that block nothing.
func (r *Report) attention() string {
	if r.Readiness != nil {
		return "What else needs attention"
	}
	return "What needs attention"
}

// clause finds a result by its id; one that is not there has nothing but its id.
func (r *Report) clause(id string) ClauseResult {
	i := slices.IndexFunc(r.Clauses, func(c ClauseResult) bool { return c.ID == id })
	if i < 0 {
		return ClauseResult{ID: id}
	}
	return r.Clauses[i]
}

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// Count is how many clauses have a verdict.
type Count struct {
	// Verdict is the verdict.
	Verdict verdict.Word
	// N is the number of clauses.
	N int
}

// Area is how the clauses of a part of the service stand.
type Area struct {
	// Name is the area, for example companies.
	Name string
	// Total is the number of its clauses, Judged of those that were judged.
	Total, Judged int
	// Counts are its verdicts, without those that no clause has.
	Counts []Count
}

// Counts is how many clauses have each verdict, the most telling first, without
// those that no clause has.
func (r *Report) Counts() []Count { return count(r.Clauses) }

// Areas is how the clauses stand, area by area, in the order of the names.
func (r *Report) Areas() []Area {
	byName := map[string][]ClauseResult{}
	var names []string
	for _, c := range r.Clauses {
		if byName[c.Area] == nil {
			names = append(names, c.Area)
		}
		byName[c.Area] = append(byName[c.Area], c)
	}
	slices.Sort(names)
	areas := make([]Area, 0, len(names))
	for _, name := range names {
		a := Area{Name: name, Total: len(byName[name]), Counts: count(byName[name])}
		for _, c := range a.Counts {
			if c.Verdict.Judged() {
				a.Judged += c.N
			}
		}
		areas = append(areas, a)
	}
	return areas
}

// Troubles are the clauses that somebody has to act on, the most telling verdict
// first and otherwise in their order.
func (r *Report) Troubles() []ClauseResult {
	var list []ClauseResult
	for _, c := range r.Clauses {
		if c.Verdict.Trouble() || (c.Deviation != nil && !c.Deviation.Occurs) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b ClauseResult) int { return a.Verdict.Rank() - b.Verdict.Rank() })
	return list
}

// Headline is the run's outcome in one sentence; about an integration it is the
// sentence of its [Readiness].
func (r *Report) Headline() string {
	if r.Readiness != nil && (r.Readiness.Sentence != "" || r.ExitCode != verdict.CodeConfig && r.ExitCode != verdict.CodeBroken) {
		return r.Readiness.headline()
	}
	switch r.ExitCode {
	case verdict.CodeMet:
		return "Gate met"
	case verdict.CodeFailed:
		return "Gate not met: " + words.Plural(r.failed(), "clause", "clauses") + " failed"
	case verdict.CodeConfig:
		return "The run could not start: its configuration does not fit"
	case verdict.CodeLittle:
		return "Too little evidence: the gate cannot be judged"
	case verdict.CodeBroken:
		return "The harness or the target broke: nothing is said about the service"
	case verdict.CodeGone:
		return "Gate not met: a listed deviation no longer occurs"
	default:
		return fmt.Sprintf("The run ended with exit code %d", r.ExitCode)
	}
}

// Rerun is the command line that judges one clause again; an empty id stands for
// the whole run. An integration is always judged as a whole, and journeys are
// played as they are.
func (r *Report) Rerun(clause string) string {
	command := r.Command
	if r.Readiness != nil {
		return cmp.Or(command, fmt.Sprintf("paysandbox observe --seed %d", r.Seed))
	}
	if r.Kind == KindJourneys {
		return cmp.Or(command, fmt.Sprintf("paysandbox journey run --all --seed %d", r.Seed))
	}
	if command == "" {
		command = "paysandbox verify"
		if strings.Contains(r.Target, "://") {
			command += " --target " + quote(r.Target)
		}
		command += fmt.Sprintf(" --seed %d", r.Seed)
	}
	if clause != "" {
		command += " --clauses " + quote(clause)
	}
	return command
}

// failed is the number of clauses that failed without a deviation.
func (r *Report) failed() int {
	n := 0
	for _, c := range r.Clauses {
		if c.Verdict == verdict.Fail && c.Deviation == nil {
			n++
		}
	}
	return n
}

// ScenarioCount is the number of scenarios with a status.
func (r *Report) ScenarioCount(s Status) int {
	n := 0
	for _, x := range r.Scenarios {
		if x.Status == s {
			n++
		}
	}
	return n
}

// String is the part of the whole with its percentage, rounded down.
func (s Share) String() string {
	if s.Of <= 0 {
		return "none tried"
	}
	return fmt.Sprintf("%d of %d (%d %%)", s.Killed, s.Of, 100*s.Killed/s.Of)
}

// count is how many of the clauses have each verdict.
func count(clauses []ClauseResult) []Count {
	var counts []Count
	for _, v := range verdict.Words() {
		n := 0
		for _, c := range clauses {
			if c.Verdict == v {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, Count{v, n})
		}
	}
	return counts
}

// quote makes a word of a shell's command line.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

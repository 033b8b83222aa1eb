package diff

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// Diff is what changed from one report to another. Each of its lists is ordered
// by the later verdict, the most telling first, then by level, area and id; the
// lists are never nil.
type Diff struct {
	// Old and New are the two reports.
	Old Side `json:"old"`
	New Side `json:"new"`
	// Regressed are clauses that held and now fail. A failure that somebody
	// answers for, a known deviation, is none.
	Regressed []Change `json:"regressed"`
	// Fixed are clauses that failed and now hold.
	Fixed []Change `json:"fixed"`
	// Newly are clauses that were not judged before, or were not there, and now
	// are; they may fail. Those that were not shown, and waited for somebody to look, are
	// among them.
	Newly []Change `json:"newlyApplicable"`
	// NoLonger are clauses that were judged before and now are not, or wait now for
	// somebody to look.
	NoLonger []Change `json:"noLongerJudged"`
	// Failing are clauses that failed before and still do, and known deviations.
	Failing []Change `json:"stillFailing"`
	// Same is the number of the other clauses: they hold as before, or were judged
	// in neither report.
	Same int `json:"same"`
	// Notes say what differs besides the verdicts and may be their cause, for
	// example the catalogue.
	Notes []string `json:"notes"`
}

// Side names one of two reports.
type Side struct {
	// Report is the kind, see [report.Report.Title].
	Report string `json:"report"`
	// Headline is the report's outcome in one sentence.
	Headline string `json:"headline"`
	// Tool and Version made the report; Target, Seed, Verdict and ExitCode are as
	// in the report.
	Tool     string       `json:"tool"`
	Version  string       `json:"version"`
	Target   string       `json:"target"`
	Seed     uint64       `json:"seed"`
	Verdict  verdict.Word `json:"verdict"`
	ExitCode int          `json:"exitCode"`
}

// Change is a clause with what was and is found out about it.
type Change struct {
	// Clause, Title, Level and Area are the clause's, as the later report has them.
	Clause string `json:"clause"`
	Title  string `json:"title"`
	Level  string `json:"level"`
	Area   string `json:"area"`
	// Was and Is are the verdicts; empty where a report does not have the clause.
	Was verdict.Word `json:"was"`
	Is  verdict.Word `json:"is"`
	// Deviation is why the failure is expected; empty for one that is not.
	Deviation string `json:"deviation,omitempty"`
	// Why is what was seen, or why it was not judged, in one line; it may be empty.
	Why string `json:"why,omitempty"`
}

// Compare says what changed from an old report to a new one of the same kind.
func Compare(from, to *report.Report) Diff {
	d := Diff{
		Old: sideOf(from), New: sideOf(to), Notes: differences(from, to),
		Regressed: []Change{}, Fixed: []Change{}, Newly: []Change{}, NoLonger: []Change{}, Failing: []Change{},
	}
	old := make(map[string]report.ClauseResult, len(from.Clauses))
	for _, c := range from.Clauses {
		old[c.ID] = c
	}
	for _, c := range to.Clauses {
		d.add(old[c.ID].Verdict, c.Verdict, change(to, c))
		delete(old, c.ID)
	}
	for _, c := range from.Clauses {
		if _, gone := old[c.ID]; gone {
			x := change(from, c)
			x.Why, x.Deviation = "", ""
			d.add(c.Verdict, "", x)
		}
	}
	for _, list := range [][]Change{d.Regressed, d.Fixed, d.Newly, d.NoLonger, d.Failing} {
		slices.SortStableFunc(list, compareChanges)
	}
	return d
}

// Lost are the clauses of level MUST that were judged, and now lack evidence: the
// new report says less than the old one, although nothing regressed. What does not
// apply any more, was switched off or is not in the new report is none of them.
func (d *Diff) Lost() []Change {
	var list []Change
	for _, c := range d.NoLonger {
		if c.Level == "MUST" && !clause.OnlyWhereMet(c.Clause) && c.Is != "" && c.Is != verdict.NotApplicable && c.Is != verdict.Disabled {
			list = append(list, c)
		}
	}
	return list
}

// Common is the number of clauses that both reports have: without any, the two
// say nothing about each other.
func Common(a, b *report.Report) int {
	ids, n := make(map[string]bool, len(a.Clauses)), 0
	for _, c := range a.Clauses {
		ids[c.ID] = true
	}
	for _, c := range b.Clauses {
		if ids[c.ID] {
			n++
		}
	}
	return n
}

// add puts a change where it belongs.
func (d *Diff) add(was, is verdict.Word, c Change) {
	c.Was, c.Is = was, is
	held := holds(was) || waits(was)
	switch {
	case !was.Judged() && !is.Judged():
		d.Same++
	case !is.Judged(), waits(is) && was.Judged() && !waits(was):
		d.NoLonger = append(d.NoLonger, c)
	case !was.Judged(), waits(was) && holds(is):
		d.Newly = append(d.Newly, c)
	case is == verdict.Fail && held && c.Deviation == "":
		d.Regressed = append(d.Regressed, c)
	case is == verdict.Fail:
		d.Failing = append(d.Failing, c)
	case was == verdict.Fail:
		d.Fixed = append(d.Fixed, c)
	default:
		d.Same++
	}
}

func holds(w verdict.Word) bool { return w == verdict.Pass || w == verdict.Warning }

// waits says whether somebody has to look, since calls and answers alone do not show it.
func waits(w verdict.Word) bool { return w == verdict.Review }

// change is a clause as a change, without its verdicts.
func change(r *report.Report, c report.ClauseResult) Change {
	x := Change{Clause: c.ID, Title: words.FirstLine(c.Title), Level: c.Level, Area: c.Area}
	if (readiness.View{Report: r}).Excused(c) {
		x.Deviation = words.FirstLine(cmp.Or(c.Deviation.Reason, "a known deviation"))
	}
	switch {
	case c.Verdict == verdict.Pass:
	case !c.Verdict.Judged():
		x.Why = words.FirstLine(c.Reason)
	case len(c.Evidence) == 0:
	case c.Evidence[0].Expected != "":
		x.Why = "expected " + words.FirstLine(c.Evidence[0].Expected) + ", received " + words.FirstLine(cmp.Or(c.Evidence[0].Received, "nothing"))
	default:
		x.Why = words.FirstLine(c.Evidence[0].Received)
	}
	return x
}

// sideOf names a report.
func sideOf(r *report.Report) Side {
	return Side{r.Title(), r.Headline(), r.Tool, r.Version, r.Target, r.Seed, r.Verdict, r.ExitCode}
}

// differences says what else differs, and may be the cause of the changes.
func differences(from, to *report.Report) []string {
	notes := []string{}
	add := func(differ bool, format string, args ...any) {
		if differ {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	add(from.Title() != to.Title(), "The reports are of two kinds: %s, and %s.", strings.ToLower(from.Title()), strings.ToLower(to.Title()))
	if from.Readiness != nil && to.Readiness != nil {
		add(from.Readiness.Ready && !to.Readiness.Ready, "The integration was ready for production, and is not any more.")
		add(!from.Readiness.Ready && to.Readiness.Ready, "The integration was not ready for production, and is now.")
	}
	add(from.Version != to.Version, "The version of the tool was %s and is %s.", cmp.Or(words.FirstLine(from.Version), "unknown"), cmp.Or(words.FirstLine(to.Version), "unknown"))
	add(from.Readiness == nil && place(from.Target) != place(to.Target), "The target was %s and is %s.", cmp.Or(words.FirstLine(from.Target), "unknown"), cmp.Or(words.FirstLine(to.Target), "unknown"))
	// An integration's target is only where it was seen, and its tape does not say
	// who it was.
	observed := from.Observed != "" && to.Observed != "" && from.Observed != to.Observed
	add(observed, "What was observed was %s and is %s.", words.FirstLine(from.Observed), words.FirstLine(to.Observed))
	add(from.Seed != to.Seed, "The seed was %d and is %d.", from.Seed, to.Seed)
	for _, d := range digestsOf(to) {
		for _, o := range digestsOf(from) {
			add(o.Name == d.Name && d.Name != "tape" && o.SHA256 != d.SHA256, "The %s changed.", words.FirstLine(d.Name))
		}
	}
	return notes
}

// place is a target without its port where that is drawn anew for each run: on
// this machine.
func place(target string) string {
	at, err := url.Parse(target)
	if err != nil || at.Host == "" {
		return target
	}
	if ip, err := netip.ParseAddr(at.Hostname()); err == nil && ip.IsLoopback() {
		at.Host = at.Hostname()
	}
	return at.String()
}

// digestsOf is what a report rests on.
func digestsOf(r *report.Report) []report.Digest {
	if r.Readiness == nil {
		return nil
	}
	return r.Readiness.Digests
}

// compareChanges orders changes.
func compareChanges(a, b Change) int {
	levels := []string{"MUST", "SHOULD", "MAY"}
	return cmp.Or(
		cmp.Compare(a.Is.Rank(), b.Is.Rank()),
		cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level)),
		cmp.Compare(a.Area, b.Area),
		cmp.Compare(a.Clause, b.Clause),
	)
}

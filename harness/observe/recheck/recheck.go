// Package recheck holds a stored report about an integration to what its tape shows when
// it is judged again: by another person, with another binary, on a later day. It judges
// nothing itself, and reads no file.
package recheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verdict"
)

// Outcome is what became of a report.
type Outcome string

// The outcomes, the gravest first.
const (
	// Differs: the tape does not show what the report says.
	Differs Outcome = "not what the tape shows"
	// NotAsked: it is about something else, or was judged otherwise.
	NotAsked Outcome = "not what was asked for"
	// Stale: clauses, or how they are judged, have changed since.
	Stale Outcome = "stale"
	// Expired: the verdict held until a day that is over.
	Expired Outcome = "expired"
	// Valid: the same comes out again.
	Valid Outcome = "valid"
)

// Code is the exit code.
func (o Outcome) Code() int {
	switch o {
	case Valid:
		return verdict.CodeMet
	case Stale, Expired:
		return verdict.CodeLittle
	default:
		return verdict.CodeFailed
	}
}

// Result is an outcome with its reason, in one sentence, and the clauses concerned.
type Result struct {
	Outcome Outcome
	Why     string
	Clauses []string
}

// Asked is what whoever asks wants the report to be about.
type Asked struct {
	// Subject is the build; empty takes any.
	Subject string
	// Version is that of the program that judges again, and Now the day.
	Version string
	Now     time.Time
	// Changed are the knobs of the service that are set otherwise now than when it was
	// watched.
	Changed []string
}

// Compare says what became of a report whose tape was judged again.
func Compare(r *report.Report, again *judge.Judgement, asked Asked) Result {
	old, now := r.Readiness, again.End.Readiness
	switch {
	case digest(old, "tape") != digest(now, "tape"):
		return Result{Outcome: NotAsked, Why: "it rests on another tape: SHA-256 " + cmp.Or(digest(old, "tape"), "unknown") + ", and this one has " + digest(now, "tape")}
	case asked.Subject != "" && old.Subject != asked.Subject:
		return Result{Outcome: NotAsked, Why: fmt.Sprintf("it is about %s, not about %s", cmp.Or(old.Subject, "an unnamed build"), asked.Subject)}
	}
	changed, moved, added := differences(r, again, &asked)
	over := lapsed(r, asked.Now) // what it excused, or told, is as it was before
	moved = slices.DeleteFunc(moved, func(id string) bool { return slices.Contains(over, id) })
	if r.Version == asked.Version && digest(old, "integration clauses") == digest(now, "integration clauses") {
		if other := differs(r, again, moved, over); other.Outcome != "" {
			return other
		}
	}
	switch {
	case len(changed)+len(moved)+len(added) > 0:
		list := slices.Concat(changed, moved, added)
		slices.Sort(list)
		list = slices.Compact(list)
		return Result{Outcome: Stale, Why: "changed since it was judged by " + cmp.Or(r.Version, "an unknown version") + ": " + verdict.Some(list), Clauses: list}
	case over == nil && better(r, again):
		return Result{Outcome: Stale, Why: "judged again by " + asked.Version + ", it ends worse: " + now.Sentence}
	default:
		return onDay(r, sentence(old, now), over, asked.Now)
	}
}

// differs says how a report of the same release is not what the tape shows, or was judged
// otherwise; its Outcome is empty where neither is so.
func differs(r *report.Report, again *judge.Judgement, moved, over []string) Result {
	old, now := r.Readiness, again.End.Readiness
	switch {
	case digest(old, "plan") != digest(now, "plan"):
		return Result{Outcome: NotAsked, Why: "it was judged otherwise: other clauses, another gate, or other attestations and waivers; give the flags of its command line"}
	case len(moved) > 0:
		return Result{Outcome: Differs, Why: "judged again, the verdict is another on " + verdict.Some(moved), Clauses: moved}
	case over == nil && better(r, again):
		return Result{Outcome: Differs, Why: "judged again, it ends worse: " + now.Sentence}
	case over == nil && r.ExitCode != verdict.CodeBroken && !strings.HasPrefix(old.Sentence, sentence(old, now)):
		return Result{Outcome: Differs, Why: "judged again, it says: " + now.Sentence}
	default:
		return Result{}
	}
}

// sentence is what judging again says of a report, with the day on which its own condition
// ends.
func sentence(old, now *report.Readiness) string {
	if old.ConditionalUntil == "" || now.ConditionalUntil == "" {
		return now.Sentence
	}
	return strings.ReplaceAll(now.Sentence, now.ConditionalUntil, old.ConditionalUntil)
}

// onDay says whether a report that stands to its tape still counts on a day. over are the
// clauses of which people's word does not, said is what it comes to.
func onDay(r *report.Report, said string, over []string, now time.Time) Result {
	old := r.Readiness
	switch {
	case over != nil:
		return Result{Outcome: Expired, Why: "what people have put their names to is over: " + verdict.Some(over), Clauses: over}
	case old.ValidUntil != "" && signoff.Over(old.ValidUntil, now):
		return Result{Outcome: Expired, Why: "it was valid until " + old.ValidUntil}
	case old.ConditionalUntil != "" && signoff.Over(old.ConditionalUntil, now):
		return Result{Outcome: Expired, Why: "its condition was to be met by " + old.ConditionalUntil + ": " + verdict.Some(old.Conditional), Clauses: old.Conditional}
	default:
		return Result{Outcome: Valid, Why: strings.TrimSuffix(said, ".")}
	}
}

// lapsed are the clauses of a report whose attestation or waiver is over by now.
func lapsed(r *report.Report, now time.Time) (list []string) {
	for i := range r.Clauses {
		c := &r.Clauses[i]
		if a, d := c.Attested, c.Deviation; a != nil && signoff.Over(a.Lapses, now) || d != nil && signoff.Over(d.Expires, now) {
			list = append(list, c.ID)
		}
	}
	return list
}

// chosenOtherwise says whether a clause rests on a choice that is another one now.
func (a *Asked) chosenOtherwise(id string) bool {
	c, known := clause.Lookup(id)
	return known && c.Source.Knob != "" && slices.Contains(a.Changed, c.Source.Knob)
}

// differences are the clauses whose text, check or choice has changed, whose verdict has moved, and that
// only one of the two has.
func differences(r *report.Report, again *judge.Judgement, asked *Asked) (changed, moved, added []string) {
	old := map[string]report.ClauseResult{}
	for _, c := range r.Clauses {
		old[c.ID] = c
	}
	for _, c := range again.Clauses {
		was, there := old[c.ID]
		delete(old, c.ID)
		switch {
		case !there:
			added = append(added, c.ID)
		case was.Title != c.Title || was.Level != c.Level || was.Source != c.Source || was.Basis != "" && was.Basis != c.Basis || asked.chosenOtherwise(c.ID):
			changed = append(changed, c.ID)
		case was.Verdict != c.Verdict:
			moved = append(moved, c.ID)
		}
	}
	for id := range old {
		added = append(added, id)
	}
	slices.Sort(added)
	return changed, moved, added
}

// better says whether a report claims more than judging again gives. Less it may: what
// became of the observed command is not on the tape.
func better(r *report.Report, again *judge.Judgement) bool {
	return len(again.End.Readiness.Conditional) > len(r.Readiness.Conditional) || r.Readiness.Ready && !again.End.Readiness.Ready || r.ExitCode == verdict.CodeMet && again.End.ExitCode != verdict.CodeMet
}

// digest finds what a readiness rests on by its name; empty where it does not say.
func digest(r *report.Readiness, name string) string {
	for _, d := range r.Digests {
		if d.Name == name {
			return d.SHA256
		}
	}
	return ""
}

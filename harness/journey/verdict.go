package journey

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness"
	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
)

// conclude makes the verdict of a journey from its end and the judgements.
func (d *Driven) conclude() {
	d.Verdict = verdict.Pass
	if errors.Is(d.Err, ErrNotHere) {
		d.fails(verdict.Inconclusive, d.Err.Error())
		return
	}
	if d.Err != nil {
		d.fails(verdict.Fail, fmt.Sprintf("the story broke off at %q: %s", d.Step, d.Err))
	}
	for _, r := range d.Standing {
		if r.Word == verdict.Fail || r.Word == verdict.HarnessError {
			d.fails(r.Word, fmt.Sprintf("the service, %s: %s", r.Check, worst(&r)))
		}
	}
	for _, r := range d.Clauses {
		named := slices.Contains(d.Played.Clauses, r.Check)
		switch {
		case r.Word == verdict.Fail || r.Word == verdict.HarnessError:
			d.fails(r.Word, fmt.Sprintf("%s: %s", r.Check, worst(&r)))
		case named && r.Word != verdict.Pass && r.Word != verdict.NotApplicable:
			d.fails(verdict.Inconclusive, fmt.Sprintf("%s is %s although the journey names it: %s", r.Check, r.Word, worst(&r)))
		}
	}
	for _, id := range d.Played.Clauses {
		if strings.HasPrefix(id, clause.IntegrationPrefix) && !slices.ContainsFunc(d.Clauses, func(r check.Result) bool { return r.Check == id }) {
			d.fails(verdict.Inconclusive, "nothing judges "+id)
		}
	}
}

// fails notes a problem; the gravest verdict stands.
func (d *Driven) fails(v verdict.Word, problem string) {
	d.Problems = append(d.Problems, problem)
	d.Verdict = verdict.Gravest(d.Verdict, v)
}

// worst is the text of the verdict that decided.
func worst(r *check.Result) string {
	for i := range r.Judgements {
		if r.Judgements[i].Word == r.Word {
			return r.Judgements[i].Text()
		}
	}
	return string(r.Word)
}

// Held are the clauses that the journey names and that were seen to hold: those of
// the integration by their checks, those of the service by the story itself.
func (d *Driven) Held() []string {
	var list []string
	for _, id := range d.Played.Clauses {
		if d.holds(id) {
			list = append(list, id)
		}
	}
	return list
}

func (d *Driven) holds(id string) bool {
	if strings.HasPrefix(id, clause.IntegrationPrefix) {
		return slices.ContainsFunc(d.Clauses, func(r check.Result) bool { return r.Check == id && r.Word == verdict.Pass })
	}
	return d.Err == nil && !slices.ContainsFunc(d.Standing, func(r check.Result) bool {
		return (r.Word == verdict.Fail || r.Word == verdict.HarnessError) && blamed(&r) == id
	})
}

// tally is what the gate of a drive looks at.
type tally struct {
	played                 int
	failed, broken, little []string
}

// count tells the judgements on a journey to the sink, and notes it for the gate.
func (t *tally) count(sink report.Sink, d *Driven) {
	t.played++
	for i := range d.Clauses {
		tellResult(sink, d, &d.Clauses[i], d.Clauses[i].Check)
	}
	for i := range d.Standing {
		r := &d.Standing[i]
		if r.Word == verdict.Fail || r.Word == verdict.HarnessError {
			tellResult(sink, d, r, blamed(r))
		}
	}
	for _, id := range d.Played.Clauses {
		if !strings.HasPrefix(id, clause.IntegrationPrefix) && d.holds(id) {
			tellResult(sink, d, &check.Result{Word: verdict.Pass}, id)
		}
	}
	switch d.Verdict {
	case verdict.Fail:
		t.failed = append(t.failed, d.Name)
	case verdict.HarnessError:
		t.broken = append(t.broken, d.Name)
	case verdict.Inconclusive:
		t.little = append(t.little, d.Name)
	default:
	}
}

// blamed is the service's clause that a standing check found broken.
func blamed(r *check.Result) string {
	for i := range r.Judgements {
		if v := &r.Judgements[i]; v.Word == r.Word && v.Clause != "" {
			return v.Clause
		}
	}
	if len(r.Clauses) > 0 {
		return r.Clauses[0]
	}
	return r.Check
}

// tellResult tells what was found out about a clause.
func tellResult(sink report.Sink, d *Driven, r *check.Result, id string) {
	c, _ := clause.Lookup(id)
	told := report.ClauseResult{
		ID: id, Title: c.Title, Level: string(c.Level), Area: c.Area, Source: c.Source.Text(), Verdict: r.Word,
		Scenarios: []report.ScenarioRef{d.Ref},
	}
	for i := range r.Judgements {
		v := &r.Judgements[i]
		if v.Word != r.Word {
			continue
		}
		if told.Verdict.Judged() || told.Verdict == verdict.Inconclusive {
			told.Evidence = append(told.Evidence, harness.EvidenceOf(v, d.Entries))
		} else if told.Reason == "" {
			told.Reason = v.Received
		}
	}
	sink.ClauseJudged(told)
}

// end makes the end of the run.
func (t *tally) end(broken error) report.RunEnd {
	switch {
	case len(t.failed) > 0:
		return report.RunEnd{Verdict: verdict.Fail, ExitCode: harness.CodeFailed, Reason: "failed: " + strings.Join(t.failed, ", ")}
	case broken != nil:
		return report.RunEnd{Verdict: verdict.HarnessError, ExitCode: harness.CodeBroken, Reason: broken.Error()}
	case len(t.broken) > 0:
		return report.RunEnd{Verdict: verdict.HarnessError, ExitCode: harness.CodeBroken, Reason: "the harness broke at " + strings.Join(t.broken, ", ")}
	case t.played == 0:
		return report.RunEnd{Verdict: verdict.Inconclusive, ExitCode: harness.CodeLittle, Reason: "nothing was played"}
	case len(t.little) > 0:
		return report.RunEnd{Verdict: verdict.Inconclusive, ExitCode: harness.CodeLittle, Reason: "clauses without evidence at " + strings.Join(t.little, ", ")}
	default:
		return report.RunEnd{Verdict: verdict.Pass, ExitCode: harness.CodeMet}
	}
}

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
)

// conclude makes the verdict of a journey from its end and the judgements.
func (d *Driven) conclude() {
	d.Verdict = report.Pass
	if errors.Is(d.Err, ErrNotHere) {
		d.fails(report.Inconclusive, d.Err.Error())
		return
	}
	if d.Err != nil {
		d.fails(report.Fail, fmt.Sprintf("the story broke off at %q: %s", d.Step, d.Err))
	}
	for _, r := range d.Standing {
		if r.Status == check.Fail || r.Status == check.HarnessError {
			d.fails(report.Verdict(r.Status), fmt.Sprintf("the service, %s: %s", r.Check, worst(&r)))
		}
	}
	for _, r := range d.Clauses {
		named := slices.Contains(d.Played.Clauses, r.Check)
		switch {
		case r.Status == check.Fail || r.Status == check.HarnessError:
			d.fails(report.Verdict(r.Status), fmt.Sprintf("%s: %s", r.Check, worst(&r)))
		case named && r.Status != check.Pass && r.Status != check.NotApplicable:
			d.fails(report.Inconclusive, fmt.Sprintf("%s is %s although the journey names it: %s", r.Check, r.Status, worst(&r)))
		}
	}
	for _, id := range d.Played.Clauses {
		if strings.HasPrefix(id, clause.IntegrationPrefix) && !slices.ContainsFunc(d.Clauses, func(r check.Result) bool { return r.Check == id }) {
			d.fails(report.Inconclusive, "nothing judges "+id)
		}
	}
}

// fails notes a problem; the gravest verdict stands.
func (d *Driven) fails(v report.Verdict, problem string) {
	d.Problems = append(d.Problems, problem)
	all := report.Verdicts()
	if slices.Index(all, v) < slices.Index(all, d.Verdict) {
		d.Verdict = v
	}
}

// worst is the text of the verdict that decided.
func worst(r *check.Result) string {
	for i := range r.Verdicts {
		if r.Verdicts[i].Status == r.Status {
			return r.Verdicts[i].Text()
		}
	}
	return string(r.Status)
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
		return slices.ContainsFunc(d.Clauses, func(r check.Result) bool { return r.Check == id && r.Status == check.Pass })
	}
	return d.Err == nil && !slices.ContainsFunc(d.Standing, func(r check.Result) bool {
		return (r.Status == check.Fail || r.Status == check.HarnessError) && blamed(&r) == id
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
		if r.Status == check.Fail || r.Status == check.HarnessError {
			tellResult(sink, d, r, blamed(r))
		}
	}
	for _, id := range d.Played.Clauses {
		if !strings.HasPrefix(id, clause.IntegrationPrefix) && d.holds(id) {
			tellResult(sink, d, &check.Result{Status: check.Pass}, id)
		}
	}
	switch d.Verdict {
	case report.Fail:
		t.failed = append(t.failed, d.Name)
	case report.HarnessError:
		t.broken = append(t.broken, d.Name)
	case report.Inconclusive:
		t.little = append(t.little, d.Name)
	default:
	}
}

// blamed is the service's clause that a standing check found broken.
func blamed(r *check.Result) string {
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Status == r.Status && v.Clause != "" {
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
		ID: id, Title: c.Title, Level: string(c.Level), Area: c.Area, Source: c.Source.Text(), Verdict: report.Verdict(r.Status),
		Scenarios: []report.ScenarioRef{d.Ref},
	}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Status != r.Status {
			continue
		}
		if told.Verdict.Judged() || told.Verdict == report.Inconclusive {
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
		return report.RunEnd{Verdict: report.Fail, ExitCode: harness.CodeFailed, Reason: "failed: " + strings.Join(t.failed, ", ")}
	case broken != nil:
		return report.RunEnd{Verdict: report.HarnessError, ExitCode: harness.CodeBroken, Reason: broken.Error()}
	case len(t.broken) > 0:
		return report.RunEnd{Verdict: report.HarnessError, ExitCode: harness.CodeBroken, Reason: "the harness broke at " + strings.Join(t.broken, ", ")}
	case t.played == 0:
		return report.RunEnd{Verdict: report.Inconclusive, ExitCode: harness.CodeLittle, Reason: "nothing was played"}
	case len(t.little) > 0:
		return report.RunEnd{Verdict: report.Inconclusive, ExitCode: harness.CodeLittle, Reason: "clauses without evidence at " + strings.Join(t.little, ", ")}
	default:
		return report.RunEnd{Verdict: report.Pass, ExitCode: harness.CodeMet}
	}
}

package drive

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/journey"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
)

// conclude makes the verdict of a journey from its end and the judgements.
func (d *Driven) conclude() {
	d.Verdict = verdict.Pass
	if errors.Is(d.Err, journey.ErrNotHere) {
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

// tell tells the judgements on a journey to the sink, and notes it for the gate.
func tell(g *verdict.Gate, sink report.Sink, d *Driven) {
	g.Judged++
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
		g.Failed = append(g.Failed, d.Name)
	case verdict.HarnessError:
		g.Broken = append(g.Broken, d.Name)
	case verdict.Inconclusive:
		g.Unseen = append(g.Unseen, d.Name)
	default:
	}
}

// blamed is the service's clause that a standing check found broken.
func blamed(r *check.Result) string {
	named := ""
	for i := range r.Judgements {
		if j := &r.Judgements[i]; j.Word == r.Word && j.Clause != "" {
			named = j.Clause
			break
		}
	}
	return verdict.Blamed(named, r.Clauses, []string{r.Check})
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
			told.Evidence = append(told.Evidence, report.EvidenceOf(v, d.Entries))
		} else if told.Reason == "" {
			told.Reason = strings.TrimSuffix(v.Received+": "+v.Hint, ": ")
		}
	}
	sink.ClauseJudged(told)
}

// reason says in one sentence why a drive ends as it does.
func reason(g *verdict.Gate) string {
	switch g.Outcome() {
	case verdict.Failed:
		return "failed: " + strings.Join(g.Failed, ", ")
	case verdict.RunBroke:
		return g.Broke.Error()
	case verdict.RuleBroke:
		return "the harness broke at " + strings.Join(g.Broken, ", ")
	case verdict.NothingJudged:
		return "nothing was played"
	case verdict.Unseen:
		return "clauses without evidence at " + strings.Join(g.Unseen, ", ")
	default:
		return ""
	}
}

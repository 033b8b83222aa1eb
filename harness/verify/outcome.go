package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/steps"
	"paysandbox/harness/verdict"
)

// tell gives the outcome of a scenario to the sink and the ledger.
func (p *player) tell(t *take, word verdict.Word, err error) {
	at := t.scenario.ScenarioRef
	end := report.ScenarioEnd{Status: report.Passed, Duration: p.now().Sub(t.began)}
	result := report.ClauseResult{Verdict: word, Scenarios: []report.ScenarioRef{at}}
	var knobs []string
	switch word {
	case verdict.Pass:
	case verdict.NotReached:
		end.Status, end.Skip = report.Skipped, p.text(t, err)
		result.Reason = end.Skip
	default:
		end.Status, end.Error = report.Failed, p.text(t, err)
		var e report.Evidence
		e, knobs = p.evidence(t, end.Error)
		result.Evidence = []report.Evidence{e}
		if word == verdict.Fail && len(knobs) > 0 {
			result.Verdict, result.Reason = verdict.Inconclusive, openly(knobs)
			end.Status, end.Skip, end.Error = report.Skipped, result.Reason+"; "+end.Error, ""
			break
		}
		p.failed.Store(true)
		knobs = nil
	}
	if word == verdict.HarnessError {
		result.Reason = end.Error
	}
	p.sink.ScenarioFinished(at, end)
	t.trace.mu.Lock()
	p.ledger.made(at, t.trace.made)
	t.trace.mu.Unlock()
	for _, id := range t.scenario.Clauses {
		result.ID = id
		p.ledger.add(result, knobs...)
	}
}

// evidence is the step that failed with the last exchange before it, and the knobs that
// may explain it.
func (p *player) evidence(t *take, problem string) (e report.Evidence, knobs []string) {
	e = report.Evidence{Received: problem}
	if n := t.done - 1; n >= 0 && n < len(t.scenario.steps) {
		e.Expected = t.scenario.steps[n].Keyword + " " + t.scenario.steps[n].Text
	}
	t.trace.mu.Lock()
	last, seq := t.trace.last, t.trace.seq
	t.trace.mu.Unlock()
	if seq != 0 {
		e.Entries = []uint64{seq}
	}
	knobs = p.explaining(t.scenario, last)
	if last == nil {
		return e, knobs
	}
	strike := redact.New(t.trace.values()...)
	e.Request, e.Response = report.Excerpt(last)
	e.Request, e.Response = strike.Text(e.Request), strike.Text(e.Response)
	return e, knobs
}

// found notes what a standing check has found.
func (p *player) found(t *take, f *finding) {
	if f.verdict == verdict.Fail || f.verdict == verdict.HarnessError {
		p.failed.Store(true)
	}
	strike := redact.New(t.trace.values()...)
	e := f.evidence
	e.Expected, e.Received, e.Hint = strike.Text(e.Expected), strike.Text(e.Received), strike.Text(e.Hint)
	e.Request, e.Response = strike.Text(e.Request), strike.Text(e.Response)
	for i := range e.Cited {
		e.Cited[i].Says, e.Cited[i].Text = strike.Text(e.Cited[i].Says), strike.Text(e.Cited[i].Text)
	}
	p.ledger.add(report.ClauseResult{
		ID: f.clause, Verdict: f.verdict, Evidence: []report.Evidence{e}, Scenarios: []report.ScenarioRef{t.scenario.ScenarioRef},
	})
}

// text is what an error says, without the secrets of the scenario.
func (p *player) text(t *take, err error) string {
	return redact.New(t.trace.values()...).Text(err.Error())
}

// verdictOf is what the end of a scenario means for its clauses: a call that does
// not come through, a step that is not there and one that panics say nothing
// about the service.
func verdictOf(ctx context.Context, err error) verdict.Word {
	var way *url.Error
	var socket *net.OpError
	var refused *partner.Refused
	switch {
	case err == nil:
		return verdict.Pass
	case ctx.Err() != nil || errors.Is(err, steps.ErrNeedsControl):
		return verdict.NotReached
	case errors.As(err, &way), errors.As(err, &socket), errors.Is(err, godog.ErrUndefined), errors.Is(err, godog.ErrPending), errors.Is(err, godog.ErrAmbiguous),
		strings.HasSuffix(fmt.Sprintf("%T", err), ".traceError"):
		return verdict.HarnessError
	case errors.As(err, &refused) && (refused.Answer.Status >= http.StatusInternalServerError ||
		refused.Answer.Status == http.StatusUnauthorized || refused.Answer.Status == http.StatusForbidden):
		return verdict.HarnessError
	default:
		return verdict.Fail
	}
}

package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/check"
	"paysandbox/harness/check/service"
	"paysandbox/harness/partner"
	"paysandbox/harness/report"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// standing holds the tapes of a scenario's integrations to the standing checks.
type standing struct {
	stage     partner.Stage
	described *service.Descriptions
}

// finding is what a standing check has against a clause.
type finding struct {
	clause   string
	verdict  verdict.Word
	evidence report.Evidence
}

// judge reads the tapes of a scenario and gives what is wrong with them.
func (s *standing) judge(ctx context.Context, t *trace, at *Scenario) ([]finding, error) {
	t.mu.Lock()
	stays := slices.Clone(t.stays)
	t.mu.Unlock()
	var list []finding
	for _, st := range stays {
		stage := s.stage
		stage.Integration = st.id
		// Without the trace: reading the tape is no part of the scenario.
		a, err := stage.Get(traced(ctx, nil), "/tape")
		var refused *partner.Refused
		if errors.As(err, &refused) && refused.Answer.Status == http.StatusNotFound {
			continue // the scenario itself has removed it
		}
		if err != nil {
			return list, fmt.Errorf("read the tape: %w", err)
		}
		meta, entries, err := tape.Read(bytes.NewReader(a.Body))
		if err != nil {
			return list, fmt.Errorf("read the tape: %w", err)
		}
		document := s.described.Of(meta.Latitude, func() ([]byte, error) {
			a, err := stage.Get(traced(ctx, nil), "/openapi.json")
			if err != nil {
				return nil, err
			}
			return a.Body, nil
		})
		list = append(list, s.held(document, meta, entries, st, at.Clauses)...)
	}
	return list, nil
}

// held judges one tape.
func (s *standing) held(document *service.Document, meta tape.Meta, entries []tape.Entry, st *stay, own []string) []finding {
	checks := check.Service(service.Options{Document: document, WebhookSecrets: st.secrets, Secrets: []string{st.client}})
	var list []finding
	for _, r := range check.Judge(trail.New(meta, entries), checks) {
		for _, v := range r.Judgements {
			if wrong(v.Word) {
				list = append(list, finding{verdict.Blamed(v.Clause, r.Clauses, own), v.Word, standingEvidence(&r, &v, entries)})
			}
		}
	}
	return list
}

// wrong tells whether a judgement counts against a clause. What the tape was too
// short for does not: the scenario itself has judged.
func wrong(w verdict.Word) bool { return w.Trouble() && w != verdict.Inconclusive }

// standingEvidence makes evidence of what a standing check has found.
func standingEvidence(r *check.Result, v *verdict.Judgement, entries []tape.Entry) report.Evidence {
	e := report.EvidenceOf(v, entries)
	e.Hint = strings.TrimPrefix(v.Hint+"; ", "; ") + "the standing check " + r.Check + ": " + r.Title
	return e
}

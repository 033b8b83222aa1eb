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
	"paysandbox/harness/verify/given"
	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/tape"
)

// standing holds the tapes of a scenario's integrations to the standing checks.
type standing struct {
	stage     partner.Stage
	described *service.Descriptions
	// words is what may be said to people; nil when nobody knows.
	words *words.List
	// given is what was given before; nil when nobody has written it down.
	given *given.Record
}

// finding is what a standing check has against a clause.
type finding struct {
	clause   string
	verdict  verdict.Word
	evidence report.Evidence
}

// trace is one for a scenario: it keeps what this looks at.
func (s *standing) trace(at *Scenario) *trace {
	return &trace{listens: s.listens(at), records: s.given != nil}
}

// listens says whether the sentences of a scenario are to stand in the list: those in
// which odd values are quoted that were drawn do not.
func (s *standing) listens(at *Scenario) bool {
	return s.words != nil && len(at.Clauses) > 0 && !at.has(drawnTag)
}

// judge reads the tapes of a scenario and gives what is wrong with them.
func (s *standing) judge(ctx context.Context, t *trace, at *Scenario) ([]finding, error) {
	t.mu.Lock()
	stays, said, answers := slices.Clone(t.stays), t.sentences, t.answers
	t.mu.Unlock()
	recorded := s.given != nil && len(at.Clauses) > 0
	var things, drawn []string
	var list []finding
	var unlike error // a tape that is not as its end says; what its entries show comes first
	if s.listens(at) {
		list = s.unlisted(said, at.Clauses)
	}
	for _, st := range stays {
		stage := s.stage
		stage.Integration = st.id
		// Without the trace: reading the tape is no part of the scenario.
		a, err := stage.Get(traced(ctx, nil), "/tape?end=true")
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
		if cutOff(&meta) {
			unlike = fmt.Errorf("%w: the tape of %s, asked for with its end, is %s", ErrTarget, st.id, meta.Ending)
		}
		if recorded {
			looked, err := look(traced(ctx, nil), &stage, entries)
			if err != nil {
				return list, err
			}
			things = append(append(things, given.Entries(entries)...), strings.Join(looked, "\n\n"))
			drawn = append(drawn, given.Drawn(entries)...)
		}
		strange, err := s.strange(ctx, &stage, meta, entries, at)
		if err != nil {
			return list, err
		}
		list = append(list, strange...)
		document := s.described.Of(meta.Latitude, func() ([]byte, error) {
			a, err := stage.Get(traced(ctx, nil), "/openapi.json")
			if err != nil {
				return nil, err
			}
			return a.Body, nil
		})
		list = append(list, s.held(document, meta, entries, st, at.Clauses)...)
	}
	if recorded {
		list = append(list, s.other(at, given.Settled(append(things, answers...), drawn))...)
	}
	if len(list) > 0 {
		return list, nil
	}
	return nil, unlike
}

// look reads what there is to be seen when a scenario is over.
func look(ctx context.Context, stage *partner.Stage, entries []tape.Entry) ([]string, error) {
	var things []string
	control, pages := given.Places(entries)
	for _, path := range control {
		a, err := stage.Ask(ctx, http.MethodGet, path, nil)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", path, err)
		}
		things = append(things, fmt.Sprintf("%s\n%d\n%s", path, a.Status, a.Body))
	}
	for _, page := range pages {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", page, err)
		}
		res, err := stage.HTTP.Do(req)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", page, err)
		}
		body, err := readAnswer(res)
		_ = res.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", page, err)
		}
		things = append(things, given.Answer(req, res.StatusCode, body))
	}
	return things, nil
}

// other is a finding when something else is given in a scenario than before.
func (s *standing) other(at *Scenario, things []string) []finding {
	other := s.given.Add(at.key, things)
	if other == "" {
		return nil
	}
	return []finding{{at.Clauses[0], verdict.Fail, report.Evidence{
		Expected: "what harness/verify/given/given.txt says that the scenario is given", Received: other,
		Hint: "what is meant to be another is read and written down there; any other change is a fault",
	}}}
}

// strange gives what was said to people and stands in no list. Where the integration has
// choices of its own, other things are said.
func (s *standing) strange(ctx context.Context, stage *partner.Stage, meta tape.Meta, entries []tape.Entry, at *Scenario) ([]finding, error) {
	if len(meta.Latitude) > 0 || !s.listens(at) {
		return nil, nil
	}
	var said []string
	written := false
	for i := range entries {
		said = append(said, words.Entry(&entries[i])...)
		written = written || entries[i].Kind == tape.KindMessage
	}
	if written {
		a, err := stage.Get(traced(ctx, nil), "/messages")
		if err != nil {
			return nil, fmt.Errorf("read the messages: %w", err)
		}

		var list struct {
			Messages []struct{ Subject, Text, HTML string }
		}
		if err := a.Read(&list); err != nil {
			return nil, fmt.Errorf("read the messages: %w", err)
		}
		for _, m := range list.Messages {
			said = append(said, words.Message(m.Subject, m.Text, m.HTML)...)
		}
	}
	return s.unlisted(said, at.Clauses), nil
}

// unlisted are findings about sentences that stand in no list.
func (s *standing) unlisted(said, own []string) []finding {
	var list []finding
	for _, sentence := range s.words.Strange(said) {
		list = append(list, finding{own[0], verdict.Fail, report.Evidence{
			Expected: "a sentence of harness/verify/words/words.txt", Received: sentence,
			Hint: "a sentence that is new is read and written down there; any other is broken",
		}})
	}
	return list
}

// cutOff says of a tape that was asked for with its end that it has none, or another's. One that has forgotten entries ends without.
func cutOff(m *tape.Meta) bool { return m.Ending != tape.Whole && m.Dropped == 0 }

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

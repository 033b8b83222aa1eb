package story

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func serviceStage() []Step {
	return []Step{
		step(`([0-9]+) (second|minute|hour|day|week)s? pass(?:es)?`, bind2((*Story).passes)),
		step(`the service is (out|back)`, bind1((*Story).is)),
		step(`the service fails the next ([0-9]+) requests for a payment`, bind1((*Story).fails)),
		step(`the service is busy for ([0-9]+) seconds at the next request for a payment`, bind1((*Story).busy)),
		step(`the answer to the next request for a payment gets lost`, bind((*Story).loses)),
		step(`the service withdraws the partner's access token`, bind((*Story).withdraws)),
	}
}

// stateShown is told when there is something to show.
func stateShown() []Step {
	return []Step{step(`the partner shows what it has handed over`, bind((*Story).shows))}
}

var spans = map[string]time.Duration{
	"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

func (s *Story) passes(ctx context.Context, n int, unit string) error {
	_, err := s.control(ctx, "/clock/advance", map[string]string{"by": (time.Duration(n) * spans[unit]).String()})
	return err
}

// outage is the name of the fault by which the service is out.
const outage = "journey-outage"

// is lets every call fail until further notice, or ends that.
func (s *Story) is(ctx context.Context, how string) error {
	if how == "back" {
		return s.comesUp(ctx)
	}
	s.Out = true
	return s.arm(ctx, "partner.retry.bounded", "every call fails with 500 until further notice", map[string]any{
		"name": outage, "effect": map[string]any{"status": 500}, "count": 0,
	})
}

func (s *Story) comesUp(ctx context.Context) error {
	s.Out = false
	c := partner.Client{Base: s.Stage.Base, HTTP: s.Stage.HTTP}
	var header []string
	if s.Stage.Token != "" {
		header = []string{"Authorization", "Bearer " + s.Stage.Token}
	}
	path := "/_sandbox/integrations/" + url.PathEscape(s.Stage.Integration) + "/faults/" + outage
	a, err := c.Send(ctx, http.MethodDelete, path, nil, header...)
	if err != nil {
		return err
	}
	if a.Status >= http.StatusBadRequest {
		return &partner.Refused{Method: http.MethodDelete, Path: path, Answer: a}
	}
	return s.Settle(ctx)
}

// arm announces a fault and arms it.
func (s *Story) arm(ctx context.Context, clause, text string, fault map[string]any) error {
	if err := s.announces(ctx, clause, text, text); err != nil {
		return err
	}
	_, err := s.control(ctx, "/faults", fault)
	return err
}

// nextPayment meets requests for payments.
var nextPayment = map[string]any{"operation": partner.DoCreatePayment}

func (s *Story) fails(ctx context.Context, n int) error {
	return s.arm(ctx, "partner.retry.backoff", fmt.Sprintf("the next %d payment requests fail with 500", n), map[string]any{
		"match": nextPayment, "effect": map[string]any{"status": 500}, "count": n,
	})
}

func (s *Story) busy(ctx context.Context, seconds int) error {
	s.Tape.Longer(time.Duration(seconds) * time.Second)
	return s.arm(ctx, "partner.retry.after", fmt.Sprintf("the next payment request is answered with 429: try again in %d seconds", seconds), map[string]any{
		"match": nextPayment, "effect": map[string]any{"status": 429, "retryAfter": seconds},
	})
}

func (s *Story) loses(ctx context.Context) error {
	return s.arm(ctx, "partner.outcome.resolved", "the next payment request is carried out and its answer lost", map[string]any{
		"match": nextPayment, "effect": map[string]any{"commitThenDrop": true},
	})
}

func (s *Story) withdraws(ctx context.Context) error {
	const text = "every access token so far is withdrawn"
	if err := s.announces(ctx, "partner.token.recover", text, text); err != nil {
		return err
	}
	_, err := s.control(ctx, "/tokens/revoke", nil)
	return err
}

// shows puts on the tape what the partner's state probe answers, where there is
// one.
func (s *Story) shows(ctx context.Context) error {
	var state []byte
	var err error
	if s.Probe != nil {
		state, err = s.Probe(ctx)
	}
	if err != nil || len(state) == 0 {
		s.once("nobody can ask what the partner has handed over: no state probe is known")
		return err
	}
	s.Tell("the partner shows what it has handed over")
	return s.Note(ctx, trail.NoteState, "what the partner has handed over", json.RawMessage(state))
}

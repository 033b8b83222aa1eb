package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/harness/random"
	"paysandbox/harness/schema"
)

func randomSteps() []Step {
	return []Step{
		staged("random", `([0-9]+) calls are drawn by ([0-9]+)`, bind2((*story).drawsCalls)),
		staged("random", `no answer is a mistake of the service's own`, bind((*story).noMistake)),
	}
}

// everyFault is after how many calls that were drawn no fault waits any more: one that
// meets all calls would leave nothing to see.
const everyFault = 15

// drawsCalls makes calls to both APIs and to pages as they are drawn from the service's
// own descriptions. It must answer each, and no answer may be a mistake of its own.
func (s *story) drawsCalls(ctx context.Context, n, number int) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	a := s.cast[partnerName]
	described, err := describe(ctx, stage, "/openapi.json")
	if err != nil {
		return err
	}
	control, err := describe(ctx, stage, "/_sandbox/openapi.json")
	if err != nil {
		return err
	}
	source := random.New(uint64(number), described, control) //nolint:gosec // G115: the step admits digits alone.
	s.tellKnown(source, stage.Integration)
	for i := range n {
		if i%everyFault == everyFault-1 {
			if err := stage.Remove(ctx, "/faults"); err != nil {
				return err
			}
		}
		c := source.Next()
		answer, err := s.makes(ctx, a, &c)
		if err != nil {
			return fmt.Errorf("call %d, %s %s: %w", i+1, c.Method, c.Target, err)
		}
		if answer == nil {
			continue
		}
		if mistaken(&c, answer) && s.mistake == nil {
			s.mistake = fmt.Errorf("call %d, %s %s %s: the service answers %d: %s", i+1, c.Method, c.Target, c.Body, answer.Status, answer.Body)
		}
		source.Learn(&c, answer.Status, answer.Body)
		if err := s.after(ctx, a, &c, answer); err != nil {
			return err
		}
	}
	return stage.Remove(ctx, "/faults")
}

// mistaken says that an answer is neither what a call asks for nor a refusal of it, and
// that no fault was asked for.
func mistaken(c *random.Call, answer *partner.Answer) bool {
	if answer.Header.Get("Sandbox-Fault") != "" {
		return false
	}
	other := c.To == random.Partner && answer.Status != http.StatusOK && answer.Status < http.StatusBadRequest && c.Method != http.MethodOptions
	return answer.Status >= http.StatusInternalServerError || other
}

func (s *story) noMistake(context.Context) error { return s.mistake }

// describe reads one of the two descriptions.
func describe(ctx context.Context, stage *partner.Stage, path string) (*schema.Document, error) {
	answer, err := stage.Ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return schema.Read(answer.Body)
}

// tellKnown tells a source what the story knows.
func (s *story) tellKnown(source *random.Source, integration string) {
	source.Know("integration", integration)
	for _, k := range [...][2]string{
		{"clientId", "client id"},
		{"clientSecret", "client secret"},
		{"companyId", "company"},
		{"companyReferenceId", "company's reference"},
		{"locationId", "location"},
		{"registrationId", "payer"},
		{"paymentRequestId", "payment"},
		{"paymentMethodId", "card"},
		{"paymentPlanId", "plan"},
		{"consentId", "consent"},
	} {
		if value := s.known[k[1]]; value != "" {
			source.Know(k[0], value)
		}
	}
	if s.hook != nil {
		source.Know("url", s.hook.URL)
	}
}

// makes makes one call that was drawn. The answer is nil when the call cannot be written
// down, or when a fault has kept it back.
func (s *story) makes(ctx context.Context, a *actor, c *random.Call) (*partner.Answer, error) {
	if _, err := url.Parse(c.Target); err != nil {
		return nil, nil //nolint:nilnil,nilerr // there is no such call.
	}
	var answer *partner.Answer
	var err error
	switch c.To {
	case random.Page:
		answer, err = s.visits(ctx, c)
	case random.Control:
		answer, err = a.stage.Ask(ctx, c.Method, c.Target, c.Body, c.Header...)
	default:
		var body any
		if c.Body != nil {
			body = c.Body
		}
		answer, err = a.client.Call(ctx, c.Method, c.Target, body, c.Header...)
	}
	var broken *url.Error
	if errors.As(err, &broken) && ctx.Err() == nil { // a fault may cut what it likes
		return nil, nil //nolint:nilnil // nothing came.
	}
	return answer, err
}

// visits opens a page, or sends its form.
func (s *story) visits(ctx context.Context, c *random.Call) (*partner.Answer, error) {
	if c.Method == http.MethodGet {
		page, err := s.visitor().Open(ctx, c.Target)
		if err != nil {
			return nil, err
		}
		return &page.Answer, nil
	}
	to, err := url.Parse(c.Target)
	if err != nil {
		return nil, err
	}
	page, err := s.visitor().Send(ctx, to, c.Header[1], string(c.Body))
	if err != nil {
		return nil, err
	}
	return &page.Answer, nil
}

// after lets what is under way come back, and gets another token where one is over.
func (s *story) after(ctx context.Context, a *actor, c *random.Call, answer *partner.Answer) error {
	if answer.Status == http.StatusUnauthorized || strings.HasSuffix(c.Operation, "revokeTokens") {
		a.client.ForgetToken()
	}
	_, err := a.stage.Get(ctx, "/tape?kind=attempt&limit=1")
	return err
}

package story

import (
	"context"
	"errors"
	"fmt"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

// control makes a call of the control API that must succeed, and lets it have its
// effects.
func (s *Story) control(ctx context.Context, path string, body any) (*partner.Answer, error) {
	a, err := s.Stage.Do(ctx, path, body)
	if refused := (*partner.Refused)(nil); errors.As(err, &refused) {
		return nil, &cannot{refused}
	}
	if err != nil {
		return nil, err
	}
	return a, s.Settle(ctx)
}

// cannot says in the service's words why the others of a story could not do
// something: mostly the partner has done something else before.
type cannot struct{ *partner.Refused }

// Error gives the detail of the refusal, and all of it where there is none.
func (i *cannot) Error() string {
	if detail := trail.ReadBody(i.Answer.Body).Text("detail"); detail != "" {
		return fmt.Sprintf("this is not possible (%d): %s", i.Answer.Status, detail)
	}
	return i.Refused.Error()
}

// Unwrap is the refusal itself.
func (i *cannot) Unwrap() error { return i.Refused }

// announces tells of trouble before it comes: what it is for, and what is armed.
func (s *Story) announces(ctx context.Context, clause, text, armed string) error {
	return s.Note(ctx, trail.NoteTrouble, text, struct {
		Clause string `json:"clause"`
		Armed  string `json:"armed"`
	}{clause, armed})
}

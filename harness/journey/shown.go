package journey

import (
	"context"
	"errors"
	"fmt"

	"paysandbox/harness/partner"
	"paysandbox/mockserver/tape"
)

// caused finds the entity of a machine that an entry has brought into being.
func (s *story) caused(seq uint64, machine string) string {
	for i := range s.tape.entries {
		e := &s.tape.entries[i]
		if e.Transition != nil && e.Cause == seq && e.Transition.Machine == machine && e.Transition.From == "" {
			return e.Transition.Entity
		}
	}
	return ""
}

// state is the present state of an entity, "" when the tape does not show it.
func (s *story) state(entity string) string {
	for i := len(s.tape.entries) - 1; i >= 0; i-- {
		if t := s.tape.entries[i].Transition; t != nil && t.Entity == entity {
			return t.To
		}
	}
	return ""
}

// settled lets everything that was set off come to its end.
func (s *story) settled(ctx context.Context) error {
	if err := s.plan.Actor.Settle(ctx); err != nil {
		return err
	}
	return s.tape.look(ctx, 0)
}

// control makes a call of the control API that must succeed, and lets it have its
// effects.
func (s *story) control(ctx context.Context, path string, body any) (*partner.Answer, error) {
	a, err := s.stage.Do(ctx, path, body)
	if refused := (*partner.Refused)(nil); errors.As(err, &refused) {
		return nil, &cannot{refused}
	}
	if err != nil {
		return nil, err
	}
	return a, s.settled(ctx)
}

// cannot says in the service's words why the others of a story could not do
// something: mostly the partner has done something else before.
type cannot struct{ *partner.Refused }

// Error gives the detail of the refusal, and all of it where there is none.
func (i *cannot) Error() string {
	if detail := text(object(i.Answer.Body), "detail"); detail != "" {
		return fmt.Sprintf("this is not possible (%d): %s", i.Answer.Status, detail)
	}
	return i.Refused.Error()
}

// Unwrap is the refusal itself.
func (i *cannot) Unwrap() error { return i.Refused }

// exchanges walks the exchanges of an operation, or of one of several.
func (s *story) exchanges(operations []string, do func(*tape.Entry) bool) {
	for i := range s.tape.entries {
		e := &s.tape.entries[i]
		if e.Kind != tape.KindExchange || e.Exchange == nil {
			continue
		}
		for _, op := range operations {
			if e.Exchange.Operation == op && !do(e) {
				return
			}
		}
	}
}

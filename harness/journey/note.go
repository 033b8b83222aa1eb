package journey

import (
	"context"
	"errors"
	"net/http"

	"paysandbox/harness/check"
	"paysandbox/harness/partner"
)

// note is a remark on the tape.
type note struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Data any    `json:"data,omitempty"`
}

// done tells which exchange did a task, and whom its ids stand for.
type done struct {
	Task     int               `json:"task"`
	Exchange uint64            `json:"exchange"`
	Names    map[string]string `json:"names,omitempty"`
}

// armed tells of trouble that is under way to the partner.
type armed struct {
	Clause string `json:"clause"`
	Armed  string `json:"armed"`
}

// returned tells that a payer came back to the partner.
type returned struct {
	Payment      string `json:"payment,omitempty"`
	Registration string `json:"registration,omitempty"`
	Status       string `json:"status"`
}

// while says how things stand when the payer comes back.
func (r *returned) while() string {
	switch {
	case r.Status == "":
		return ""
	case r.Registration != "":
		return ", while the registration is " + r.Status
	default:
		return ", while the payment is " + r.Status
	}
}

// note puts a remark on the tape. A service that takes none gets none.
func (s *story) note(ctx context.Context, kind, text string, data any) error {
	_, err := s.stage.Do(ctx, "/notes", note{Kind: kind, Text: text, Data: data})
	var refused *partner.Refused
	if errors.As(err, &refused) && refused.Answer.Status == http.StatusNotFound {
		return nil
	}
	return err
}

// announces tells of trouble before it comes.
func (s *story) announces(ctx context.Context, clause, text string) error {
	return s.note(ctx, check.NoteTrouble, text, armed{Clause: clause, Armed: text})
}

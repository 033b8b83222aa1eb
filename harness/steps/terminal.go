package steps

import (
	"context"
	"net/http"
)

func terminalActions() []action {
	return []action{{
		phrase: "registers a terminal payment", method: http.MethodPost, path: "/CardPayment", body: "card-payment",
		fill: []pair{{"merchantId", "new reference"}},
	}}
}

// terminalSteps register many payments at once.
func terminalSteps() []Step {
	return []Step{step("terminal", `([0-9]+) terminal payments`, bind1((*story).givenTerminals))}
}

func (s *story) givenTerminals(ctx context.Context, n int) error {
	for range n {
		if err := s.make(ctx, "a", "terminal payment", nil); err != nil {
			return err
		}
	}
	return nil
}

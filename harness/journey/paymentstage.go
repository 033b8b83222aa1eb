package journey

import (
	"context"
	"fmt"
)

func paymentStage() []Step {
	const payments = person + `'s ` + money
	return []Step{
		step(person+` (approves|denies) `+money, bind3((*story).answers)),
		step(`the bank (returns|refuses) `+payments+` with (R[0-9]{2})`, bind4((*story).bank)),
	}
}

// answers is the payer's answer to a request, after which the browser goes back
// to where the partner wants it.
func (s *story) answers(ctx context.Context, name, how, amount string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	event := "approve"
	if how == "denies" {
		event = "deny"
	}
	s.back = returning{address: p.back, entity: p.id}
	_, err = s.control(ctx, fmt.Sprintf("/payments/%s/%s", p.id, event), nil)
	return err
}

// bank is the payer's bank, which refuses a payment that is under way, or returns
// one that was Paid.
func (s *story) bank(ctx context.Context, how, name, amount, code string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	event := "return"
	if how == "refuses" {
		event = "fail"
	}
	_, err = s.control(ctx, fmt.Sprintf("/payments/%s/%s", p.id, event), map[string]string{"returnCode": code})
	return err
}

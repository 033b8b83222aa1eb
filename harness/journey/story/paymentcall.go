package story

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func (s *Story) asksPayment(ctx context.Context, name, amount string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoPaymentStatus, Say: fmt.Sprintf("ask how the %s of %s stands", amount, name),
			With: map[string]any{"paymentRequestId": p.id},
		},
		Operations: []string{partner.DoPaymentStatus, "getTransaction"},
		Fits:       func(c *trail.Call) bool { return c.About(p.id) },
	})
}

// asksAll asks for the states of the story's payments, in parallel.
func (s *Story) asksAll(ctx context.Context) error {
	var ids []any
	for i := range s.Tape.Entries {
		t := s.Tape.Entries[i].Transition
		if t != nil && t.Machine == "payment" && t.From == "" && s.ours(t.Entity) {
			ids = append(ids, t.Entity)
		}
	}
	which := func(c *trail.Call) string {
		for _, id := range ids {
			if c.About(id.(string)) {
				return id.(string)
			}
		}
		return ""
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoStatusOfMany, Say: fmt.Sprintf("ask how all %d payments stand, at the same time", len(ids)),
			With: map[string]any{"paymentRequestIds": ids},
		},
		Operations: []string{partner.DoPaymentStatus, "getTransaction"}, Times: len(ids),
		Fits: func(c *trail.Call) bool { return which(c) != "" }, Which: which,
	})
}

// cancels takes a request back; late says that the service is to refuse.
func (s *Story) cancels(ctx context.Context, name, amount, late string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoCancelPayment, Say: fmt.Sprintf("cancel the %s of %s", amount, name),
			With: map[string]any{"paymentRequestId": p.id},
		},
		Operations: []string{partner.DoCancelPayment, "cancelPaymentByPost"}, Refused: late != "",
		Fits: func(c *trail.Call) bool { return c.About(p.id) },
	})
}

// receipt is a small document.
const receipt = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n"

// refunds gives a part of a payment back: with a receipt, or more than there is,
// which the service refuses.
func (s *Story) refunds(ctx context.Context, part, name, amount, how string) error {
	var attachment map[string]any
	if strings.Contains(how, "receipt") {
		attachment = map[string]any{
			"fileName": "receipt.pdf", "fileType": "application/pdf", "fileData": base64.StdEncoding.EncodeToString([]byte(receipt)),
		}
	}
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	with := map[string]any{"paymentRequestId": p.id, "amount": cents(part), "description": "Given back"}
	say := fmt.Sprintf("refund %s of the %s of %s", part, amount, name)
	if attachment != nil {
		with["attachment"] = attachment
		say += ", with a receipt attached"
	}
	return s.Perform(ctx, &task.Intent{
		Task:       partner.Task{Do: partner.DoRefundPayment, Say: say, With: with},
		Operations: []string{partner.DoRefundPayment, "refundPaymentByQuery"}, Refused: strings.Contains(how, "more"),
		Fits: func(c *trail.Call) bool {
			return c.About(p.id) && c.Sent().Cents("amount") == cents(part) && (attachment == nil || c.Sent().Get("attachment") != nil)
		},
	})
}

func paymentStage() []Step {
	const payments = person + `'s ` + money
	return []Step{
		step(person+` (approves|denies) `+money, bind3((*Story).answers)),
		step(`the bank (returns|refuses) `+payments+` with (R[0-9]{2})`, bind4((*Story).bank)),
	}
}

// answers is the payer's answer to a request, after which the browser goes back
// to where the partner wants it.
func (s *Story) answers(ctx context.Context, name, how, amount string) error {
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
func (s *Story) bank(ctx context.Context, how, name, amount, code string) error {
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

package journey

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"paysandbox/harness/partner"
)

func (s *story) asksPayment(ctx context.Context, name, amount string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoPaymentStatus, Say: fmt.Sprintf("ask how the %s of %s stands", amount, name),
			With: map[string]any{"paymentRequestId": p.id},
		},
		operations: []string{partner.DoPaymentStatus, "getTransaction"},
		fits:       func(c *call) bool { return c.about(p.id) },
	})
}

// asksAll asks for the states of the story's payments, in parallel.
func (s *story) asksAll(ctx context.Context) error {
	var ids []any
	for i := range s.tape.entries {
		t := s.tape.entries[i].Transition
		if t != nil && t.Machine == "payment" && t.From == "" && s.ours(t.Entity) {
			ids = append(ids, t.Entity)
		}
	}
	which := func(c *call) string {
		for _, id := range ids {
			if c.about(id.(string)) {
				return id.(string)
			}
		}
		return ""
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoStatusOfMany, Say: fmt.Sprintf("ask how all %d payments stand, at the same time", len(ids)),
			With: map[string]any{"paymentRequestIds": ids},
		},
		operations: []string{partner.DoPaymentStatus, "getTransaction"}, times: len(ids),
		fits: func(c *call) bool { return which(c) != "" }, which: which,
	})
}

// ours says whether a payment belongs to the story.
func (s *story) ours(id string) bool {
	for _, p := range s.payments {
		if p.id == id {
			return true
		}
	}
	return false
}

// cancels takes a request back; late says that the service is to refuse.
func (s *story) cancels(ctx context.Context, name, amount, late string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoCancelPayment, Say: fmt.Sprintf("cancel the %s of %s", amount, name),
			With: map[string]any{"paymentRequestId": p.id},
		},
		operations: []string{partner.DoCancelPayment, "cancelPaymentByPost"}, refused: late != "",
		fits: func(c *call) bool { return c.about(p.id) },
	})
}

// receipt is a small document.
const receipt = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n"

// refunds gives a part of a payment back: with a receipt, or more than there is,
// which the service refuses.
func (s *story) refunds(ctx context.Context, part, name, amount, how string) error {
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
	return s.performs(ctx, &intent{
		Task:       partner.Task{Do: partner.DoRefundPayment, Say: say, With: with},
		operations: []string{partner.DoRefundPayment, "refundPaymentByQuery"}, refused: strings.Contains(how, "more"),
		fits: func(c *call) bool {
			return c.about(p.id) && whole(c.asked, "amount") == cents(part) && (attachment == nil || member(c.asked, "attachment") != nil)
		},
	})
}

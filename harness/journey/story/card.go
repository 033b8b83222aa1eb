package story

import (
	"context"
	"fmt"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func cardIntents() []Step {
	return []Step{
		step(`the partner asks `+person+` to authorise a card for `+money+` at `+company, bind3((*Story).asksCard)),
		step(`the partner looks up `+person+`'s saved cards`, bind1((*Story).looksUpCards)),
		step(`the partner charges `+person+`'s saved card with `+money+` for `+company, bind3((*Story).charges)),
		step(`the partner registers a card payment of `+money+` by `+person+` at the terminal of `+company, bind3((*Story).registersTerminal)),
	}
}

func cardStage() []Step {
	return []Step{
		step(person+` types a card for `+money+`( whose later charges are declined)?`, bind3((*Story).types)),
	}
}

// place gives the first location of a company, which cards need; the company's
// reference where it has none.
func (f *firm) place(with map[string]any) {
	first := ""
	for _, id := range f.locations {
		if first == "" || id < first {
			first = id
		}
	}
	if first != "" {
		with["locationId"] = first
	}
}

func (s *Story) asksCard(ctx context.Context, name, amount, noun string) error {
	say := fmt.Sprintf("ask %s to authorise a card for %s", name, amount)
	return s.card(ctx, name, amount, noun, partner.DoAuthoriseCard, say, nil)
}

// card asks for a card authorisation, or charges a saved card.
func (s *Story) card(ctx context.Context, name, amount, noun, do, say string, more map[string]any) error {
	h, f, err := s.payerOf(name, noun)
	if err != nil {
		return err
	}
	with := map[string]any{"amount": cents(amount), "registrationId": h.id}
	f.place(with)
	for _, member := range [...]string{"paymentMethodId", "shortDescription"} {
		if v, ok := more[member]; ok {
			with[member] = v
		}
	}
	p := &payment{who: h, amount: cents(amount)}
	s.payments[paymentKey(name, amount)] = p
	return s.Perform(ctx, &task.Intent{
		Task:     partner.Task{Do: do, Say: say + " for " + f.name, With: with},
		Declined: do == partner.DoChargeSavedCard,
		Fits:     func(c *trail.Call) bool { return c.Sent().Cents("amount") == p.amount && h.asked(c) },
		Bind: func(c *trail.Call) {
			p.id, p.back = c.Answered().Text("paymentRequestId"), c.Sent().Text("returnUrl")
			if p.id == "" {
				p.id = s.Tape.Made(c.Entry.Seq, "saved-card-charge")
			}
		},
		Names: func() map[string]string {
			return map[string]string{p.id: paymentKey(name, amount)}
		},
	})
}

// looksUpCards finds the newest saved card.
func (s *Story) looksUpCards(ctx context.Context, name string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoPaymentMethods, Say: "look up the saved cards of " + name, With: map[string]any{"registrationId": h.id},
		},
		Fits: func(c *trail.Call) bool { return c.About(h.id) },
		Bind: func(c *trail.Call) {
			if methods := c.Answered().List("paymentMethods"); len(methods) > 0 {
				h.method = methods[len(methods)-1].Text("id")
			}
		},
	})
}

func (s *Story) charges(ctx context.Context, name, amount, noun string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	if h.method == "" {
		return fmt.Errorf("%w a saved card of %s", errUnbound, name)
	}
	say := fmt.Sprintf("charge the saved card of %s with %s", name, amount)
	return s.card(ctx, name, amount, noun, partner.DoChargeSavedCard, say,
		map[string]any{"paymentMethodId": h.method, "shortDescription": "Services"})
}

// registersTerminal tells of a payment that was made on an external terminal.
func (s *Story) registersTerminal(ctx context.Context, amount, name, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	h := s.human(name)
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoCardPayment, Say: fmt.Sprintf("register a card payment of %s by %s at the terminal of %s", amount, name, f.name),
			With: map[string]any{
				"amount": cents(amount), "mobileNumber": h.Mobile, "email": h.Email, "cardType": "Visa",
				"transactionStatus": "Succeeded", "merchantId": f.ref,
			},
		},
		Fits: func(c *trail.Call) bool {
			return c.Sent().Cents("amount") == cents(amount) && c.Sent().Text("mobileNumber") == h.Mobile
		},
		Names: func() map[string]string { return map[string]string{h.Mobile: name, h.Email: name} },
	})
}

// types types a card of the test data on the page of an authorisation, a good one
// or one that is weak.
func (s *Story) types(ctx context.Context, name, amount, weak string) error {
	outcome := "approved"
	if weak != "" {
		outcome = "later-decline"
	}
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	a, err := s.control(ctx, "/cards/"+p.id+"/authorise", map[string]string{"number": outcome})
	if err != nil {
		return err
	}
	var moved struct {
		ReturnURL string `json:"returnUrl"`
	}
	if err := a.Read(&moved); err != nil {
		return err
	}
	s.back = returning{address: moved.ReturnURL, entity: p.id}
	return nil
}

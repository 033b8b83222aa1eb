package journey

import (
	"context"
	"fmt"

	"paysandbox/harness/partner"
)

func cardIntents() []Step {
	return []Step{
		step(`the partner asks `+person+` to authorise a card for `+money+` at `+company, bind3((*story).asksCard)),
		step(`the partner looks up `+person+`'s saved cards`, bind1((*story).looksUpCards)),
		step(`the partner charges `+person+`'s saved card with `+money+` for `+company, bind3((*story).charges)),
		step(`the partner registers a card payment of `+money+` by `+person+` at the terminal of `+company, bind3((*story).registersTerminal)),
	}
}

func cardStage() []Step {
	return []Step{
		step(person+` types a card for `+money+`( whose later charges are declined)?`, bind3((*story).types)),
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

func (s *story) asksCard(ctx context.Context, name, amount, noun string) error {
	say := fmt.Sprintf("ask %s to authorise a card for %s", name, amount)
	return s.card(ctx, name, amount, noun, partner.DoAuthoriseCard, say, nil)
}

// card asks for a card authorisation, or charges a saved card.
func (s *story) card(ctx context.Context, name, amount, noun, do, say string, more map[string]any) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	f, err := s.firm(noun)
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
	return s.performs(ctx, &intent{
		Task:     partner.Task{Do: do, Say: say + " for " + f.name, With: with},
		declined: do == partner.DoChargeSavedCard,
		fits:     func(c *call) bool { return whole(c.asked, "amount") == p.amount && c.to(h) },
		bind: func(c *call) {
			p.id, p.back = text(c.answers, "paymentRequestId"), text(c.asked, "returnUrl")
			if p.id == "" {
				p.id = s.caused(c.seq, "saved-card-charge")
			}
		},
		names: func() map[string]string {
			return map[string]string{p.id: paymentKey(name, amount)}
		},
	})
}

// looksUpCards finds the newest saved card.
func (s *story) looksUpCards(ctx context.Context, name string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoPaymentMethods, Say: "look up the saved cards of " + name, With: map[string]any{"registrationId": h.id},
		},
		fits: func(c *call) bool { return c.about(h.id) },
		bind: func(c *call) {
			methods, _ := member(c.answers, "paymentMethods").([]any)
			if n := len(methods); n > 0 {
				last, _ := methods[n-1].(map[string]any)
				h.method = text(last, "id")
			}
		},
	})
}

func (s *story) charges(ctx context.Context, name, amount, noun string) error {
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
func (s *story) registersTerminal(ctx context.Context, amount, name, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	h := s.human(name)
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoCardPayment, Say: fmt.Sprintf("register a card payment of %s by %s at the terminal of %s", amount, name, f.name),
			With: map[string]any{
				"amount": cents(amount), "mobileNumber": h.Mobile, "email": h.Email, "cardType": "Visa",
				"transactionStatus": "Succeeded", "merchantId": f.ref,
			},
		},
		fits: func(c *call) bool {
			return whole(c.asked, "amount") == cents(amount) && text(c.asked, "mobileNumber") == h.Mobile
		},
		names: func() map[string]string { return map[string]string{h.Mobile: name, h.Email: name} },
	})
}

// types types a card of the test data on the page of an authorisation, a good one
// or one that is weak.
func (s *story) types(ctx context.Context, name, amount, weak string) error {
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

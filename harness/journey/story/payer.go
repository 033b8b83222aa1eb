package story

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/journey/timeline"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func payerIntents() []Step {
	return []Step{
		step(`the partner registers `+person+` (?:as a payer|for a single payment of `+money+`)`, bind2((*Story).registersPayer)),
		step(person+` is a registered payer`, bind1((*Story).hasPayer)),
		step(`the partner asks whether `+person+` is registered`, bind1((*Story).asksRegistered)),
		step(`the partner asks `+person+` to authorise debits for `+company+` up to `+money, bind3((*Story).asksDebits)),
	}
}

// registersPayer registers a payer; with an amount one who pays once, within the
// registration.
func (s *Story) registersPayer(ctx context.Context, name, amount string) error {
	h := s.human(name)
	say, with := fmt.Sprintf("register %s as a payer", name), map[string]any{}
	if amount != "" {
		say = fmt.Sprintf("register %s for a single payment of %s", name, amount)
		with["amount"], with["period"] = cents(amount), "once"
	}
	with["mobileNumber"], with["email"] = h.Mobile, h.Email
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{Do: partner.DoRegisterUser, Say: say, With: with},
		Fits: func(c *trail.Call) bool {
			return c.Sent().Text("mobileNumber") == h.Mobile || strings.EqualFold(c.Sent().Text("email"), h.Email)
		},
		Bind: func(c *trail.Call) {
			h.id, h.redirect = c.Answered().Text("registrationId"), c.Sent().Text("redirectUrl")
			h.Mobile, h.Email = c.Sent().Text("mobileNumber"), c.Sent().Text("email") // as the partner knows them
		},
		Names: func() map[string]string { return map[string]string{h.id: name} },
	})
}

// hasPayer registers a payer, who completes the registration at once.
func (s *Story) hasPayer(ctx context.Context, name string) error {
	if err := s.registersPayer(ctx, name, ""); err != nil {
		return err
	}
	s.Tell(name + " completes the registration")
	return s.completes(ctx, name, "")
}

func (s *Story) asksRegistered(ctx context.Context, name string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoUserStatus, Say: "ask whether " + name + " is registered", With: map[string]any{"registrationId": h.id},
		},
		Fits: func(c *trail.Call) bool { return c.About(h.id) },
	})
}

func (s *Story) asksDebits(ctx context.Context, name, noun, limit string) error {
	h, f, err := s.payerOf(name, noun)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoDebitAuth, Say: fmt.Sprintf("ask %s to authorise debits of %s up to %s", name, f.name, limit),
			With: map[string]any{"registrationId": h.id, "companyId": f.id, "enabled": true, "limit": cents(limit)},
		},
		Fits: func(c *trail.Call) bool { return c.About(h.id) && c.Sent().Cents("limit") == cents(limit) },
	})
}

func payerStage() []Step {
	return []Step{
		step(person+` completes the registration(?: with the test account `+quoted+`)?`, bind2((*Story).completes)),
		step(person+` authorises the debits of `+company, bind2((*Story).authorises)),
	}
}

// payerReturn is told when it has come about, and not before.
func payerReturn() []Step {
	return []Step{step(person+` comes back to the partner`, bind1((*Story).comesBack))}
}

// completes links a bank of the test data, a good one where the story names none,
// and passes the identity check.
func (s *Story) completes(ctx context.Context, name, persona string) error {
	if persona == "" {
		persona = "good"
	}
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	a, err := s.control(ctx, "/registrations/"+h.id+"/complete", map[string]string{"persona": persona, "outcome": "registered"})
	if err != nil {
		return err
	}
	var done struct {
		RedirectURL string `json:"redirectUrl"`
	}
	if err := a.Read(&done); err != nil {
		return err
	}
	s.back = returning{address: done.RedirectURL, entity: h.id, registration: true}
	return s.singlePayment(ctx, name, h)
}

// singlePayment binds the payment that was a part of the registration.
func (s *Story) singlePayment(ctx context.Context, name string, h *human) error {
	for i := range s.Tape.Entries {
		e := &s.Tape.Entries[i]
		if e.Event == nil || len(e.Entities) == 0 {
			continue
		}
		data := trail.ReadBody(e.Event.Body).Object("Data")
		if data.Text("RegistrationId") != h.id {
			continue
		}
		amount := timeline.Amount(data.Cents("Amount"))
		if s.payments[paymentKey(name, amount)] == nil {
			s.payments[paymentKey(name, amount)] = &payment{who: h, amount: data.Cents("Amount"), id: data.Text("PaymentId")}
		}
	}
	return ctx.Err()
}

var errNoRequest = errors.New("the service has not asked the payer")

// authorises accepts the request for debits that waits for the payer.
func (s *Story) authorises(ctx context.Context, name, noun string) error {
	h, f, err := s.payerOf(name, noun)
	if err != nil {
		return err
	}
	id := ""
	for c := range s.Tape.CallsTo("requestDebitAuthorisation") {
		if c.About(h.id) && c.Sent().Text("companyId") == f.id && c.Exchange.Response.Status == 200 {
			id = s.Tape.Made(c.Entry.Seq, "debit-authorisation")
		}
	}
	if id == "" {
		return fmt.Errorf("%w: %s for debits of %s", errNoRequest, name, f.name)
	}
	_, err = s.control(ctx, "/debit-authorisations/"+id+"/accept", nil)
	return err
}

// comesBack lets the browser of a payer follow the redirect of the page that the
// payer was on last. A partner that has given no address, or one that cannot be
// opened from here, sees nobody come back.
func (s *Story) comesBack(ctx context.Context, name string) error {
	back := s.back
	s.back = returning{}
	if back.address == "" || s.Visit == nil {
		return nil
	}
	r := trail.Returned{Status: s.Tape.State(back.entity)}
	if back.registration {
		r.Registration = back.entity
	} else {
		r.Payment = back.entity
	}
	if _, err := s.Visit(ctx, back.address); err != nil {
		s.Tell(fmt.Sprintf("%s cannot come back to the partner: %s", name, err))
		return ctx.Err()
	}
	s.Tell(name + " comes back to the partner")
	if err := s.Note(ctx, trail.NoteRedirect, name+" comes back to the partner", r); err != nil {
		return err
	}
	return s.Settle(ctx)
}

package journey

import (
	"context"
	"errors"
	"fmt"

	"paysandbox/harness/check"
	"paysandbox/mockserver/tape"
)

func payerStage() []Step {
	return []Step{
		step(person+` completes the registration(?: with the test account `+quoted+`)?`, bind2((*story).completes)),
		step(person+` authorises the debits of `+company, bind2((*story).authorises)),
	}
}

// payerReturn is told when it has come about, and not before.
func payerReturn() []Step {
	return []Step{step(person+` comes back to the partner`, bind1((*story).comesBack))}
}

// completes links a bank of the test data, a good one where the story names none,
// and passes the identity check.
func (s *story) completes(ctx context.Context, name, persona string) error {
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
func (s *story) singlePayment(ctx context.Context, name string, h *human) error {
	for i := range s.tape.entries {
		e := &s.tape.entries[i]
		if e.Event == nil || len(e.Entities) == 0 {
			continue
		}
		data, _ := member(object(e.Event.Body), "Data").(map[string]any)
		if text(data, "RegistrationId") != h.id {
			continue
		}
		amount := spellCents(whole(data, "Amount"))
		if s.payments[paymentKey(name, amount)] == nil {
			s.payments[paymentKey(name, amount)] = &payment{who: h, amount: whole(data, "Amount"), id: text(data, "PaymentId")}
		}
	}
	return ctx.Err()
}

var errNoRequest = errors.New("the service has not asked the payer")

// authorises accepts the request for debits that waits for the payer.
func (s *story) authorises(ctx context.Context, name, noun string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	id := ""
	s.exchanges([]string{"requestDebitAuthorisation"}, func(e *tape.Entry) bool {
		c := callOf(e)
		if c.about(h.id) && text(c.asked, "companyId") == f.id && c.Response.Status == 200 {
			id = s.caused(e.Seq, "debit-authorisation")
		}
		return true
	})
	if id == "" {
		return fmt.Errorf("%w: %s for debits of %s", errNoRequest, name, f.name)
	}
	_, err = s.control(ctx, "/debit-authorisations/"+id+"/accept", nil)
	return err
}

// comesBack lets the browser of a payer follow the redirect of the page that the
// payer was on last. A partner that has given no address, or one that cannot be
// opened from here, sees nobody come back.
func (s *story) comesBack(ctx context.Context, name string) error {
	back := s.back
	s.back = returning{}
	if back.address == "" || s.plan.Visit == nil {
		return nil
	}
	r := returned{Status: s.state(back.entity)}
	if back.registration {
		r.Registration = back.entity
	} else {
		r.Payment = back.entity
	}
	if _, err := s.plan.Visit(ctx, back.address); err != nil {
		s.tells(fmt.Sprintf("%s cannot come back to the partner: %s", name, err))
		return ctx.Err()
	}
	s.tells(name + " comes back to the partner")
	if err := s.note(ctx, check.NoteRedirect, name+" comes back to the partner", r); err != nil {
		return err
	}
	return s.settled(ctx)
}

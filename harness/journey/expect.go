package journey

import (
	"context"
	"fmt"

	"paysandbox/mockserver/tape"
)

func stateExpectations() []Step {
	return []Step{
		step(company+` is (Unverified|Verified|Rejected)`, bind2((*story).companyIs)),
		step(person+` is Registered`, bind1((*story).isRegistered)),
		step(person+`'s `+money+` is ([A-Z][A-Za-z]+)`, bind3((*story).paymentIs)),
		step(`the plan `+quoted+` is ([A-Z][a-z]+)`, bind2((*story).planIs)),
		step(person+` was asked for `+money+` only once`, bind2((*story).askedOnce)),
	}
}

// becomes waits until an entity is in a state.
func (s *story) becomes(ctx context.Context, what, entity, state string) error {
	return s.tape.until(ctx, what+" to be "+state, func() string {
		switch now := s.state(entity); now {
		case state:
			return ""
		case "":
			return "the tape shows no state of it"
		default:
			return "it is " + now
		}
	})
}

func (s *story) companyIs(ctx context.Context, noun, state string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.becomes(ctx, f.name, f.id, state)
}

func (s *story) isRegistered(ctx context.Context, name string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	return s.becomes(ctx, name, h.id, "Registered")
}

func (s *story) paymentIs(ctx context.Context, name, amount, state string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.becomes(ctx, paymentKey(name, amount), p.id, state)
}

func (s *story) planIs(ctx context.Context, title, state string) error {
	p, err := s.agreed(title)
	if err != nil {
		return err
	}
	return s.becomes(ctx, "the plan "+title, p.id, state)
}

// askedOnce counts the payments that the service has made, whatever answers got
// lost.
func (s *story) askedOnce(ctx context.Context, name, amount string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.tape.until(ctx, "one payment of "+paymentKey(name, amount), func() string {
		n := 0
		s.exchanges([]string{"createPayment"}, func(e *tape.Entry) bool {
			c := callOf(e)
			if whole(c.asked, "amount") == p.amount && c.to(p.who) && s.caused(e.Seq, "payment") != "" {
				n++
			}
			return true
		})
		if n == 1 {
			return ""
		}
		return fmt.Sprintf("there are %d", n)
	})
}

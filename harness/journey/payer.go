package journey

import (
	"context"
	"fmt"
	"strings"

	"paysandbox/harness/partner"
)

func payerIntents() []Step {
	return []Step{
		step(`the partner registers `+person+` (?:as a payer|for a single payment of `+money+`)`, bind2((*story).registersPayer)),
		step(person+` is a registered payer`, bind1((*story).hasPayer)),
		step(`the partner asks whether `+person+` is registered`, bind1((*story).asksRegistered)),
		step(`the partner asks `+person+` to authorise debits for `+company+` up to `+money, bind3((*story).asksDebits)),
	}
}

// registersPayer registers a payer; with an amount one who pays once, within the
// registration.
func (s *story) registersPayer(ctx context.Context, name, amount string) error {
	h := s.human(name)
	say, with := fmt.Sprintf("register %s as a payer", name), map[string]any{}
	if amount != "" {
		say = fmt.Sprintf("register %s for a single payment of %s", name, amount)
		with["amount"], with["period"] = cents(amount), "once"
	}
	with["mobileNumber"], with["email"] = h.Mobile, h.Email
	return s.performs(ctx, &intent{
		Task: partner.Task{Do: partner.DoRegisterUser, Say: say, With: with},
		fits: func(c *call) bool {
			return text(c.asked, "mobileNumber") == h.Mobile || strings.EqualFold(text(c.asked, "email"), h.Email)
		},
		bind: func(c *call) {
			h.id, h.redirect = text(c.answers, "registrationId"), text(c.asked, "redirectUrl")
			h.Mobile, h.Email = text(c.asked, "mobileNumber"), text(c.asked, "email") // as the partner knows them
		},
		names: func() map[string]string { return map[string]string{h.id: name} },
	})
}

// hasPayer registers a payer, who completes the registration at once.
func (s *story) hasPayer(ctx context.Context, name string) error {
	if err := s.registersPayer(ctx, name, ""); err != nil {
		return err
	}
	s.tells(name + " completes the registration")
	return s.completes(ctx, name, "")
}

func (s *story) asksRegistered(ctx context.Context, name string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoUserStatus, Say: "ask whether " + name + " is registered", With: map[string]any{"registrationId": h.id},
		},
		fits: func(c *call) bool { return c.about(h.id) },
	})
}

func (s *story) asksDebits(ctx context.Context, name, noun, limit string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoDebitAuth, Say: fmt.Sprintf("ask %s to authorise debits of %s up to %s", name, f.name, limit),
			With: map[string]any{"registrationId": h.id, "companyId": f.id, "enabled": true, "limit": cents(limit)},
		},
		fits: func(c *call) bool { return c.about(h.id) && whole(c.asked, "limit") == cents(limit) },
	})
}

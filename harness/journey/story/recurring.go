package story

import (
	"context"
	"fmt"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func planIntents() []Step {
	return []Step{
		step(`the partner makes the plan `+quoted+` for `+company+`: `+money+` every (day|week|month)`, bind4((*Story).makesPlan)),
		step(`the partner adds `+person+` to the plan `+quoted, bind2((*Story).addsToPlan)),
		step(`the partner (activates|pauses|cancels) the plan `+quoted, bind2((*Story).movesPlan)),
		step(`the partner lists the consents of the plan `+quoted, bind1((*Story).listsConsents)),
		step(`the partner takes `+person+` out of the plan `+quoted, bind2((*Story).takesOut)),
		step(`the partner reads the report of `+company, bind1((*Story).readsReport)),
	}
}

func planStage() []Step {
	return []Step{
		step(person+` (consents|revokes the consent) to the plan `+quoted, bind3((*Story).consents)),
	}
}

// units are the words for intervals in the partner API.
var units = map[string]string{"day": "Day", "week": "Week", "month": "Month"}

// makesPlan makes a plan that begins tomorrow.
func (s *Story) makesPlan(ctx context.Context, title, noun, amount, unit string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	p := &agreement{amount: cents(amount), consents: map[string]string{}}
	s.plans[title] = p
	start := s.day(1)
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoCreatePlan, Say: fmt.Sprintf("make the plan %s for %s: %s every %s, from %s", title, f.name, amount, unit, start),
			With: map[string]any{
				"name": title, "amount": p.amount, "companyId": f.id, "startDate": start, "intervalValue": 1, "intervalUnit": units[unit],
			},
		},
		Operations: []string{partner.DoCreatePlan, "createRecurring"},
		Fits:       func(c *trail.Call) bool { return c.Sent().Cents("amount") == p.amount },
		Bind:       func(c *trail.Call) { p.id = c.Answered().Text("paymentPlanId") },
		Names:      func() map[string]string { return map[string]string{p.id: title} },
	})
}

func (s *Story) addsToPlan(ctx context.Context, name, title string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	p, err := s.agreed(title)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoAddPlanPayer, Say: fmt.Sprintf("add %s to the plan %s", name, title),
			With: map[string]any{"planId": p.id, "registrationId": h.id},
		},
		Fits:  func(c *trail.Call) bool { return c.About(p.id) && c.Sent().Text("registrationId") == h.id },
		Bind:  func(c *trail.Call) { p.consents[name] = c.Answered().Text("consentId") },
		Names: func() map[string]string { return map[string]string{p.consents[name]: name} },
	})
}

func (s *Story) movesPlan(ctx context.Context, how, title string) error {
	p, err := s.agreed(title)
	if err != nil {
		return err
	}
	do := map[string]string{"activates": partner.DoActivatePlan, "pauses": partner.DoPausePlan, "cancels": partner.DoCancelPlan}[how]
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{Do: do, Say: how[:len(how)-1] + " the plan " + title, With: map[string]any{"planId": p.id}},
		Fits: func(c *trail.Call) bool { return c.About(p.id) },
	})
}

func (s *Story) listsConsents(ctx context.Context, title string) error {
	p, err := s.agreed(title)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{Do: partner.DoListConsents, Say: "list the consents of the plan " + title, With: map[string]any{"planId": p.id}},
		Fits: func(c *trail.Call) bool { return c.About(p.id) || c.Exchange.Query == "" },
	})
}

// takesOut declines for the payer, which revokes what was accepted.
func (s *Story) takesOut(ctx context.Context, name, title string) error {
	id, err := s.consent(name, title)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoDeclineConsent, Say: fmt.Sprintf("take %s out of the plan %s", name, title), With: map[string]any{"consentId": id},
		},
		Fits: func(c *trail.Call) bool { return c.About(id) },
	})
}

// readsReport reads every page of a company's transactions.
func (s *Story) readsReport(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoReport, Say: "read the whole report of the transactions of " + f.name, With: map[string]any{"companyId": f.id},
		},
		Fits: func(c *trail.Call) bool { return c.About(f.id) || c.Exchange.Query == "" },
	})
}

func (s *Story) consent(name, title string) (string, error) {
	p, err := s.agreed(title)
	if err != nil {
		return "", err
	}
	if p.consents[name] == "" {
		return "", fmt.Errorf("%w the consent of %s", errUnbound, name)
	}
	return p.consents[name], nil
}

// consents is the payer's answer to a plan, or its end.
func (s *Story) consents(ctx context.Context, name, how, title string) error {
	id, err := s.consent(name, title)
	if err != nil {
		return err
	}
	event := "accept"
	if how != "consents" {
		event = "decline"
	}
	_, err = s.control(ctx, "/consents/"+id+"/"+event, nil)
	return err
}

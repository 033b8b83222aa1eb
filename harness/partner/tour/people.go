package tour

import (
	"context"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
)

// companies registers a gym and a shop, and one that is rejected where the
// environment verifies companies in earnest.
func (t *tour) companies(ctx context.Context) error {
	t.gym = "gym-" + t.tag
	shop, closed := "shop-"+t.tag, "closed-"+t.tag
	for _, c := range []object{
		{"companyReferenceId": t.gym, "name": "Fit Gym"},
		{"companyReferenceId": shop, "name": "Corner Shop", "locations": []any{object{"name": "North"}, object{"name": "South"}}},
		{"companyReferenceId": closed, "name": "KYB REJECT Traders"},
	} {
		if _, err := t.do(ctx, partner.DoCreateCompany, c); err != nil {
			return err
		}
	}
	early, err := t.begin(ctx, partner.DoCreatePayment, object{"companyReferenceId": t.gym, "amount": 2500, "contactNumber": "+12025550142"})
	if err != nil {
		return err
	}
	never, err := t.begin(ctx, partner.DoCreatePayment, object{"companyReferenceId": closed, "amount": 2700, "contactNumber": "+12025550143"})
	if err != nil {
		return err
	}
	for _, c := range [...]struct{ reference, outcome string }{{t.gym, "verified"}, {shop, "verified"}, {closed, "rejected"}} {
		if err := t.act(ctx, "/companies/"+c.reference+"/kyb", object{"outcome": c.outcome}); err != nil {
			return err
		}
	}
	if err := t.until(ctx, func() bool { return early.Over() && never.Over() }); err != nil {
		return err
	}
	return t.all(ctx,
		partner.Task{Do: partner.DoAddLocation, With: object{"companyReferenceId": t.gym, "name": "Pool"}},
		partner.Task{Do: partner.DoListLocations, With: object{"companyReferenceId": t.gym}},
		partner.Task{Do: partner.DoBankLink, With: object{"companyReferenceId": t.gym, "mobileNumber": "+12135550101"}},
		partner.Task{Do: partner.DoCompanyStatus, With: object{"companyReferenceId": t.gym}},
	)
}

// payers registers four people; the first of them is asked for a payment before
// they have finished.
func (t *tour) payers(ctx context.Context) error {
	for n := range 4 {
		id, err := t.invite(ctx)
		if err != nil {
			return err
		}
		var early *app.Job
		if n == 0 {
			if early, err = t.begin(ctx, partner.DoCreatePayment, object{"companyReferenceId": t.gym, "registrationId": id, "amount": 1999}); err != nil {
				return err
			}
		}
		if err := t.arrives(ctx, id, "good"); err != nil {
			return err
		}
		if early != nil {
			if err := t.until(ctx, early.Over); err != nil {
				return err
			}
		}
		t.regulars = append(t.regulars, id)
	}
	return nil
}

// invite registers a payer.
func (t *tour) invite(ctx context.Context) (string, error) {
	who := t.invented.Payer()
	return t.do(ctx, partner.DoRegisterUser, object{"mobileNumber": who.Mobile, "email": who.Email})
}

// arrives is a payer who finishes the registration with a bank, and comes back.
func (t *tour) arrives(ctx context.Context, id, persona string) error {
	if err := t.act(ctx, "/registrations/"+id+"/complete", object{"persona": persona}); err != nil {
		return err
	}
	if err := t.comesBack(ctx, "registration", id, registered); err != nil {
		return err
	}
	return t.until(ctx, func() bool { return t.Payer(id) == registered })
}

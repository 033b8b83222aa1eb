package app

import (
	"context"
	"net/url"
)

// createPlan makes a recurring plan.
func (a *App) createPlan(ctx context.Context, j *Job) error {
	if err := a.mayBePaid(ctx, j, j.company()); err != nil {
		return err
	}
	body := j.pick("name", "amount", "companyId", "companyReferenceId", "startDate", "endDate", "occurrences",
		"intervalValue", "intervalUnit", "shortDescription", "feePayer")
	var got struct {
		PaymentPlanID string `json:"paymentPlanId"`
	}
	if err := a.post(ctx, j, "/PaymentPlan/Create", body, &got); err != nil {
		return err
	}
	j.made = got.PaymentPlanID
	a.o.Say("plan " + j.made + " is created")
	return nil
}

// plan is how a task names a plan.
func (j *Job) plan() string { return or(j.text("planId"), j.text("paymentPlanId")) }

// addPlanPayer asks a payer for consent to a plan.
func (a *App) addPlanPayer(ctx context.Context, j *Job) error {
	if err := a.mayBeAsked(ctx, j, j.text("registrationId")); err != nil {
		return err
	}
	var got struct {
		ConsentID string `json:"consentId"`
	}
	err := a.post(ctx, j, at("/PaymentPlan/", j.plan(), "/Payers"), j.pick("registrationId", "phoneNumber"), &got)
	j.made = got.ConsentID
	return err
}

func (a *App) activatePlan(ctx context.Context, j *Job) error {
	return a.put(ctx, j, at("/PaymentPlan/", j.plan(), "/Activate"))
}

func (a *App) pausePlan(ctx context.Context, j *Job) error {
	return a.put(ctx, j, at("/PaymentPlan/", j.plan(), "/Pause"))
}

func (a *App) cancelPlan(ctx context.Context, j *Job) error {
	return a.put(ctx, j, at("/PaymentPlan/", j.plan(), "/Cancel"))
}

// listConsents reads the consents to a plan, of a payer, or all.
func (a *App) listConsents(ctx context.Context, j *Job) error {
	query := url.Values{}
	if plan := j.plan(); plan != "" {
		query.Set("planId", plan)
	}
	if registration := j.text("registrationId"); registration != "" {
		query.Set("registrationId", registration)
	}
	return a.get(ctx, "/Consent/List", query, nil)
}

func (a *App) declineConsent(ctx context.Context, j *Job) error {
	return a.put(ctx, j, at("/Consent/", j.text("consentId"), "/Decline"))
}

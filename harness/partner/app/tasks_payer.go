package app

import (
	"context"
	"net/url"
	"strconv"
)

// registerUser registers a payer, who then opens the page of the answer, and
// comes back to the redirectUrl.
func (a *App) registerUser(ctx context.Context, j *Job) error {
	news := payer{mobile: j.text("mobileNumber"), email: j.text("email")}
	body := fill(j.pick("mobileNumber", "email", "shortDescription", "amount", "period"), object{
		"shortDescription": "Membership", "redirectUrl": a.returnAddress(j),
	})
	var got struct {
		RegistrationID string `json:"registrationId"`
	}
	if err := a.post(ctx, j, "/User/Register", body, &got); err != nil {
		return err
	}
	a.book.payer(got.RegistrationID, news)
	a.book.returning(j.word, place{registration: got.RegistrationID})
	j.made = got.RegistrationID
	a.o.Say("payer " + j.made + " is invited to register")
	return nil
}

// returnAddress is where a payer comes back to. Its end is a word that means
// something to this application only.
func (a *App) returnAddress(j *Job) string {
	if j.word == "" {
		j.word = a.chance.id()
	}
	return a.ReturnURL() + "/" + j.word
}

func (a *App) askPayer(ctx context.Context, j *Job) error {
	registration := j.text("registrationId")
	status, err := a.readPayer(ctx, registration)
	if err == nil {
		a.o.Say("payer " + registration + " is " + status)
		a.kept.hurry(registration)
	}
	return err
}

// askForDebits asks a payer to authorise debits up to a limit.
func (a *App) askForDebits(ctx context.Context, j *Job) error {
	registration := j.text("registrationId")
	body := fill(j.pick("companyId", "enabled", "limit"), object{"enabled": true})
	if c, known := a.book.company(j.company()); known && body["companyId"] == nil {
		body["companyId"] = c.id
	}
	return a.post(ctx, j, at("/User/", registration, "/DebitAuth"), body, nil)
}

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

// line is one transaction of a report.
type line struct {
	PaymentRequestID string `json:"paymentRequestId"`
	Reference        string `json:"reference"`
	Status           string `json:"status"`
}

// readReport reads the transactions of a company, or of all.
func (a *App) readReport(ctx context.Context, j *Job) error {
	query := url.Values{}
	for _, name := range []string{"companyId", "from", "to", "status"} {
		if value := j.text(name); value != "" {
			query.Set(name, value)
		}
	}
	if c, known := a.book.company(j.text("companyReferenceId")); known && j.with("companyReferenceId") != nil {
		query.Set("companyId", c.id)
	}
	lines, err := a.report(ctx, query)
	if err == nil {
		a.o.Say("the report has " + strconv.Itoa(len(lines)) + " transactions")
	}
	return err
}

// report reads every page: there is a next one as long as the service says so.
func (a *App) report(ctx context.Context, query url.Values) ([]line, error) {
	var all []line
	page := url.Values{}
	for name, values := range query {
		page[name] = values
	}
	for {
		var got struct {
			Transactions []line `json:"transactions"`
			HasMore      bool   `json:"hasMore"`
			NextCursor   string `json:"nextCursor"`
		}
		if err := a.get(ctx, "/Transaction/Report", page, &got); err != nil {
			return nil, err
		}
		all = append(all, got.Transactions...)
		if !got.HasMore || got.NextCursor == "" {
			return all, nil
		}
		page.Set("cursor", got.NextCursor)
	}
}

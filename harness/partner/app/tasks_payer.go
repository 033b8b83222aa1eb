package app

import (
	"context"
	"net/url"
)

// registerUser registers a payer, who then opens the page of the answer, and
// comes back to the redirectUrl.
func (a *App) registerUser(ctx context.Context, j *job) error {
	news := payer{mobile: j.text("mobileNumber"), email: j.text("email")}
	body := fill(j.pick("mobileNumber", "email", "shortDescription", "amount", "period"), object{
		"shortDescription": "Membership", "redirectUrl": a.returnAddress(j, news.mobile),
	})
	if a.careless().is("privacy.free-text") {
		body["shortDescription"] = "Membership of " + news.email
	}
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
func (a *App) returnAddress(j *job, mobile string) string {
	if j.word == "" {
		j.word = a.chance.id()
	}
	address := a.ReturnURL() + "/" + j.word
	if a.careless().is("privacy.urls") {
		address += "?" + url.Values{"phone": {mobile}}.Encode()
	}
	return address
}

func (a *App) askPayer(ctx context.Context, j *job) error {
	registration := j.text("registrationId")
	status, err := a.readPayer(ctx, registration)
	if err == nil {
		a.o.Say("payer " + registration + " is " + status)
		a.kept.hurry(registration)
	}
	return err
}

// askForDebits asks a payer to authorise debits up to a limit.
func (a *App) askForDebits(ctx context.Context, j *job) error {
	registration := j.text("registrationId")
	body := fill(j.pick("companyId", "enabled", "limit"), object{"enabled": true})
	if c, known := a.book.company(j.company()); known && body["companyId"] == nil {
		body["companyId"] = c.id
	}
	if err := a.post(ctx, j, at("/User/", registration, "/DebitAuth"), body, nil); err != nil {
		return err
	}
	a.book.limit(registration, shown(body["companyId"]), wholeNumber(body["limit"]))
	return nil
}

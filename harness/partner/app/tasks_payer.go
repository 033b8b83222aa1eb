package app

import "context"

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

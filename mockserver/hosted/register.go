package hosted

import (
	"net/http"
	"net/url"
	"time"

	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/world"
)

// adult is the age in years from which the simulated identity check passes.
const adult = 18

func registerPage() *page {
	fields := append([]form.Field{{Name: "step"}}, bankFields()...)
	return question[world.RegistrationView]{
		view: func(w *world.World, v *visit) (world.RegistrationView, error) {
			return w.RegistrationView(v.Param("id"))
		},
		open: func(v *visit, view world.RegistrationView) bool {
			return view.State == "Pending" || v.form.Get("step") == stepRelink
		},
		ask: func(_ *world.World, v *visit, view world.RegistrationView, wrong problems) answer {
			return registerStep(view, v, wrong)
		},
		tell: tellRegistered, take: takeRegistration,
	}.page(append(fields, form.Field{Name: "name"}, form.Field{Name: "born"},
		form.Field{Name: "ssn", Mask: form.MaskDigits, Secret: true}, form.Field{Name: "outcome"})...)
}

// registration is what the two steps show.
type registration struct {
	world.RegistrationView
	// Price is the amount in words, "" when none was given.
	Price string
	// Relinks says that the payer is Registered and chooses another account.
	Relinks bool
	// Legend asks for the choice among Options.
	Legend  string
	Options []option
	// Chosen is the bank of step 1.
	Chosen   chosenBank
	Outcomes []option
}

func newRegistration(view world.RegistrationView, v *visit) registration {
	r := registration{RegistrationView: view, Relinks: view.State != "Pending", Legend: "Which account do you link?", Options: bankOptions(v.form.Get("bank"))}
	if view.Amount > 0 && !r.Relinks {
		r.Price = world.Dollars(view.Amount)
	}
	failed := v.form.Get("outcome") == world.OutcomeKYCFailed
	r.Outcomes = []option{
		{world.OutcomeRegistered, "Pass", "The identity check succeeds.", !failed},
		{world.OutcomeKYCFailed, "Fail", "The identity check fails; the payer may try again.", failed},
	}
	return r
}

func tellRegistered(v *visit, view world.RegistrationView) answer {
	n := notice{
		ID: "registered", Tone: toneGood, Status: view.State, Text: []string{"You are already registered. There is nothing more to do here."},
		Facts: []fact{{"account-mask", "Bank account", orElse(view.AccountMask, "none")}},
	}
	n.Links = []link{{"relink", "Link another account", v.self() + "?step=" + stepRelink}}
	if v.did() != "" {
		n.Text = []string{"What you agree to pay is taken from this account from now on."}
	}
	if view.RedirectURL != "" {
		n.Links = append(n.Links, link{"back", "Go back to where you came from", view.RedirectURL})
	}
	return tell("Registration complete", n)
}

// The steps of a registration that an address names, beside the first.
const (
	stepIdentity = "identity"
	stepFailed   = "failed"
	// stepRelink is for a payer who is Registered, and whose account was closed, say.
	stepRelink = "relink"
)

// registerStep is the step that the address names; one whose choice of a bank is
// not to be understood is the first.
func registerStep(view world.RegistrationView, v *visit, wrong problems) answer {
	var unusable problems
	switch v.form.Get("step") {
	case stepFailed:
		return identityFailed(v.self())
	case stepIdentity:
		if chosen := v.readBank(&unusable); len(unusable) == 0 {
			return kycStep(view, v, chosen, wrong)
		}
	}
	return bankStep(view, v, wrong)
}

// stepAddress is the address of a step, with what was chosen in the first.
func (v *visit) stepAddress(step string) string {
	q := url.Values{"step": {step}}
	for _, name := range []string{"bank", "routing", "account"} {
		if value := v.form.Get(name); value != "" {
			q.Set(name, value)
		}
	}
	return v.self() + "?" + q.Encode()
}

func bankStep(view world.RegistrationView, v *visit, wrong problems) answer {
	data := newRegistration(view, v)
	if data.Relinks {
		return sheetOf("register", "Link another account", data).after(wrong, "")
	}
	return sheetOf("register", "Link your bank account", data).after(wrong, view.RedirectURL)
}

func kycStep(view world.RegistrationView, v *visit, chosen chosenBank, wrong problems) answer {
	data := newRegistration(view, v)
	data.Chosen = chosen
	return sheetOf("kyc", "Confirm who you are", data).after(wrong, view.RedirectURL)
}

// after finishes the page of a form: with problems it is a 400, with an address
// to go to its form may lead away.
func (a answer) after(wrong problems, target string) answer {
	a.problems, a.away = wrong, target != ""
	if len(wrong) > 0 {
		a.status = http.StatusBadRequest
	}
	return a
}

// takeRegistration takes a step and leads to the next, so that going back and
// forward in a browser only looks. The choice of step 1 is carried in the address
// and the form of step 2: nothing is kept in between.
func takeRegistration(w *world.World, v *visit, view world.RegistrationView) (answer, error) {
	if v.form.Get("step") == "back" {
		return goTo(v.stepAddress("bank")), nil
	}
	var wrong problems
	chosen := v.readBank(&wrong)
	if len(wrong) > 0 {
		return bankStep(view, v, wrong), nil
	}
	if view.State != "Pending" {
		return goTo(v.done()), w.RelinkAccount(v.Param("id"), chosen.Bank)
	}
	if v.form.Get("step") != stepIdentity {
		return goTo(v.stepAddress(stepIdentity)), nil
	}
	outcome := v.readIdentity(w.Now(), &wrong)
	if len(wrong) > 0 {
		return kycStep(view, v, chosen, wrong), nil
	}
	target, err := w.CompleteRegistration(v.Param("id"), chosen.Bank, outcome)
	switch {
	case err != nil:
		return answer{}, err
	case outcome == world.OutcomeKYCFailed:
		return goTo(v.self() + "?step=" + stepFailed), nil
	case target == "":
		return goTo(v.done()), nil
	}
	return goTo(target), nil
}

// readIdentity judges the simulated identity check and gives its outcome.
func (v *visit) readIdentity(now time.Time, wrong *problems) string {
	if v.form.Get("name") == "" {
		wrong.add("name", "Type your full name.")
	}
	switch born, err := time.Parse(time.DateOnly, v.form.Get("born")); {
	case err != nil:
		wrong.add("born", "Type your date of birth.")
	case born.AddDate(adult, 0, 0).After(now):
		wrong.add("born", "You have to be 18 years old.")
	case born.Year() < now.Year()-130:
		wrong.add("born", "This date is too long ago.")
	}
	if v.form.Get("ssn") != "xxxx" {
		wrong.add("ssn", "Type the last four digits of a made-up social security number.")
	}
	outcome := v.form.Get("outcome")
	if outcome != world.OutcomeRegistered && outcome != world.OutcomeKYCFailed {
		wrong.add("outcome", "Choose how the check ends.")
	}
	return outcome
}

func identityFailed(self string) answer {
	return tell("The identity check did not pass", notice{
		ID: "kyc-failed", Tone: toneBad, Status: "Pending", Links: []link{{"retry", "Try again", self}},
		Text: []string{"We could not confirm who you are. Nothing was linked and nothing was charged."},
	})
}

package hosted

import (
	"net/http"
	"strconv"

	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/world"
)

func consentPage() *page {
	return question[world.ConsentView]{
		view: func(w *world.World, v *visit) (world.ConsentView, error) { return w.ConsentView(v.Param("id")) },
		open: func(_ *visit, view world.ConsentView) bool { return view.Open || view.Status == "Accepted" },
		ask:  askConsent, tell: tellConsent, take: takeConsent,
	}.page(form.Field{Name: "answer"})
}

// consentSheet is what the payer of a plan agrees to.
type consentSheet struct {
	world.ConsentView
	Price string
	Terms []fact
	// Accepted says that the consent is given and can be withdrawn.
	Accepted bool
}

func askConsent(_ *world.World, _ *visit, view world.ConsentView, wrong problems) answer {
	company := view.RecipientCompany.Name
	title := "Agree to a payment plan of " + company
	if !view.Open {
		title = "Your payment plan with " + company
	}
	return sheetOf("consent", title, consentSheet{
		ConsentView: view, Price: world.Dollars(view.Plan.Amount), Terms: planFacts(view), Accepted: !view.Open,
	}).after(wrong, "")
}

// planFacts tells the terms of a plan.
func planFacts(view world.ConsentView) []fact {
	plan, company := view.Plan, view.RecipientCompany
	list := []fact{
		{"plan-company", "Company", company.Name},
		{"plan-amount", "Amount", world.Dollars(plan.Amount) + " " + view.Every},
		{"start", "First payment", dayText(plan.StartDate)},
	}
	if plan.EndDate != nil {
		list = append(list, fact{"end", "Until", dayText(*plan.EndDate)})
	}
	if plan.Occurrences != nil {
		list = append(list, fact{"occurrences", "Number of payments", strconv.FormatInt(*plan.Occurrences, 10)})
	}
	if plan.EndDate == nil && plan.Occurrences == nil {
		list = append(list, fact{"end", "Until", "it is canceled"})
	}
	if view.Purpose != "" {
		list = append(list, fact{"purpose", "For", view.Purpose})
	}
	list = append(list, fact{"account-mask", "Bank account", orElse(view.AccountMask, "none linked yet")})
	return append(list, contactFacts(company)...)
}

// contactFacts tells how to reach a company.
func contactFacts(company world.RecipientCompany) []fact {
	at := company.Address
	return known([]fact{
		{"company-phone", "Phone", company.ContactNumber},
		{"company-email", "E-mail", company.EmailAddress},
		{"company-website", "Website", orElse(company.WebsiteURL, "")},
		{"company-address", "Address", joined(at.StreetNumberAndName, at.ApartmentNumber, at.City, joinedBy(" ", at.State, at.ZipCode))},
	})
}

// consentWords says what a payer reads about a consent that does not wait.
var consentWords = map[string]struct{ title, text string }{
	"Declined": {"Plan declined", "You do not take part in this plan. Nothing is collected."},
	"Revoked":  {"Consent withdrawn", "You do not take part in this plan any more. Nothing further is collected."},
}

func tellConsent(_ *visit, view world.ConsentView) answer {
	words, ok := consentWords[view.Status]
	if !ok {
		words.title, words.text = "This plan has ended", "There is nothing to agree to any more. Nothing is collected."
	}
	return tell(words.title, notice{ID: "consent-state", Status: view.Status, Text: []string{words.text}, Facts: planFacts(view)})
}

func takeConsent(w *world.World, v *visit, view world.ConsentView) (answer, error) {
	var err error
	choice := v.form.Get("answer")
	switch {
	case choice == "accept":
		err = w.AcceptConsent(view.ConsentID)
	case choice == "decline" && view.Open, choice == "withdraw" && !view.Open:
		err = w.DeclineConsent(view.ConsentID)
	case choice == "decline" || choice == "withdraw":
		return askConsent(w, v, view, nil).with(http.StatusConflict), nil
	default:
		return askConsent(w, v, view, problems{{"answer", "Accept or decline the plan."}}), nil
	}
	if err != nil {
		return answer{}, err
	}
	return goTo(v.done()), nil
}

package hosted

import (
	"net/http"

	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/world"
)

func debitPage() *page {
	return question[world.DebitAuthView]{
		view: func(w *world.World, v *visit) (world.DebitAuthView, error) { return w.DebitAuthView(v.Param("id")) },
		open: func(_ *visit, view world.DebitAuthView) bool {
			return view.State == "Pending" || view.State == "Accepted"
		},
		ask: askDebit, tell: tellDebit, take: takeDebit,
	}.page(form.Field{Name: "answer"})
}

// debitSheet is what the payer of a debit authorisation reads.
type debitSheet struct {
	world.DebitAuthView
	LimitPrice string
}

func askDebit(_ *world.World, _ *visit, view world.DebitAuthView, wrong problems) answer {
	title := "Let " + view.Company + " debit your account"
	if view.State == "Accepted" {
		title = "Debits authorised"
	}
	return sheetOf("debit", title, debitSheet{view, world.Dollars(view.Limit)}).after(wrong, "")
}

// debitWords says what a payer reads about an authorisation that does not wait.
var debitWords = map[string]struct{ title, tone, text string }{
	"Declined": {"Debits declined", tonePlain, "The company will ask you before each payment."},
	"Disabled": {"This authorisation has ended", tonePlain, "It was switched off or replaced by a newer one. The company will ask you before each payment."},
}

func tellDebit(_ *visit, view world.DebitAuthView) answer {
	words := debitWords[view.State]
	return tell(words.title, notice{
		ID: "debit-state", Tone: words.tone, Status: view.State, Text: []string{words.text},
		Facts: []fact{
			{"company", "Company", view.Company},
			{"limit", "Limit of one debit", world.Dollars(view.Limit)},
			{"account-mask", "Bank account", orElse(view.AccountMask, "none linked yet")},
		},
	})
}

func takeDebit(w *world.World, v *visit, view world.DebitAuthView) (answer, error) {
	choice, accepted := v.form.Get("answer"), view.State == "Accepted"
	switch {
	case choice == "withdraw" && accepted, (choice == "accept" || choice == "decline") && !accepted:
	case choice == "accept" || choice == "decline" || choice == "withdraw":
		return askDebit(w, v, view, nil).with(http.StatusConflict), nil
	default:
		return askDebit(w, v, view, problems{{"answer", "Accept or decline the authorisation."}}), nil
	}
	if err := w.AnswerDebitAuth(view.ID, choice == "accept"); err != nil {
		return answer{}, err
	}
	return goTo(v.done()), nil
}

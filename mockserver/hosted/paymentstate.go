package hosted

import "paysandbox/mockserver/world"

// paymentWords says what a payer reads about a payment in each state.
var paymentWords = map[string]struct{ title, tone, text string }{
	"Scheduled":  {"Payment scheduled", toneGood, "It is collected on its due date. Nothing more to do."},
	"Queued":     {"Payment queued", toneGood, "Your bank takes a little longer. Nothing more to do."},
	"InReview":   {"Payment in review", tonePlain, "It is collected as soon as the review is over. Nothing more to do."},
	"Processing": {"Payment on its way", toneGood, "It is being collected. Nothing more to do."},
	"Paid":       {"Payment complete", toneGood, "This request has been paid. Thank you."},
	"Failed":     {"Payment failed", toneBad, "The bank did not pay. Ask the company for a new request."},
	"Denied":     {"Payment denied", tonePlain, "This request was denied. Nothing was charged."},
	"Canceled":   {"Payment canceled", tonePlain, "The company has canceled this request. Nothing was charged."},
}

// paymentNotice explains a payment that does not wait for its payer.
func paymentNotice(view world.PaymentView) answer {
	words, ok := paymentWords[view.Status]
	if !ok {
		words.title, words.tone, words.text = "Payment "+view.Status, tonePlain, "There is nothing to do here."
	}
	n := notice{ID: "payment-state", Tone: words.tone, Status: view.Status, Text: []string{words.text}, Facts: paymentFacts(view)}
	if view.ReturnURL != "" {
		n.Links = []link{{"back", "Go back to where you came from", view.ReturnURL}}
	}
	return tell(words.title, n)
}

func paymentFacts(view world.PaymentView) []fact {
	list := []fact{{"company", "Company", view.CompanyName}, {"amount", "Amount", dollars(view.Amount)}}
	if view.ShortDescription != "" {
		list = append(list, fact{"description", "For", view.ShortDescription})
	}
	if !view.Due.IsZero() {
		list = append(list, fact{"due", "Due", day(view.Due)})
	}
	if view.AccountMask != nil {
		list = append(list, fact{"account-mask", "Paid with", *view.AccountMask})
	}
	return list
}

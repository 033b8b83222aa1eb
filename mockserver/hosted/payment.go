package hosted

import (
	"slices"
	"strconv"

	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/world"
)

func payPage() *page {
	fields := append([]form.Field{{Name: "answer"}}, bankFields()...)
	return question[world.PaymentView]{
		view: func(w *world.World, v *visit) (world.PaymentView, error) { return w.PaymentView(v.Param("id")) },
		open: func(_ *visit, view world.PaymentView) bool { return slices.Contains(view.Legal, "approve") },
		ask:  askPayment, tell: tellPayment, take: takePayment,
	}.page(append(fields, form.Field{Name: "fee"}, form.Field{Name: "debit"})...)
}

// paymentSheet is what the payment page shows while the payer has not answered.
type paymentSheet struct {
	world.PaymentView
	Price, DueDay, LimitPrice string
	// Marks are the partner's own numbers of the payment.
	Marks []fact
	// Legend asks for the choice among Options.
	Legend  string
	Options []option
	// Fees are the fee payers to choose from; empty when nobody asks.
	Fees []option
	// Debit says that a debit authorisation can be given along; Agreed that its
	// box is ticked.
	Debit, Agreed bool
}

func newPaymentSheet(w *world.World, view world.PaymentView, v *visit) paymentSheet {
	s := paymentSheet{PaymentView: view, Price: world.Dollars(view.Amount), Legend: "How do you pay?", Agreed: v.form.Get("debit") == "yes"}
	s.Marks = known(markFacts(view))
	if !view.Due.IsZero() {
		s.DueDay = day(view.Due)
	}
	s.Options = payOptions(view, v.form.Get("bank"))
	if view.FeePayer == "ask" {
		s.Fees = feeOptions(view.CompanyName, v.form.Get("fee"))
	}
	if s.Debit = w.WaitingDebitAuth(view.ID) != ""; s.Debit {
		s.LimitPrice = world.Dollars(view.DebitLimit)
	}
	return s
}

// payOptions are the ways to pay: the linked account or a persona to link, and a
// card.
func payOptions(view world.PaymentView, chosen string) []option {
	list := []option{}
	if view.Registered {
		hint := "Collected from the account that you have linked."
		list = append(list, option{bankLinked, "Bank account " + orElse(view.AccountMask, ""), hint, chosen == "" || chosen == bankLinked})
	} else {
		list = bankOptions(chosen)
	}
	return append(list, option{bankCard, "Card", "Type a test card on the next page.", chosen == bankCard})
}

// markFacts are the marks of a payment, also those that it has not.
func markFacts(view world.PaymentView) []fact {
	list := []fact{}
	for _, m := range view.Marks() {
		list = append(list, fact{m.Name, m.Label, m.Value})
	}
	return list
}

func feeOptions(company, chosen string) []option {
	return []option{
		{"client", "I pay the fee", "The fee payer of the request becomes client.", chosen == "client"},
		{"partner", company + " pays the fee", "The fee payer of the request becomes partner.", chosen == "partner"},
	}
}

func askPayment(w *world.World, v *visit, view world.PaymentView, wrong problems) answer {
	return sheetOf("payment", "Pay "+view.CompanyName, newPaymentSheet(w, view, v)).after(wrong, view.ReturnURL)
}

// takePayment is the payer's answer. Everything is judged before anything is
// done, so that a problem changes nothing.
func takePayment(w *world.World, v *visit, view world.PaymentView) (answer, error) {
	var err error
	var wrong problems
	switch v.form.Get("answer") {
	case "deny":
		err = w.MovePayment(view.ID, "deny", world.PaymentMove{Reason: "the payer denied on the page"})
	case "approve":
		order := v.readPayment(w, view, &wrong)
		if len(wrong) > 0 {
			return askPayment(w, v, view, wrong), nil
		}
		if order.card {
			id, err := w.StartCardPayment(view.ID, order.fee)
			return goTo(v.link(world.PageCard, id)), err
		}
		err = approve(w, view, order)
	default:
		wrong.add("answer", "Approve or deny the payment.")
		return askPayment(w, v, view, wrong), nil
	}
	if err != nil {
		return answer{}, err
	}
	return paymentDone(w, v)
}

// payOrder is a payer's yes.
type payOrder struct {
	// link is the account to link first, nil when one is linked.
	link *chosenBank
	// card says that the payer pays by card, on the next page.
	card bool
	fee  string
	// debit is the debit authorisation to accept along, "" for none.
	debit string
}

func (v *visit) readPayment(w *world.World, view world.PaymentView, wrong *problems) payOrder {
	var o payOrder
	switch chosen := v.form.Get("bank"); {
	case chosen == bankCard:
		o.card = true
	case chosen == bankLinked && view.Registered:
	case view.Registered:
		wrong.add("bank", "Choose how to pay.")
	default:
		o.link = new(v.readBank(wrong))
	}
	if view.FeePayer == "ask" {
		if o.fee = v.form.Get("fee"); o.fee != "client" && o.fee != "partner" {
			wrong.add("fee", "Choose who pays the fee.")
		}
	}
	if v.form.Get("debit") == "yes" {
		o.debit = w.WaitingDebitAuth(view.ID)
	}
	return o
}

// approve links the chosen account, gives the debit authorisation, and pays. The
// payment is Pending, so that no step of these can be refused.
func approve(w *world.World, view world.PaymentView, o payOrder) error {
	if o.link != nil {
		if _, err := w.CompleteRegistration(view.RegistrationID, o.link.Bank, world.OutcomeRegistered); err != nil {
			return err
		}
	}
	if o.debit != "" {
		if err := w.AnswerDebitAuth(o.debit, true); err != nil {
			return err
		}
	}
	return w.MovePayment(view.ID, "approve", world.PaymentMove{Reason: "the payer approved on the page", FeePayer: o.fee})
}

// paymentDone leads to the partner's address, or shows how the payment stands.
func paymentDone(w *world.World, v *visit) (answer, error) {
	target, err := w.ReturnURL(v.Param("id"))
	if err != nil {
		return answer{}, err
	}
	if target == "" {
		target = v.done()
	}
	return goTo(target), nil
}

// paymentWords says what a payer reads about a payment in each state.
var paymentWords = map[string]struct{ title, tone, text string }{
	"Scheduled":  {"Payment scheduled", toneGood, "It is collected on its due date. Nothing more to do."},
	"Queued":     {"Payment queued", toneGood, "Your bank takes a little longer. Nothing more to do."},
	"InReview":   {"Payment in review", tonePlain, "It is collected as soon as the review is over. Nothing more to do."},
	"Processing": {"Payment on its way", toneGood, "It is being collected. Nothing more to do."},
	"Paid":       {"Payment complete", toneGood, "This request has been paid. Thank you."},
	"Failed":     {"Payment failed", toneBad, "The bank did not pay, or took the money back. Ask the company for a new request."},
	"Denied":     {"Payment denied", tonePlain, "This request was denied. Nothing was charged."},
	"Canceled":   {"Payment canceled", tonePlain, "The company has canceled this request. Nothing was charged."},
}

// paymentWaits says for what a payment waits that goes on without its payer.
var paymentWaits = map[string]string{
	"Scheduled":  "It waits for its due date",
	"Queued":     "It waits for the payer's bank",
	"InReview":   "It waits for the end of the review",
	"Processing": "It waits for the bank to collect it",
}

// The looks of a page that waits: it looks again by itself, ever more rarely, and
// then leaves it to the visitor, so that a forgotten page does not fill the tape.
const (
	looksName = "looks"
	mostLooks = 8
)

// looks is how often the page has looked again by itself.
func (v *visit) looks() int {
	n, err := strconv.Atoi(v.Req.URL.Query().Get(looksName))
	if err != nil || n < 0 || n > mostLooks {
		return 0
	}
	return n
}

// waiting makes a notice tell for what it waits, and look again.
func (v *visit) waiting(a answer, n notice, what string) answer {
	at := v.Call.Time.UTC()
	n.Text = append(n.Text, what+". The sandbox's clock is at "+day(at)+", "+at.Format("15:04")+" UTC; whoever runs the sandbox can move it.")
	n.Links = append([]link{{"again", "Look again", v.self()}}, n.Links...)
	a.data = n
	if tried := v.looks(); tried < mostLooks {
		a.wait = 3 << tried
	}
	return a
}

// tellPayment explains a payment that does not wait for its payer.
func tellPayment(v *visit, view world.PaymentView) answer {
	words, ok := paymentWords[view.Status]
	if !ok {
		words.title, words.tone, words.text = "Payment "+view.Status, tonePlain, "There is nothing to do here."
	}
	n := notice{ID: "payment-state", Tone: words.tone, Status: view.Status, Text: []string{words.text}, Facts: paymentFacts(view)}
	if view.ReturnURL != "" {
		n.Links = []link{{"back", "Go back to where you came from", view.ReturnURL}}
	}
	a := tell(words.title, n)
	if what := paymentWaits[view.Status]; what != "" {
		a = v.waiting(a, n, what)
	}
	return a
}

func paymentFacts(view world.PaymentView) []fact {
	list := []fact{{"company", "Company", view.CompanyName}, {"amount", "Amount", world.Dollars(view.Amount)}}
	if view.ShortDescription != "" {
		list = append(list, fact{"description", "For", view.ShortDescription})
	}
	if !view.Due.IsZero() {
		list = append(list, fact{"due", "Due", day(view.Due)})
	}
	if view.AccountMask != nil {
		list = append(list, maskFact(view))
	}
	return list
}

// maskFact tells from where a payment is, was or would have been collected.
func maskFact(view world.PaymentView) fact {
	if view.ByCard {
		return fact{"account-mask", "Card", orElse(view.AccountMask, "")}
	}
	return fact{"account-mask", "Bank account", orElse(view.AccountMask, "")}
}

package hosted

import (
	"net/http"
	"slices"

	"paysandbox/mockserver/world"
)

func payPage() *page {
	return &page{
		kind: world.PagePay, operation: "pages.pay", show: showPayment, act: postPayment,
		fields: append(append([]field{{name: "answer"}}, bankFields()...), field{name: "fee"}, field{name: "debit"}),
	}
}

// paymentSheet is what the payment page shows while the payer has not answered.
type paymentSheet struct {
	world.PaymentView
	Price, DueDay, LimitPrice string
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
	s := paymentSheet{PaymentView: view, Price: dollars(view.Amount), Legend: "How do you pay?", Agreed: v.form.get("debit") == "yes"}
	if !view.Due.IsZero() {
		s.DueDay = day(view.Due)
	}
	s.Options = payOptions(w, view, v.form.get("bank"))
	if view.FeePayer == "ask" {
		s.Fees = feeOptions(view.CompanyName, v.form.get("fee"))
	}
	if s.Debit = waitingDebitAuth(w, view.ID) != ""; s.Debit {
		s.LimitPrice = dollars(view.DebitLimit)
	}
	return s
}

// payOptions are the ways to pay: the linked account or a persona to link, and a
// card where the world takes one.
func payOptions(w *world.World, view world.PaymentView, chosen string) []option {
	list := []option{}
	if view.Registered {
		hint := "Collected from the account that you have linked."
		list = append(list, option{bankLinked, "Bank account " + orElse(view.AccountMask, ""), hint, chosen == "" || chosen == bankLinked})
	} else {
		list = bankOptions(chosen)
	}
	if _, ok := any(w).(cardDesk); ok {
		list = append(list, option{bankCard, "Card", "Type a test card on the next page.", chosen == bankCard})
	}
	return list
}

func feeOptions(company, chosen string) []option {
	return []option{
		{"client", "I pay the fee", "The fee payer of the request becomes client.", chosen == "client"},
		{"partner", company + " pays the fee", "The fee payer of the request becomes partner.", chosen == "partner"},
	}
}

func showPayment(w *world.World, v *visit) (answer, error) {
	view, err := w.PaymentView(v.at.id)
	if err != nil {
		return answer{}, err
	}
	if !open(view) {
		return paymentNotice(view), nil
	}
	return paymentForm(w, view, v, nil), nil
}

// open says whether a payment waits for its payer.
func open(view world.PaymentView) bool { return slices.Contains(view.Legal, "approve") }

func paymentForm(w *world.World, view world.PaymentView, v *visit, wrong problems) answer {
	return sheetOf("payment", "Pay "+view.CompanyName, newPaymentSheet(w, view, v)).after(wrong, view.ReturnURL)
}

// postPayment is the payer's answer. Everything is judged before anything is
// done, so that a problem changes nothing.
func postPayment(w *world.World, v *visit) (answer, error) {
	view, err := w.PaymentView(v.at.id)
	if err != nil {
		return answer{}, err
	}
	if !open(view) {
		return paymentNotice(view).with(http.StatusConflict), nil
	}
	var wrong problems
	switch v.form.get("answer") {
	case "deny":
		err = w.MovePayment(view.ID, "deny", world.PaymentMove{Reason: "the payer denied on the page"})
	case "approve":
		order := v.readPayment(w, view, &wrong)
		if len(wrong) > 0 {
			return paymentForm(w, view, v, wrong), nil
		}
		if order.card != nil {
			id, err := order.card.StartCardPayment(view.ID, order.fee)
			return goTo(v.link(world.PageCard, id)), err
		}
		err = approve(w, view, order)
	default:
		wrong.add("answer", "Approve or deny the payment.")
		return paymentForm(w, view, v, wrong), nil
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
	card cardDesk
	fee  string
	// debit is the debit authorisation to accept along, "" for none.
	debit string
}

func (v *visit) readPayment(w *world.World, view world.PaymentView, wrong *problems) payOrder {
	var o payOrder
	desk, cards := any(w).(cardDesk)
	switch chosen := v.form.get("bank"); {
	case chosen == bankCard && cards:
		o.card = desk
	case chosen == bankLinked && view.Registered:
	case view.Registered:
		wrong.add("bank", "Choose how to pay.")
	default:
		bank := v.readBank(wrong)
		o.link = &bank
	}
	if view.FeePayer == "ask" {
		if o.fee = v.form.get("fee"); o.fee != "client" && o.fee != "partner" {
			wrong.add("fee", "Choose who pays the fee.")
		}
	}
	if v.form.get("debit") == "yes" {
		o.debit = waitingDebitAuth(w, view.ID)
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
	target, err := w.ReturnURL(v.at.id)
	if err != nil {
		return answer{}, err
	}
	if target == "" {
		target = v.self()
	}
	return goTo(target), nil
}

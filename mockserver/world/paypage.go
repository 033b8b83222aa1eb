package world

import "slices"

// StartCardPayment opens a card authorisation that pays a Pending payment
// request: once it is Authorised, its card is saved for the payer and the
// payment is collected from it. feePayer is the payer's choice where the request
// asks, else "": the page has judged it. Nobody is told: the payer is on the page.
// The answer is the authorisation's id. Errors: NotFound, IllegalTransition.
func (w *World) StartCardPayment(paymentRequestID, feePayer string) (string, error) {
	p, n, err := w.payment(paymentRequestID)
	if err != nil {
		return "", err
	}
	if err := w.waits(p); err != nil {
		return "", err
	}
	row := cardAuth{
		id: w.core.NewID("card-authorisation"), payer: p.payer, company: p.company, location: p.location, payment: n,
		amount: p.amount, created: w.core.Now(), feePayer: p.feePayer,
	}
	if feePayer != "" {
		row.feePayer = feePayerNamed(feePayer)
	}
	a, _ := w.cards.auths.Add(row.id, row)
	w.mustMove(w.stepCardAuth(a, "create", "the payer chose to pay by card"))
	return a.id.String(), nil
}

func feePayerNamed(name string) feePayer {
	return feePayer(max(0, slices.Index(feePayers, name))) //nolint:gosec // G115: one of three.
}

// waits refuses a payment that does not wait for its payer.
func (w *World) waits(p *payment) error {
	if p.state != PaymentPending || p.kind == kindSavedCard {
		return w.machineOf(p).Refusal(p.id, p.state, "approve")
	}
	return nil
}

// stillWaits refuses a card whose payment has been answered in another way.
func (w *World) stillWaits(a *cardAuth) error {
	if a.payment == 0 {
		return nil
	}
	return w.waits(w.payments.At(a.payment))
}

// payByCard collects the payment of an authorisation from its card, which has
// just been saved.
func (w *World) payByCard(a *cardAuth, saved *card) {
	if a.payment == 0 {
		return
	}
	p := w.payments.At(a.payment)
	if w.waits(p) != nil {
		return
	}
	_, p.card = w.cards.Find(saved.id)
	p.feePayer = a.feePayer
	w.mustMove(w.collect(a.payment, "the payer authorised a card"))
}

// WaitingDebitAuth gives the id of the debit authorisation that waits for the
// payer of a payment which asked for one; "" when none waits.
func (w *World) WaitingDebitAuth(paymentRequestID string) string {
	p, _, err := w.payment(paymentRequestID)
	if err != nil || p.debitLimit == 0 {
		return ""
	}
	for n := w.payers.At(p.payer).firstDebit; n != 0; n = w.payers.debits.At(n).next {
		if d := w.payers.debits.At(n); d.company == p.company && d.state == DebitAuthPending && d.limit == p.debitLimit {
			return d.id.String()
		}
	}
	return ""
}

package world

import (
	"net/url"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// The outcomes of a hosted registration.
const (
	// OutcomeRegistered is a linked bank and a passed identity check.
	OutcomeRegistered = "registered"
	// OutcomeKYCFailed is a failed identity check: nothing is linked and the
	// payer may try again.
	OutcomeKYCFailed = "kyc-failed"
)

// CompleteRegistration is what the hosted registration page does when the payer
// has finished. The outcome is OutcomeRegistered, or empty for the same: the
// payer becomes Registered with the bank, a registration for a single payment
// makes and collects it, and the answer is the address to go to ("" for a payer
// who did not come from a partner's page). OutcomeKYCFailed leaves the payer
// Pending without an address. Errors: NotFound, Invalid (outcome or bank), and
// IllegalTransition for a payer who is Registered already.
func (w *World) CompleteRegistration(id string, bank LinkedBank, outcome string) (string, error) {
	p, n, err := w.payer(id)
	if err != nil {
		return "", err
	}
	switch outcome {
	case "", OutcomeRegistered:
		return w.completeRegistration(n, bank, "the payer linked a bank and passed the identity check")
	case OutcomeKYCFailed:
		return "", w.movePayer(p, "kyc-fail", "the identity check failed")
	default:
		return "", invalid("/outcome", kernel.Given(outcome), ruleOutcome)
	}
}

func (w *World) completeRegistration(n uint32, bank LinkedBank, reason string) (string, error) {
	if !bank.valid() {
		return "", invalid("/bank", kernel.Given(bank.Last4), ruleBank)
	}
	p := w.payers.At(n)
	if err := w.movePayer(p, "complete", reason); err != nil {
		return "", err
	}
	p.link(bank)
	if err := w.payOnce(n); err != nil {
		return "", err
	}
	return w.registrationRedirect(w.payers.At(n)), nil
}

// link makes a bank account the payer's.
func (p *payer) link(bank LinkedBank) {
	copy(p.bankMask[:], bank.Last4)
	p.returnCode, p.returnWhen, p.review, p.slow = bank.ReturnCode, bank.When, bank.Review, bank.Slow
}

// paysItself says whether a registration makes a single payment; latitude,
// registration-with-payment.
func (w *World) paysItself(amount *int64, period string) bool {
	return amount != nil && *amount > 0 && period == periodOnce && !w.is(latitude.RegistrationWithPaymentNone)
}

// payOnce makes the single payment of a registration with an amount and the
// period once, for the integration's default company, if that can collect.
func (w *World) payOnce(n uint32) error {
	p := w.payers.At(n)
	if !w.paysItself(&p.amount, w.texts.String(p.period)) {
		return nil
	}
	c, company, err := w.defaultCompany()
	if err != nil || c.state != CompanyVerified && w.is(latitude.CollectUnverifiedRefused) {
		return nil //nolint:nilerr // there is nobody to pay.
	}
	payment := w.openPayment(paymentOrder{
		payer: n, company: company, amount: p.amount, kind: kindRequest,
		texts: paymentTexts{Purpose: Purpose{ShortDescription: w.texts.String(p.purpose)}},
	})
	return w.collect(payment, "the payer registered for a single payment")
}

// registrationRedirect is where the payer goes after the registration;
// latitude, registration-redirect.
func (w *World) registrationRedirect(p *payer) string {
	to := w.texts.String(p.redirect)
	switch {
	case to == "":
		return ""
	case w.is(latitude.RegistrationRedirectID):
		return withQuery(to, "registrationId", p.id.String())
	case w.is(latitude.RegistrationRedirectStatus):
		return withQuery(to, "status", RegistrationMachine.States[p.state])
	default:
		return to
	}
}

// withQuery adds a query parameter to an address and leaves the rest as it is.
func withQuery(address, name, value string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += name + "=" + url.QueryEscape(value)
	return u.String()
}

// RegistrationView is what the hosted registration page shows.
type RegistrationView struct {
	RegistrationID, State string
	// Company is the integration's default company, "" when there is none yet.
	Company string
	// Amount is in cents, 0 when none was given.
	Amount          int64
	Purpose, Period string
	Phone, Email    string
	// AccountMask is nil while no account is linked.
	AccountMask *string
	// RedirectURL is where the payer goes next, with what the ledger adds; ""
	// when the payer did not come from a partner's page.
	RedirectURL string
}

// RegistrationView gives what the hosted registration page shows.
func (w *World) RegistrationView(id string) (RegistrationView, error) {
	p, _, err := w.payer(id)
	if err != nil {
		return RegistrationView{}, err
	}
	v := RegistrationView{
		RegistrationID: p.id.String(), State: RegistrationMachine.States[p.state], Amount: p.amount,
		Purpose: w.texts.String(p.purpose), Period: w.texts.String(p.period),
		Phone: w.texts.String(p.phone), Email: w.texts.String(p.email),
		AccountMask: w.accountMask(p), RedirectURL: w.registrationRedirect(p),
	}
	if c, _, err := w.defaultCompany(); err == nil {
		v.Company = w.texts.String(c.name)
	}
	return v, nil
}

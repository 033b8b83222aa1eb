package world

import (
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// DebitAuth is the answer to the reading of a debit authorisation.
type DebitAuth struct {
	// Enabled is true when the payer has accepted and nothing has ended it.
	Enabled bool `json:"enabled" required:"true" example:"true"`
	// Limit is the highest amount of one debit in cents, 0 when not enabled.
	Limit int64 `json:"limit" required:"true" example:"10000"`
}

// ReadDebitAuth tells whether a payer lets a company debit, and up to which
// amount. Errors: NotFound for an unknown payer or company, Invalid for a
// companyID that is not a uuid. Latitude, debit-auth-read.
func (w *World) ReadDebitAuth(registrationID, companyID string) (DebitAuth, error) {
	if w.is(latitude.DebitAuthReadOff) {
		return DebitAuth{}, &kernel.Error{Code: kernel.NotFound, Detail: "this service has no operation that reads a debit authorisation"}
	}
	_, n, err := w.payer(registrationID)
	if err != nil {
		return DebitAuth{}, err
	}
	id, ok := kernel.ParseID(companyID)
	if !ok {
		return DebitAuth{}, invalid("query:CompanyId", kernel.Given(companyID), ruleDebitRead)
	}
	_, company := w.companies.Find(id)
	if company == 0 {
		return DebitAuth{}, kernel.NoSuch("company", companyID)
	}
	if d := w.inForce(n, company); d != nil {
		return DebitAuth{Enabled: true, Limit: d.limit}, nil
	}
	return DebitAuth{}, nil
}

// DebitAuthView is what the hosted debit authorisation page shows.
type DebitAuthView struct {
	ID, State, RegistrationID, Company string
	// Limit is the highest amount of one debit in cents.
	Limit int64
	// Registered says whether the payer has linked a bank; AccountMask shows it.
	Registered  bool
	AccountMask *string
}

// DebitAuthView gives what the hosted debit authorisation page shows.
func (w *World) DebitAuthView(id string) (DebitAuthView, error) {
	d, _, err := w.debitAuth(id)
	if err != nil {
		return DebitAuthView{}, err
	}
	p := w.payers.At(d.payer)
	return DebitAuthView{
		ID: d.id.String(), State: DebitAuthorisationMachine.States[d.state], RegistrationID: p.id.String(),
		Company: w.texts.String(w.companies.At(d.company).name), Limit: d.limit,
		Registered: p.state == RegistrationRegistered, AccountMask: w.accountMask(p),
	}, nil
}

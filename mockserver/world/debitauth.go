package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// The states of a debit authorisation.
const (
	DebitAuthPending kernel.State = iota + 1
	DebitAuthAccepted
	DebitAuthDeclined
	DebitAuthDisabled
)

// DebitAuthorisationMachine moves a payer's permission to be debited up to a
// limit. A new request replaces the one that waits; an accepted one replaces
// the one in force.
var DebitAuthorisationMachine = kernel.Machine{
	Name:   "debit-authorisation",
	States: []string{"", "Pending", "Accepted", "Declined", "Disabled"},
	Moves: []kernel.Move{
		{Event: "create", To: DebitAuthPending},
		{Event: "accept", From: DebitAuthPending, To: DebitAuthAccepted},
		{Event: "decline", From: DebitAuthPending, To: DebitAuthDeclined},
		{Event: "disable", From: DebitAuthPending, To: DebitAuthDisabled},
		{Event: "disable", From: DebitAuthAccepted, To: DebitAuthDisabled},
	},
}

// debitAuth is the row of one request to authorise debits. While it is Pending
// or Accepted it is in its payer's chain.
type debitAuth struct {
	id             uuid.UUID
	payer, company uint32
	next           uint32
	limit, created int64
	state          kernel.State
}

// Pack lists the fields of a request to authorise debits.
func (d *debitAuth) Pack(k *kernel.Codec) {
	k.ID(&d.id)
	k.Rows(toPayer, &d.payer)
	k.Rows(toCompany, &d.company)
	k.Earlier(toDebit, &d.next)
	k.Ints(&d.limit, &d.created)
	k.State(&d.state, &DebitAuthorisationMachine)
}

// DebitAuthRequest is the body that asks a payer to authorise debits, or
// switches the authorisation off. Specification, Debit authorization request.
type DebitAuthRequest struct {
	// CompanyID is the company that may debit.
	CompanyID string `json:"companyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	// Enabled true asks the payer; false or absent switches off.
	Enabled *bool `json:"enabled" example:"true"`
	// Limit is the highest amount of one debit, in cents.
	Limit *int64 `json:"limit" required:"true" minimum:"0" example:"10000"`
}

var (
	ruleDebitCompany = rule{"user.debit-auth.company-id", kernel.Docs, "the id of the company that may debit", "send companyId; it is required"}
	ruleDebitForm    = rule{"user.debit-auth.company-id-form", kernel.Spec, "a uuid", "send the companyId that the company's creation answered"}
	ruleDebitKnown   = rule{"user.debit-auth.company-id-known", kernel.Assumed, "a company of this integration", "send the companyId that the company's creation answered"}
	ruleDebitLimit   = rule{"user.debit-auth.limit", kernel.Docs, "a whole number of cents", "send limit; it is required"}
	ruleDebitAmount  = rule{"user.debit-auth.limit-range", kernel.Assumed, "a whole number of cents, 0 or more", "send the highest amount of one debit in cents"}
	ruleDebitRead    = rule{"user.debit-auth.read-company-id", kernel.Docs, "the uuid of a company in the query", "add ?CompanyId= with the company's id"}
)

// RequestDebitAuth asks a payer to authorise debits of a company, or switches
// them off. Errors: NotFound for an unknown payer, Invalid for a broken body.
func (w *World) RequestDebitAuth(registrationID string, req *DebitAuthRequest, noted ...kernel.Finding) error {
	c := w.check(noted)
	_, n, err := w.payer(registrationID)
	if err != nil {
		return c.Stop(err)
	}
	company := c.debitAuth(req)
	if err := c.Err("the debit authorisation"); err != nil {
		return err
	}
	if req.Enabled != nil && *req.Enabled {
		w.askDebitAuth(n, company, *req.Limit)
		return nil
	}
	w.disableDebits(n, company, "switched off by the partner", func(uint32, *debitAuth) bool { return true })
	return nil
}

// debitAuth judges the body and gives the company's row number.
func (c *check) debitAuth(req *DebitAuthRequest) uint32 {
	c.required("/companyId", req.CompanyID, ruleDebitCompany)
	company := knownRow(c, &c.w.companies.Table, "/companyId", req.CompanyID, ruleDebitForm, ruleDebitKnown)
	switch {
	case req.Limit == nil:
		c.refuse("/limit", "", ruleDebitLimit)
	case *req.Limit < 0:
		c.refuse("/limit", number(*req.Limit), ruleDebitAmount)
	}
	return company
}

// askDebitAuth sends the payer a new request to authorise debits of the company
// up to the limit. It replaces a request that still waits; an authorisation in
// force stays until the payer accepts the new one.
func (w *World) askDebitAuth(payerN, companyN uint32, limit int64) {
	w.disableDebits(payerN, companyN, "replaced by a new request", func(_ uint32, d *debitAuth) bool {
		return d.state == DebitAuthPending
	})
	p := w.payers.At(payerN)
	row := debitAuth{id: w.core.NewID("debit-authorisation"), payer: payerN, company: companyN, next: p.firstDebit, limit: limit, created: w.core.Now()}
	d, n := w.payers.debits.Add(row.id, row)
	p.firstDebit = n
	w.mustMove(w.stepDebit(d, "create", ""))
	w.tellPayer(p, d.id, "debit-authorisation-request", kernel.Value{Name: "link", Text: w.pageURL(PageDebit, d.id.String())},
		kernel.Value{Name: "company", Text: w.texts.String(w.companies.At(companyN).name)}, kernel.Value{Name: "amount", Text: Dollars(limit)})
}

func (w *World) stepDebit(d *debitAuth, event, reason string) error {
	_, err := w.core.Transition(&DebitAuthorisationMachine, d.id, &d.state, event, reason)
	return err
}

// disableDebits disables the live authorisations of a payer for a company that
// the caller picks.
func (w *World) disableDebits(payerN, companyN uint32, reason string, pick func(n uint32, d *debitAuth) bool) {
	link := &w.payers.At(payerN).firstDebit
	for *link != 0 {
		d := w.payers.debits.At(*link)
		if d.company != companyN || !pick(*link, d) {
			link = &d.next
			continue
		}
		w.mustMove(w.stepDebit(d, "disable", reason))
		*link = d.next
	}
}

// AnswerDebitAuth is the payer's answer on the hosted page: no withdraws what was
// accepted before. Errors: NotFound, IllegalTransition for a request that is over.
func (w *World) AnswerDebitAuth(id string, accept bool) error {
	if accept {
		return w.moveDebitAuth(id, "accept", "the payer accepted")
	}
	if d, _, err := w.debitAuth(id); err == nil && d.state == DebitAuthAccepted {
		return w.moveDebitAuth(id, "disable", "the payer withdrew it")
	}
	return w.moveDebitAuth(id, "decline", "the payer declined")
}

// MoveDebitAuth takes any step of the machine by control call. Errors:
// NotFound, Invalid for an event that the machine does not have,
// IllegalTransition.
func (w *World) MoveDebitAuth(id, event string) error {
	return w.moveDebitAuth(id, event, byControl)
}

func (w *World) moveDebitAuth(id, event, reason string) error {
	d, n, err := w.debitAuth(id)
	if err != nil {
		return err
	}
	if err := knownEvent(&DebitAuthorisationMachine, event); err != nil {
		return err
	}
	if err := w.stepDebit(d, event, reason); err != nil {
		return err
	}
	if d.state != DebitAuthAccepted {
		w.forgetDebit(n)
		return nil
	}
	w.disableDebits(d.payer, d.company, "replaced by an accepted request", func(other uint32, o *debitAuth) bool {
		return other != n && o.state == DebitAuthAccepted
	})
	return nil
}

// forgetDebit takes an authorisation that is over out of its payer's chain.
func (w *World) forgetDebit(n uint32) {
	d := w.payers.debits.At(n)
	link := &w.payers.At(d.payer).firstDebit
	for *link != n {
		link = &w.payers.debits.At(*link).next
	}
	*link = d.next
}

func (w *World) debitAuth(id string) (*debitAuth, uint32, error) {
	return w.payers.debits.Lookup("debit authorisation", id)
}

// inForce finds the accepted authorisation of a payer for a company, or nil.
func (w *World) inForce(payerN, companyN uint32) *debitAuth {
	for n := w.payers.At(payerN).firstDebit; n != 0; n = w.payers.debits.At(n).next {
		if d := w.payers.debits.At(n); d.company == companyN && d.state == DebitAuthAccepted {
			return d
		}
	}
	return nil
}

// debitCovers says whether a registered payer has authorised the company to
// debit the amount without asking.
func (w *World) debitCovers(payerN, companyN uint32, amount int64) bool {
	if w.payers.At(payerN).state != RegistrationRegistered {
		return false
	}
	d := w.inForce(payerN, companyN)
	return d != nil && amount <= d.limit
}

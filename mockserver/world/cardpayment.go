package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// The states of an external card payment.
const (
	CardPaymentPending kernel.State = iota + 1
	CardPaymentSucceeded
	CardPaymentFailed
	CardPaymentCancelled
	CardPaymentRefunded
)

// CardPaymentMachine moves a card payment that was made on an external
// terminal. It begins in the status that the caller names.
// Latitude, card-payment-status.
var CardPaymentMachine = kernel.Machine{
	Name:   "card-payment",
	States: []string{"", "Pending", "Succeeded", "Failed", "Cancelled", "Refunded"},
	Moves: []kernel.Move{
		{Event: "create", To: CardPaymentPending},
		{Event: "succeed", To: CardPaymentSucceeded},
		{Event: "fail", To: CardPaymentFailed},
		{Event: "cancel", To: CardPaymentCancelled},
		{Event: "refund", To: CardPaymentRefunded},
		{Event: "succeed", From: CardPaymentPending, To: CardPaymentSucceeded},
		{Event: "fail", From: CardPaymentPending, To: CardPaymentFailed},
		{Event: "cancel", From: CardPaymentPending, To: CardPaymentCancelled},
		{Event: "refund", From: CardPaymentSucceeded, To: CardPaymentRefunded},
	},
}

// cardPaymentCreations are the events that bring a card payment into being, by
// its first state.
var cardPaymentCreations = [...]string{
	CardPaymentPending: "create", CardPaymentSucceeded: "succeed", CardPaymentFailed: "fail",
	CardPaymentCancelled: "cancel", CardPaymentRefunded: "refund",
}

// cardPayment is the row of a card payment made on an external terminal.
type cardPayment struct {
	id              uuid.UUID
	amount, created int64
	texts           kernel.Text
	company         uint32 // 0 when merchantId names none
	state           kernel.State
}

// Pack lists the fields of a card payment.
func (p *cardPayment) Pack(k *kernel.Codec) {
	k.ID(&p.id)
	k.Ints(&p.amount, &p.created)
	k.Texts(&p.texts)
	k.Rows(toCompany, &p.company)
	k.State(&p.state, &CardPaymentMachine)
}

// NewCardPayment is the body that registers a card payment made on an external
// terminal. No member beyond these is accepted. Specification, External card
// payment.
type NewCardPayment struct {
	// Amount is in cents, from 1 to 2^63-1.
	Amount *int64 `json:"amount" unit:"cents" required:"true" minimum:"1" example:"5000"`
	// MobileNumber is E.164: a plus and at most 15 digits.
	MobileNumber string `json:"mobileNumber" required:"true" pattern:"^\\+[1-9][0-9]{2,14}$" example:"+12025550123"`
	// CardType is free text, for example Visa, Mastercard or Amex.
	CardType string `json:"cardType" example:"Visa"`
	// TransactionStatus is Pending, Succeeded, Failed, Cancelled or Refunded.
	TransactionStatus string `json:"transactionStatus" known:"Pending,Succeeded,Failed,Cancelled,Refunded" example:"Succeeded"`
	// MerchantID is any text; a company's id or reference ties the payment to it.
	MerchantID string `json:"merchantId" example:"loc-001"`
	// Email adds an e-mail to the SMS.
	Email                  string `json:"email" format:"email" example:"pat@example.com"`
	PatientReferenceNumber string `json:"patientReferenceNumber" example:"P-1001"`
}

// Pack writes or reads the texts that are kept.
func (r *NewCardPayment) Pack(k *kernel.Codec) {
	k.Strs(&r.MobileNumber, &r.CardType, &r.TransactionStatus, &r.MerchantID, &r.Email, &r.PatientReferenceNumber)
}

// CardPaymentV049 is the body as release v0.4.9 took it, with the company's
// members that merchantId has replaced.
type CardPaymentV049 struct {
	NewCardPayment
	CompanyID          string `json:"companyId" format:"uuid" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	CompanyReferenceID string `json:"companyReferenceId" example:"loc-001"`
}

var (
	terminalPlace = placeRulesFor("card-payment")

	ruleTerminalAmount   = rule{"card-payment.amount", kernel.Docs, "a whole number of cents", "send amount; it is required"}
	ruleTerminalRange    = rule{"card-payment.amount-range", kernel.Assumed, "a whole number of cents, 1 or more", "send the amount in cents, for example 5000 for 50.00"}
	ruleTerminalMobile   = rule{"card-payment.mobile-number", kernel.Spec, "an E.164 number: a plus and at most 15 digits", "send the number with its country code, for example +12025550123"}
	ruleTerminalType     = rule{"card-payment.card-type", kernel.Docs, "the card's brand", "send cardType, for example Visa"}
	ruleTerminalStatus   = rule{"card-payment.transaction-status", kernel.Docs, "Pending, Succeeded, Failed, Cancelled or Refunded", "send one of the five; anything else counts as Pending"}
	ruleTerminalMerchant = rule{"card-payment.merchant-id", kernel.Docs, "the merchant", "send merchantId"}
	ruleTerminalEmail    = rule{"card-payment.email", kernel.Docs, "a valid e-mail address", "send an address such as pat@example.com, or leave email out; this one gets no mail"}
)

// RegisterCardPayment registers a card payment made on an external terminal and
// confirms it to the payer. Errors: Invalid. Specification, External card
// payment; latitude, card-payment-merchant.
func (w *World) RegisterCardPayment(req *NewCardPayment, noted ...kernel.Finding) error {
	c := w.check(noted)
	state := c.cardPayment(req)
	c.wanted("/merchantId", req.MerchantID, ruleTerminalMerchant)
	if err := c.Err("the card payment"); err != nil {
		return err
	}
	w.addCardPayment(req, state, w.merchant(req.MerchantID))
	return nil
}

// RegisterCardPaymentV049 is RegisterCardPayment of release v0.4.9, which names
// the company by its own members. Latitude, versions.
func (w *World) RegisterCardPaymentV049(req *CardPaymentV049, noted ...kernel.Finding) error {
	c := w.check(noted)
	state := c.cardPayment(&req.NewCardPayment)
	company := w.merchant(req.MerchantID)
	if company == 0 {
		company, _ = c.place(&terminalPlace, "", req.CompanyID, req.CompanyReferenceID)
	}
	if err := c.Err("the card payment"); err != nil {
		return err
	}
	w.addCardPayment(&req.NewCardPayment, state, company)
	return nil
}

// cardPayment judges a card payment and gives its first state.
func (c *check) cardPayment(req *NewCardPayment) kernel.State {
	c.cents("/amount", req.Amount, ruleTerminalAmount, ruleTerminalRange)
	if !c.w.e164(req.MobileNumber) {
		c.refuse("/mobileNumber", kernel.Given(req.MobileNumber), ruleTerminalMobile)
	}
	c.wanted("/cardType", req.CardType, ruleTerminalType)
	if req.Email != "" && !validEmail(req.Email) {
		c.advise("/email", kernel.Quote(req.Email), ruleTerminalEmail)
	}
	name, known := kernel.OneOf(req.TransactionStatus, CardPaymentMachine.States[1:])
	if !known {
		c.advise("/transactionStatus", kernel.Given(req.TransactionStatus), ruleTerminalStatus)
		return CardPaymentPending
	}
	state, _ := CardPaymentMachine.StateNamed(name)
	return state
}

// merchant finds the company that a merchantId names by its reference or its
// uuid; 0 is none.
func (w *World) merchant(merchantID string) uint32 {
	_, n, _ := w.company(merchantID)
	return n
}

// addCardPayment keeps a card payment that has been judged.
func (w *World) addCardPayment(req *NewCardPayment, state kernel.State, company uint32) {
	row := cardPayment{id: w.core.NewID("card-payment"), amount: *req.Amount, created: w.core.Now(), texts: w.texts.KeepPacked(req), company: company}
	p, n := w.terminal.Add(row.id, row)
	w.payments.journal.Push(journalEntry{company: company, row: n, terminal: true})
	w.mustMove(w.stepCardPayment(p, cardPaymentCreations[state], ""))
	email := req.Email
	if !validEmail(email) {
		email = ""
	}
	w.tell(p.id, req.MobileNumber, email, "card-payment",
		kernel.Value{Name: "amount", Text: Dollars(p.amount)}, kernel.Value{Name: "company", Text: w.merchantName(company, req.MerchantID)},
		kernel.Value{Name: "status", Text: CardPaymentMachine.States[p.state]}, kernel.Value{Name: "card", Text: req.CardType})
}

func (w *World) merchantName(company uint32, merchantID string) string {
	if company == 0 {
		return merchantID
	}
	return w.texts.String(w.companies.At(company).name)
}

func (w *World) stepCardPayment(p *cardPayment, event, reason string) error {
	_, err := w.core.Transition(&CardPaymentMachine, p.id, &p.state, event, reason)
	return err
}

// MoveCardPayment takes a step of an external card payment by control call. Its
// id is the report's externalTransferId. Errors: NotFound, IllegalTransition.
func (w *World) MoveCardPayment(id, event string) error {
	p, _, err := w.terminal.Lookup("card payment", id)
	if err != nil {
		return err
	}
	return w.stepCardPayment(p, event, byControl)
}

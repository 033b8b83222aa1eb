package world

import (
	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
)

// The states of a saved card's charge.
const (
	ChargeProcessing kernel.State = iota + 1
	ChargePaid
	ChargeDenied
	ChargeFailed
)

// SavedCardChargeMachine moves the charge of a saved card, which is decided
// while the caller waits. Latitude, saved-card-status.
var SavedCardChargeMachine = kernel.Machine{
	Name:   "saved-card-charge",
	States: []string{"", "Processing", "Paid", "Denied", "Failed"},
	Moves: []kernel.Move{
		{Event: "create", To: ChargeProcessing},
		{Event: "pay", From: ChargeProcessing, To: ChargePaid, Emits: EventPaymentStatus},
		{Event: "deny", From: ChargeProcessing, To: ChargeDenied, Emits: EventPaymentStatus},
		{Event: "fail", From: ChargeProcessing, To: ChargeFailed, Emits: EventPaymentStatus},
	},
}

// NewSavedCardCharge is the body that charges a saved card. No member beyond
// these is accepted. Specification, Saved-card charge.
type NewSavedCardCharge struct {
	// Amount is in cents, from 1 to 2^31-1.
	Amount     *int32 `json:"amount" required:"true" minimum:"1" example:"5000"`
	LocationID string `json:"locationId" format:"uuid" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	// RegistrationID is the payer who owns the card.
	RegistrationID string `json:"registrationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	// PaymentMethodID is a card of the payer's payment methods.
	PaymentMethodID  string `json:"paymentMethodId" required:"true" example:"pm_9d2e5b0e3f0c4a538d3e6f1f0e9d8c55"`
	ShortDescription string `json:"shortDescription" nullable:"true" example:"Class on 3 March"`
	// FeePayer is client, partner or ask; client when absent.
	FeePayer string `json:"feePayer" nullable:"true" enum:"client,partner,ask" example:"client"`
	// Attachment is a file in base64, or the http or https address of one.
	Attachment string `json:"attachment" nullable:"true" example:"https://partner.example.com/invoices/1001.pdf"`
	// DueDate is kept and told; the card is charged at once all the same.
	DueDate string `json:"dueDate" format:"date" nullable:"true" example:"2026-03-31"`
}

// SavedCardCharged is the answer to a saved-card charge.
type SavedCardCharged struct {
	PaymentRequestID string `json:"paymentRequestId" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	RegistrationID   string `json:"registrationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	// Status is success, declined (by the issuer) or failed (at the processor).
	Status string `json:"status" required:"true" enum:"success,declined,failed" example:"success"`
	// ChargedAmount is in cents; 0 unless Status is success.
	ChargedAmount int32 `json:"chargedAmount" required:"true" example:"5000"`
}

// The statuses of a saved-card charge's answer.
const (
	ChargeSucceeded     = "success"
	ChargeWasDeclined   = "declined"
	ChargeBrokeDown     = "failed"
	chargeDeclinedEvent = "deny"
)

var (
	chargePlace = placeRulesFor("payment.saved-card")

	ruleChargeAmount  = rule{"payment.saved-card.amount", kernel.Docs, "a whole number of cents", "send amount; it is required"}
	ruleChargeRange   = rule{"payment.saved-card.amount-range", kernel.Assumed, "a whole number of cents, 1 or more", "send the amount in cents, for example 5000 for 50.00"}
	ruleChargePayer   = rule{"payment.saved-card.registration", kernel.Docs, "the payer who owns the card", "send registrationId; it is required"}
	ruleChargePayerID = rule{"payment.saved-card.registration-id", kernel.Spec, "a uuid", "send the registrationId that the registration answered"}
	ruleChargeKnown   = rule{"payment.saved-card.registration-id-known", kernel.Assumed, "a registration of this integration", "send the registrationId that the registration answered"}
	ruleChargeMethod  = rule{"payment.saved-card.payment-method", kernel.Docs, "a saved card", "send paymentMethodId; it is required"}
	ruleChargeCard    = rule{"payment.saved-card.payment-method-known", kernel.Assumed, "a saved card of this payer", "send an id of the payer's payment methods"}
	ruleChargeFee     = rule{"payment.saved-card.fee-payer", kernel.Docs, "client, partner or ask", "send one of the three, or leave feePayer out"}
	ruleChargeDue     = rule{"payment.saved-card.due-date", kernel.Spec, "a date of the calendar as YYYY-MM-DD, before the year 2200", "send a day that exists, for example 2026-03-31"}
	ruleChargePast    = rule{"payment.saved-card.due-date-past", kernel.Assumed, "today or a later day in Pacific time", "leave dueDate out"}
	ruleChargeFile    = rule{"payment.saved-card.attachment", kernel.Docs, "a file in base64, or an http or https URL of " + kernel.CallableForm, "encode the file with padding, or send an address such as https://partner.example.com/invoice.pdf"}
	ruleChargePDF     = rule{"payment.saved-card.attachment-pdf", kernel.Docs, "a PDF", "send a PDF document"}
)

// ChargeSavedCard charges a card that the payer saved, without the payer. The
// test card decides; a refusal by the issuer is an answer, not an error. Errors:
// Invalid, NotFound where the ledger says so of unknown ids, TooLarge.
// Specification, Saved-card charge.
func (w *World) ChargeSavedCard(req *NewSavedCardCharge, noted ...kernel.Finding) (SavedCardCharged, error) {
	c := w.check(noted)
	o, f := c.savedCardCharge(req)
	if f.refusal != nil {
		return SavedCardCharged{}, c.Stop(f.refusal)
	}
	if err := c.Err("the saved-card charge"); err != nil {
		return SavedCardCharged{}, err
	}
	outcome, _ := w.chargeCard(o.payer, req.PaymentMethodID)
	n := w.openPayment(o)
	p := w.payments.At(n)
	p.attachment = w.attach(f)
	answer := SavedCardCharged{PaymentRequestID: p.id.String(), RegistrationID: w.payers.At(p.payer).id.String()}
	event := chargeDeclinedEvent
	switch outcome {
	case fixtures.CardApproved:
		answer.Status, answer.ChargedAmount, event = ChargeSucceeded, *req.Amount, "pay"
	case fixtures.CardProcessorError:
		answer.Status, event = ChargeBrokeDown, "fail"
	default:
		answer.Status = ChargeWasDeclined
	}
	return answer, w.stepPayment(n, event, "test card: "+string(outcome))
}

// savedCardCharge judges every member of a saved-card charge.
func (c *check) savedCardCharge(req *NewSavedCardCharge) (paymentOrder, file) {
	o := paymentOrder{kind: kindSavedCard, texts: paymentTexts{Purpose: Purpose{ShortDescription: req.ShortDescription}}}
	var amount *int64
	if req.Amount != nil {
		amount = new(int64(*req.Amount))
	}
	o.amount = c.cents("/amount", amount, ruleChargeAmount, ruleChargeRange)
	o.company, o.location = c.place(&chargePlace, req.LocationID, "", "")
	c.required("/registrationId", req.RegistrationID, ruleChargePayer)
	o.payer = c.bodyPayer("/registrationId", req.RegistrationID, ruleChargePayerID, ruleChargeKnown)
	c.required("/paymentMethodId", req.PaymentMethodID, ruleChargeMethod)
	if o.payer != 0 && req.PaymentMethodID != "" {
		o.card = c.savedCard(o.payer, req.PaymentMethodID)
	}
	o.feePayer = c.feePayer("/feePayer", req.FeePayer, ruleChargeFee)
	f := c.file("/attachment", req.Attachment, ruleChargeFile, ruleChargePDF)
	o.due = c.dueDate("/dueDate", req.DueDate, ruleChargeDue, ruleChargePast)
	return o, f
}

// savedCard finds the row of a payer's saved card.
func (c *check) savedCard(payer uint32, method string) uint32 {
	if _, ok := c.w.chargeCard(payer, method); !ok {
		c.unknownID("/paymentMethodId", method, ruleChargeCard)
		return 0
	}
	id, _ := parseMethodID(method)
	_, n := c.w.cards.Find(id)
	return n
}

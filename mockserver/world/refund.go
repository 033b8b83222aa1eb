package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// The states of a refund.
const (
	RefundAccepted kernel.State = iota + 1
	RefundCompleted
	RefundFailed
)

// RefundMachine moves a refund. Latitude, refund-machine.
var RefundMachine = kernel.Machine{
	Name:   "refund",
	States: []string{"", "Accepted", "Completed", "Failed"},
	Moves: []kernel.Move{
		{Event: "create", To: RefundAccepted},
		{Event: "complete", From: RefundAccepted, To: RefundCompleted},
		{Event: "fail", From: RefundAccepted, To: RefundFailed},
	},
}

// refundDays is how many banking days a refund takes.
const refundDays = 1

// refunds are all refunds of an integration.
type refunds struct{ kernel.Table[refund] }

// Pack lists what refunds are.
func (r *refunds) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &r.Table, func(row *refund) uuid.UUID { return row.id })
}

// refund is the row of a refund; the refunds of one payment are chained.
type refund struct {
	id              uuid.UUID
	amount, created int64
	description     kernel.Text
	payment, next   uint32
	attachment      uint32
	state           kernel.State
}

// Pack lists the fields of a refund.
func (r *refund) Pack(k *kernel.Codec) {
	k.ID(&r.id)
	k.Ints(&r.amount, &r.created)
	k.Texts(&r.description)
	k.Rows(toPayment, &r.payment)
	k.Later(toRefund, &r.next)
	k.Rows(toAttachment, &r.attachment)
	k.State(&r.state, &RefundMachine)
}

// NewRefund is the body of a refund. Specification, Refund.
type NewRefund struct {
	// Amount is what is given back, in cents.
	Amount      *int64 `json:"amount" unit:"cents" required:"true" minimum:"1" example:"2000"`
	Description string `json:"description" example:"Two classes were cancelled"`
	// Attachment is optional; all three members belong to it.
	Attachment *RefundAttachment `json:"attachment"`
}

// RefundAttachment is the file that goes with a refund.
type RefundAttachment struct {
	FileName string `json:"fileName" required:"true" example:"refund.pdf"`
	// FileData is the file in base64.
	FileData string `json:"fileData" required:"true" example:"JVBERi0xLjQK"`
	// FileType is application/pdf.
	FileType string `json:"fileType" required:"true" example:"application/pdf"`
}

var (
	ruleRefundAmount = rule{"payment.refund.amount", kernel.Docs, "a whole number of cents", "send amount; it is required"}
	ruleRefundRange  = rule{"payment.refund.amount-range", kernel.Assumed, "a whole number of cents, 1 or more", "send what is to be given back in cents"}
	ruleRefundSum    = rule{"payment.refund.amount-left", kernel.Assumed, "at most what is left of the payment", "refund less: all refunds of a payment together give back its amount at most"}
	ruleRefundPaid   = rule{"payment.refund.after-paid", kernel.Docs, "a payment that is Paid", "refund after the payment has become Paid"}
	ruleRefundName   = rule{"payment.refund.attachment-name", kernel.Docs, "the file's name", "send attachment.fileName, or leave the attachment out"}
	ruleRefundData   = rule{"payment.refund.attachment-data", kernel.Docs, "a file in base64", "encode the file with padding, or leave the attachment out"}
	ruleRefundType   = rule{"payment.refund.attachment-type", kernel.Docs, "application/pdf", "send attachment.fileType, or leave the attachment out"}
	ruleRefundPDF    = rule{"payment.refund.attachment-pdf", kernel.Docs, "application/pdf", "send a PDF document"}
)

// RefundPayment gives back a part of what was paid, or all of it. The refund
// counts from its acceptance; one that fails sets its amount free again.
// Errors: NotFound, Invalid, TooLarge. Latitude, refund-rules.
func (w *World) RefundPayment(paymentRequestID string, req *NewRefund, noted ...kernel.Finding) error {
	c := w.check(noted)
	if a, err := w.cardAuth(paymentRequestID); err == nil {
		return w.refuseRefund(a)
	}
	p, n, err := w.payment(paymentRequestID)
	if err != nil {
		return c.Stop(err)
	}
	f := c.refund(p, req)
	if f.refusal != nil {
		return c.Stop(f.refusal)
	}
	if err := c.Err("the refund"); err != nil {
		return err
	}
	row := refund{id: w.core.NewID("refund"), amount: *req.Amount, created: w.core.Now(), description: w.texts.KeepString(req.Description), payment: n, attachment: w.attach(f)}
	r, number := w.refunds.Add(row.id, row)
	kernel.Chain(&p.firstRefund, &p.lastRefund, number, func(row uint32) *uint32 { return &w.refunds.At(row).next })
	p.refunded += r.amount
	w.mustMove(w.stepRefund(r, "create", ""))
	w.core.Schedule(timerRefund, nextBankingDay(w.Now(), refundDays), r.id, 0)
	w.tellRefund(p, r.amount)
	return nil
}

// refuseRefund says that a card authorisation has moved no money that could be given
// back.
func (w *World) refuseRefund(a *cardAuth) error {
	r := ruleRefundPaid
	r.Expected += "; this one is a card authorisation that is " + CardAuthorisationMachine.States[a.state]
	r.Fix = "cancel the authorisation: no money has moved"
	return invalid("path:paymentRequestId", kernel.Quote(a.id.String()), r)
}

// refund judges every member of a refund and the payment's state.
func (c *check) refund(p *payment, req *NewRefund) file {
	amount := c.cents("/amount", req.Amount, ruleRefundAmount, ruleRefundRange)
	switch left := p.amount - p.refunded; {
	case !p.paid():
		r := ruleRefundPaid
		r.Expected += "; this one is " + c.w.status(p)
		c.refuse("path:paymentRequestId", kernel.Quote(p.id.String()), r)
	case amount > left:
		r := ruleRefundSum
		r.Expected += ", which is " + number(left)
		c.refuse("/amount", number(amount), r)
	}
	if req.Attachment == nil {
		return file{}
	}
	return c.refundFile(req.Attachment)
}

// refundFile judges the attachment of a refund.
func (c *check) refundFile(a *RefundAttachment) file {
	c.named("/attachment/fileName", a.FileName, ruleRefundName)
	f := file{}
	if a.FileData == "" {
		c.refuse("/attachment/fileData", "", ruleRefundData)
	} else {
		f = c.base64File("/attachment/fileData", a.FileData, ruleRefundData)
	}
	switch a.FileType {
	case pdf:
	case "":
		c.refuse("/attachment/fileType", "", ruleRefundType)
	default:
		c.advise("/attachment/fileType", kernel.Quote(a.FileType), ruleRefundPDF)
	}
	f.name, f.contentType = a.FileName, a.FileType
	return f
}

// paid says whether the money of a payment has arrived and stays.
func (p *payment) paid() bool {
	if p.kind == kindSavedCard {
		return p.state == ChargePaid
	}
	return p.state == PaymentPaid
}

func (w *World) tellRefund(p *payment, amount int64) {
	payer := w.payers.At(p.payer)
	w.tellPayer(payer, p.id, "refund-notice", kernel.Value{Name: "amount", Text: Dollars(amount)},
		kernel.Value{Name: "company", Text: w.texts.String(w.companies.At(p.company).name)})
}

// tellFailedRefund tells the company that a refund did not arrive: nothing else would.
func (w *World) tellFailedRefund(p *payment, amount int64, reason string) {
	const noPhone = ""
	c := w.companies.At(p.company)
	w.tell(p.id, noPhone, w.texts.String(c.email), "refund-failed", kernel.Value{Name: "amount", Text: Dollars(amount)},
		kernel.Value{Name: "company", Text: w.texts.String(c.name)}, kernel.Value{Name: "reason", Text: reason})
}

func (w *World) stepRefund(r *refund, event, reason string) error {
	_, err := w.core.Transition(&RefundMachine, r.id, &r.state, event, reason)
	if err == nil && r.state == RefundFailed {
		p := w.payments.At(r.payment)
		p.refunded -= r.amount
		w.tellFailedRefund(p, r.amount, reason)
	}
	return err
}

// refundTimer ends a refund. An account that is going to return what was Paid
// takes no refund either.
func (w *World) refundTimer(t kernel.Timer) bool {
	r, _ := w.refunds.Find(t.ID)
	if r == nil || r.state != RefundAccepted {
		return false
	}
	p := w.payments.At(r.payment)
	event, reason := "complete", "the refund arrived"
	if payer := w.payers.At(p.payer); payer.returnWhen != returnNever && p.card == 0 {
		event, reason = "fail", returnReason(payer.returnCode)
	}
	w.mustMove(w.stepRefund(r, event, reason))
	return true
}

// MoveRefund ends a refund by control call: complete or fail. Errors: NotFound,
// IllegalTransition.
func (w *World) MoveRefund(id, event string) error {
	r, _, err := w.refunds.Lookup("refund", id)
	if err != nil {
		return err
	}
	return w.stepRefund(r, event, byControl)
}

// RefundView is a refund as the portal shows it.
type RefundView struct {
	ID, PaymentRequestID, Status, Description string
	// Amount is in cents.
	Amount int64
	// Created is in nanoseconds since 1970 UTC.
	Created     int64
	Attachments []AttachmentInfo
}

// RefundsOf lists the refunds of a payment, oldest first.
func (w *World) RefundsOf(paymentRequestID string) ([]RefundView, error) {
	p, _, err := w.payment(paymentRequestID)
	if err != nil {
		return nil, err
	}
	list := []RefundView{}
	for n := p.firstRefund; n != 0; n = w.refunds.At(n).next {
		r := w.refunds.At(n)
		list = append(list, RefundView{
			ID: r.id.String(), PaymentRequestID: p.id.String(), Status: RefundMachine.States[r.state],
			Description: w.texts.String(r.description), Amount: r.amount, Created: r.created,
			Attachments: w.attachmentInfo(r.attachment),
		})
	}
	return list, nil
}

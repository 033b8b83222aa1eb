package world

import (
	"errors"
	"slices"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// The states of a payment request.
const (
	PaymentPending kernel.State = iota + 1
	PaymentScheduled
	PaymentQueued
	PaymentInReview
	PaymentProcessing
	PaymentPaid
	PaymentFailed
	PaymentDenied
	PaymentCanceled
)

// EventPaymentStatus is the webhook event of a payment's changes.
const EventPaymentStatus = "PAYMENT_STATUS_CHANGED"

// PaymentMachine moves a payment request. The last move is the late return of
// a bank, which the ledger can switch off. Latitude, payment-machine.
var PaymentMachine = kernel.Machine{
	Name:   "payment",
	States: []string{"", "Pending", "Scheduled", "Queued", "InReview", "Processing", "Paid", "Failed", "Denied", "Canceled"},
	Moves: []kernel.Move{
		{Event: "create", To: PaymentPending},
		{Event: "approve", From: PaymentPending, To: PaymentProcessing, Emits: EventPaymentStatus},
		{Event: "schedule", From: PaymentPending, To: PaymentScheduled, Emits: EventPaymentStatus},
		{Event: "queue", From: PaymentPending, To: PaymentQueued, Emits: EventPaymentStatus},
		{Event: "review", From: PaymentPending, To: PaymentInReview, Emits: EventPaymentStatus},
		{Event: "deny", From: PaymentPending, To: PaymentDenied, Emits: EventPaymentStatus},
		{Event: "cancel", From: PaymentPending, To: PaymentCanceled, Emits: EventPaymentStatus},
		{Event: "process", From: PaymentScheduled, To: PaymentProcessing, Emits: EventPaymentStatus},
		{Event: "cancel", From: PaymentScheduled, To: PaymentCanceled, Emits: EventPaymentStatus},
		{Event: "process", From: PaymentQueued, To: PaymentProcessing, Emits: EventPaymentStatus},
		{Event: "cancel", From: PaymentQueued, To: PaymentCanceled, Emits: EventPaymentStatus},
		{Event: "process", From: PaymentInReview, To: PaymentProcessing, Emits: EventPaymentStatus},
		{Event: "deny", From: PaymentInReview, To: PaymentDenied, Emits: EventPaymentStatus},
		{Event: "cancel", From: PaymentInReview, To: PaymentCanceled, Emits: EventPaymentStatus},
		{Event: "pay", From: PaymentProcessing, To: PaymentPaid, Emits: EventPaymentStatus},
		{Event: "fail", From: PaymentProcessing, To: PaymentFailed, Emits: EventPaymentStatus},
		{Event: "return", From: PaymentPaid, To: PaymentFailed, Emits: EventPaymentStatus},
	},
}

// paidIsFinal is PaymentMachine without the late return.
var paidIsFinal = kernel.Machine{
	Name: PaymentMachine.Name, States: PaymentMachine.States, Moves: PaymentMachine.Moves[:len(PaymentMachine.Moves)-1],
}

// PaymentMove is what goes with an event of a payment.
type PaymentMove struct {
	// ReturnCode is the ACH return code of fail and return, for example R01.
	ReturnCode string `json:"returnCode" example:"R01"`
	// Reason is told on the tape in place of the usual one.
	Reason string `json:"reason" example:"the payer closed the account"`
	// FeePayer is what the payer chose with approve, where the request asks:
	// client or partner.
	FeePayer string `json:"feePayer" enum:"client,partner" example:"client"`
}

var (
	ruleEventName    = rule{"control.payment.event", kernel.Assumed, "an event of the payment", "send one of the events that the payment's machine lists"}
	ruleEventCode    = rule{"control.payment.return-code", kernel.Assumed, "an ACH return code", "send a code such as R01"}
	ruleEventNoCode  = rule{"control.payment.return-code-unused", kernel.Assumed, "no return code: only fail and return have one", "leave returnCode out"}
	ruleEventFee     = rule{"control.payment.fee-payer", kernel.Assumed, "client or partner", "send one of the two"}
	ruleEventFeeOnly = rule{"control.payment.fee-payer-unused", kernel.Assumed, "no fee payer: only approve of a request that asks for one has it", "leave feePayer out"}
)

// unlinkedPays tells whoever decides for a payer what no payer could do.
var unlinkedPays = kernel.Finding{
	Pointer: "path:id", Clause: "control.payment.linked", Source: kernel.Assumed,
	Expected: "a payer who has linked an account: this one has not, and the sandbox pays all the same",
	Fix:      "complete the payer's registration first, or pay on the payment's page", Advisory: true,
}

// machineOf is the machine that moves a payment.
func (w *World) machineOf(p *payment) *kernel.Machine {
	switch {
	case p.kind == kindSavedCard:
		return &SavedCardChargeMachine
	case w.is(latitude.PaymentMachineNoLateReturn):
		return &paidIsFinal
	default:
		return &PaymentMachine
	}
}

// status is the name of a payment's state.
func (w *World) status(p *payment) string { return w.machineOf(p).States[p.state] }

// cancelled is the reason of a cancellation.
const cancelled = "cancelled by the partner"

// CancelPayment cancels a payment request, or a card authorisation, for the
// partner. Errors: NotFound, and IllegalTransition, which names the state, for
// what cannot be cancelled.
func (w *World) CancelPayment(id string) error {
	if a, err := w.cardAuth(id); err == nil {
		return w.stepCardAuth(a, "cancel", cancelled)
	}
	p, n, err := w.payment(id)
	if err != nil {
		return err
	}
	err = w.stepPayment(n, "cancel", cancelled)
	var refusal *kernel.Error
	if p.state == PaymentPaid && errors.As(err, &refusal) {
		refusal.Detail += "; what is Paid is not cancelled but refunded: POST /Payment/Refund/" + id
	}
	return err
}

// MovePayment takes a step of a payment: the payer's answer on the page or a
// control call. approve is the payer's yes, after which due date and account
// decide what the payment becomes. Errors: NotFound, Invalid, IllegalTransition.
func (w *World) MovePayment(id, event string, opt PaymentMove, noted ...kernel.Finding) error {
	c := w.check(noted)
	p, n, err := w.payment(id)
	if err != nil {
		return c.Stop(err)
	}
	if !slices.Contains(PaymentMachine.Events(), event) {
		r := ruleEventName
		r.Expected += ": " + strings.Join(PaymentMachine.Events(), ", ")
		return c.Stop(invalid("path:event", kernel.Quote(event), r))
	}
	reason := c.paymentEvent(p, event, opt)
	if err := c.Err("the event"); err != nil {
		return err
	}
	if event != "approve" {
		return w.stepPayment(n, event, reason)
	}
	unlinked := w.payers.At(p.payer).state != RegistrationRegistered
	if unlinked {
		reason += "; the payer has linked no account, and the sandbox pays all the same"
	}
	if err := w.collect(n, reason); err != nil {
		return err
	}
	if unlinked {
		w.core.Advise(unlinkedPays)
	}
	if opt.FeePayer != "" {
		p.feePayer = feePayer(slices.Index(feePayers, opt.FeePayer)) //nolint:gosec // G115: one of three.
	}
	return nil
}

// paymentEvent judges what goes with an event and gives the reason to tell.
func (c *check) paymentEvent(p *payment, event string, opt PaymentMove) string {
	reason := byControl
	if opt.ReturnCode != "" {
		code, err := fixtures.ReturnCodeNamed(opt.ReturnCode)
		switch {
		case event != "fail" && event != "return":
			c.refuse("/returnCode", kernel.Quote(opt.ReturnCode), ruleEventNoCode)
		case err != nil:
			c.refuse("/returnCode", kernel.Quote(opt.ReturnCode), taught(ruleEventCode, err))
		default:
			reason = code.Code + " " + code.Title
		}
	}
	switch {
	case opt.FeePayer == "":
	case event != "approve" || p.feePayer != feeAsk:
		c.refuse("/feePayer", kernel.Quote(opt.FeePayer), ruleEventFeeOnly)
	case opt.FeePayer != feePayers[feeClient] && opt.FeePayer != feePayers[feePartner]:
		c.refuse("/feePayer", kernel.Quote(opt.FeePayer), ruleEventFee)
	}
	if opt.Reason != "" {
		return opt.Reason
	}
	return reason
}

// stepPayment takes a step, sends its event, and sets the timer of what
// follows.
func (w *World) stepPayment(n uint32, event, reason string) error {
	p := w.payments.At(n)
	mv, err := w.core.Transition(w.machineOf(p), p.id, &p.state, event, reason)
	if err != nil {
		return err
	}
	if mv.Emits != "" {
		w.emitPayment(p)
	}
	if p.kind == kindSavedCard {
		return nil
	}
	if p.plan != 0 && p.ended() {
		w.settlePlan(p, mv.From == PaymentPaid)
	}
	switch p.state {
	case PaymentScheduled:
		w.core.Schedule(timerPaymentBatch, w.batchOf(p), p.id, 0)
	case PaymentQueued:
		w.core.Schedule(timerPaymentProcess, nextBankingDay(w.Now(), queueDays), p.id, 0)
	case PaymentInReview:
		w.core.Schedule(timerPaymentProcess, nextBankingDay(w.Now(), reviewDays), p.id, 0)
	case PaymentProcessing:
		return w.startSettling(n)
	case PaymentPaid:
		w.startReturn(p)
	default: // nothing follows by itself
	}
	return nil
}

package world

import (
	"strconv"
	"time"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// How long the steps of a collection take. Latitude, payment-timing.
const (
	settleTime       = 5 * time.Second
	slowSettleDays   = 2
	reviewDays       = 1
	queueDays        = 2
	refusalDays      = 2
	returnDays       = 2
	lateReturnPeriod = 59 * 24 * time.Hour
)

// collect is the payer's yes: the payment waits for its due date, for a review
// or for a slow bank, or is processed at once. A payment that is not Pending is
// an IllegalTransition.
func (w *World) collect(n uint32, why string) error {
	p := w.payments.At(n)
	payer := w.payers.At(p.payer)
	event := "approve"
	switch {
	case p.dueDate().After(pacificDate(w.Now())):
		event = "schedule"
	case payer.review && p.card == 0:
		event = "review"
	case payer.slow && p.card == 0:
		event = "queue"
	}
	if p.state != PaymentPending || p.kind == kindSavedCard {
		return w.machineOf(p).Refusal(p.id, p.state, "approve")
	}
	return w.stepPayment(n, event, why)
}

// batchOf is the daily batch that takes a Scheduled payment: of its due date,
// or the next one when the payment was scheduled without a day ahead.
func (w *World) batchOf(p *payment) time.Time {
	if at := batchAt(p.dueDate()); p.due != 0 && at.After(w.Now()) {
		return at
	}
	return nextBatch(w.Now())
}

// startSettling lets the payer's account decide what becomes of a payment that
// is Processing, and when.
func (w *World) startSettling(n uint32) error {
	p := w.payments.At(n)
	payer := w.payers.At(p.payer)
	at, code := w.Now().Add(settleTime), int64(0)
	if w.is(latitude.PaymentTimingSlow) {
		at = nextBankingDay(w.Now(), slowSettleDays)
	}
	returns := payer.returnWhen
	if p.card != 0 {
		returns = returnNever // a card that was authorised pays
	}
	switch returns {
	case returnNow:
		return w.stepPayment(n, "fail", returnReason(payer.returnCode))
	case returnTwoBankingDays:
		at, code = nextBankingDay(w.Now(), refusalDays), int64(payer.returnCode)
	}
	w.core.Schedule(timerPaymentPay, at, p.id, code)
	return nil
}

// startReturn sets the timer of a bank that returns what was Paid.
func (w *World) startReturn(p *payment) {
	payer := w.payers.At(p.payer)
	if p.card != 0 || w.is(latitude.PaymentMachineNoLateReturn) {
		return
	}
	switch payer.returnWhen {
	case returnAfterPaid:
		w.core.Schedule(timerPaymentReturn, nextBankingDay(w.Now(), returnDays), p.id, int64(payer.returnCode))
	case returnDay59:
		w.core.Schedule(timerPaymentReturn, w.Now().Add(lateReturnPeriod), p.id, int64(payer.returnCode))
	}
}

// returnReason tells an ACH return code by its number.
func returnReason(number uint8) string {
	name := "R" + strconv.Itoa(100 + int(number))[1:]
	code, err := fixtures.ReturnCodeNamed(name)
	if err != nil {
		return name
	}
	return code.Code + " " + code.Title
}

// processTimer moves a Queued or InReview payment on.
func (w *World) processTimer(t kernel.Timer) bool {
	return w.timedStep(t, "process", "the review ended", PaymentInReview) ||
		w.timedStep(t, "process", "the bank is ready", PaymentQueued)
}

// batchTimer is the daily batch.
func (w *World) batchTimer(t kernel.Timer) bool {
	return w.timedStep(t, "process", "the daily batch of the due date", PaymentScheduled)
}

// settleTimer ends the processing; the timer's argument is the return code.
func (w *World) settleTimer(t kernel.Timer) bool {
	if t.Arg == 0 {
		return w.timedStep(t, "pay", "the payment settled", PaymentProcessing)
	}
	return w.timedStep(t, "fail", returnReason(uint8(t.Arg)), PaymentProcessing) //nolint:gosec // G115: two digits.
}

// returnTimer is the bank's late return.
func (w *World) returnTimer(t kernel.Timer) bool {
	return w.timedStep(t, "return", returnReason(uint8(t.Arg)), PaymentPaid) //nolint:gosec // G115: two digits.
}

// timedStep takes a step unless the payment has left the state in which the
// timer was set. No state is entered twice.
func (w *World) timedStep(t kernel.Timer, event, reason string, in kernel.State) bool {
	p, n := w.payments.Find(t.ID)
	if p == nil || p.state != in {
		return false
	}
	w.mustMove(w.stepPayment(n, event, reason))
	return true
}

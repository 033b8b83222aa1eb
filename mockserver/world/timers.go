package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// What a world waits for.
const (
	timerKYB            kernel.TimerKind = iota + 1
	timerPaymentProcess                  // a Queued or InReview payment goes on
	timerPaymentPay                      // a Processing payment settles
	timerPaymentBatch                    // the daily batch takes a Scheduled payment
	timerPaymentReturn                   // a bank returns a Paid payment
	timerRefund                          // a refund completes
	timerPlanOccurrence                  // a plan's next due date
	timerDelivery                        // a webhook delivery is tried again
	timerIdempotencyKey                  // a remembered answer expires
)

var timerNames = [...]string{"", "kyb", "payment-process", "payment-settle", "daily-batch", "bank-return", "refund", "plan-occurrence", "delivery", "idempotency-key"}

// Due is something that a world waits for.
type Due struct {
	// At is when, in nanoseconds since 1970 UTC of virtual time, Name what, as the tape
	// calls the timer, and Entity whom it is about.
	At     int64
	Name   string
	Entity uuid.UUID
}

// Due lists what is waited for, what comes first before what comes later. One whose
// reason has gone when its time comes leaves no trace.
func (w *World) Due(limit int) []Due {
	list := []Due{}
	for _, t := range w.core.Next(limit) {
		list = append(list, Due{At: t.Due, Name: timerNames[t.Kind], Entity: t.ID})
	}
	return list
}

// fire does what the timer was set for, and says whether that still meant
// anything.
func (w *World) fire(t kernel.Timer) bool {
	switch t.Kind {
	case timerKYB:
		return w.finishKYB(t)
	case timerPaymentProcess:
		return w.processTimer(t)
	case timerPaymentPay:
		return w.settleTimer(t)
	case timerPaymentBatch:
		return w.batchTimer(t)
	case timerPaymentReturn:
		return w.returnTimer(t)
	case timerRefund:
		return w.refundTimer(t)
	case timerPlanOccurrence:
		return w.occurrenceTimer(t)
	case timerDelivery:
		return w.hooks.Fire(t)
	case timerIdempotencyKey:
		return w.keyTimer(t)
	default:
		panic("world: no such timer")
	}
}

package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// What rows refer to.
const (
	toCompany = iota
	toLocation
	toPayer
	toDebit
	toCard
	toPayment
	toRefund
	toAttachment
	toTerminal
	toPlan
	toConsent
)

// Pack lists everything that lasts from input to input: texts before the rows that
// refer to them. A world that is read has to be one that New has just made; what it
// was made from stays, but for its seed and its secret.
func (w *World) Pack(k *kernel.Codec) {
	w.core.Pack(k)
	k.Str(&w.base)
	w.texts.Pack(k)
	w.tokens.Pack(k)
	w.tables.Pack(k)
	w.hooks.Pack(k)
	if k.Reading() && k.Sound() {
		w.checkTimers(k)
	}
}

// Pack lists the tables.
func (t *tables) Pack(k *kernel.Codec) {
	t.companies.Pack(k)
	kernel.PackTable(k, &t.locations, func(row *location) uuid.UUID { return row.id })
	t.payers.Pack(k)
	t.cards.Pack(k)
	t.payments.Pack(k)
	t.refunds.Pack(k)
	t.attachments.Pack(k)
	kernel.PackTable(k, &t.terminal, func(row *cardPayment) uuid.UUID { return row.id })
	t.plans.Pack(k)
	t.consents.Pack(k)
	t.keys.Pack(k)
	for kind, rows := range [...]uint32{
		toCompany: t.companies.Len(), toLocation: t.locations.Len(), toPayer: t.payers.Len(), toDebit: t.payers.debits.Len(),
		toCard: t.cards.Len(), toPayment: t.payments.Len(), toRefund: t.refunds.Len(), toAttachment: t.attachments.Len(),
		toTerminal: t.terminal.Len(), toPlan: t.plans.Len(), toConsent: t.consents.Len(),
	} {
		k.Bound(kind, rows)
	}
}

// checkTimers refuses a timer of something that is not there.
func (w *World) checkTimers(k *kernel.Codec) {
	for t := range w.core.Timers {
		var n uint32
		switch t.Kind {
		case timerKYB:
			_, n = w.companies.Find(t.ID)
		case timerPaymentProcess, timerPaymentPay, timerPaymentBatch, timerPaymentReturn:
			_, n = w.payments.Find(t.ID)
		case timerRefund:
			_, n = w.refunds.Find(t.ID)
		case timerPlanOccurrence:
			_, n = w.plans.Find(t.ID)
		default:
			n = 1 // what has gone needs no timer, and its timer leaves no trace
		}
		k.Require(n != 0, "a timer of something that is there")
	}
}

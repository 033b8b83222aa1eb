package world

import "github.com/google/uuid"

// The states of an external card payment.
const (
	CardPaymentPending State = iota + 1
	CardPaymentSucceeded
	CardPaymentFailed
	CardPaymentCancelled
	CardPaymentRefunded
)

// CardPaymentMachine moves a card payment that was made on an external
// terminal. It begins in the status that the caller names.
// latitude.md, card-payment-status.
var CardPaymentMachine = Machine{
	Name:   "card-payment",
	States: []string{"", "Pending", "Succeeded", "Failed", "Cancelled", "Refunded"},
	Moves: []Move{
		{"create", 0, CardPaymentPending, ""},
		{"succeed", 0, CardPaymentSucceeded, ""},
		{"fail", 0, CardPaymentFailed, ""},
		{"cancel", 0, CardPaymentCancelled, ""},
		{"refund", 0, CardPaymentRefunded, ""},
		{"succeed", CardPaymentPending, CardPaymentSucceeded, ""},
		{"fail", CardPaymentPending, CardPaymentFailed, ""},
		{"cancel", CardPaymentPending, CardPaymentCancelled, ""},
		{"refund", CardPaymentSucceeded, CardPaymentRefunded, ""},
	},
}

// cardPayment is the row of a card payment made on an external terminal.
type cardPayment struct {
	id      uuid.UUID
	amount  int64
	created int64
	texts   text
	company uint32
	state   State
}

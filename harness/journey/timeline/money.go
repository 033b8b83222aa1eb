package timeline

import (
	"fmt"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Books are the money that has been collected, as the tape tells it.
type Books struct {
	// Collected is by payment, in cents; what the bank took back is gone.
	Collected map[string]int64
	// Whose are the payers of the payments.
	Whose map[string]string
	// Given is what refunds have given back, by payment, asked what the calls asked for.
	Given map[string]int64
	asked map[uint64]refundAsked
	// refunds are the payments by the ids of their refunds.
	refunds map[string]refundAsked
}

// refundAsked is a call for a refund.
type refundAsked struct {
	payment string
	amount  int64
}

// NewBooks opens empty ones.
func NewBooks() *Books {
	return &Books{
		Collected: map[string]int64{}, Whose: map[string]string{}, asked: map[uint64]refundAsked{},
		Given: map[string]int64{}, refunds: map[string]refundAsked{},
	}
}

// Take reads an entry and says whether money moved.
func (b *Books) Take(e *tape.Entry) bool {
	switch {
	case e.Event != nil:
		return b.event(e)
	case e.Transition != nil && e.Transition.Machine == "refund":
		return b.refund(e)
	case e.Exchange != nil && trail.OperationOf(e.Exchange).Refunds && e.Exchange.Response.Status == 200:
		c := trail.CallOf(e)
		for i := len(e.Entities) - 1; i >= 0; i-- {
			b.asked[e.Seq] = refundAsked{e.Entities[i], c.Sent().Cents("amount")}
		}
	}
	return false
}

// event books what a payment's event tells.
func (b *Books) event(e *tape.Entry) bool {
	data := trail.ReadBody(e.Event.Body).Object("Data")
	id, amount := data.Text("PaymentId"), data.Cents("Amount")
	if id == "" || amount < 0 {
		return false
	}
	b.Whose[id] = data.Text("RegistrationId")
	switch before := b.Collected[id]; {
	case data.Text("Status") == "Paid" && before == 0:
		b.Collected[id] = amount
	case data.Text("Status") == "Failed" && before > 0:
		delete(b.Collected, id)
	default:
		return false
	}
	return true
}

// refund books a refund when it arrives.
func (b *Books) refund(e *tape.Entry) bool {
	t := e.Transition
	if t.From == "" {
		b.refunds[t.Entity] = b.asked[e.Cause]
		return false
	}
	r := b.refunds[t.Entity]
	if t.To != "Completed" || r.amount == 0 {
		return false
	}
	b.Given[r.payment] += r.amount
	return true
}

// Sum is what has been collected less what was given back, in cents, of the
// payers that are wanted.
func (b *Books) Sum(wanted func(payer string) bool) int64 {
	var n int64
	for id, amount := range b.Collected {
		if wanted(b.Whose[id]) {
			n += amount - b.Given[id]
		}
	}
	return n
}

// Times counts the payments of an amount that a payer has made.
func (b *Books) Times(payer string, amount int64) int {
	n := 0
	for id, a := range b.Collected {
		if b.Whose[id] == payer && a == amount {
			n++
		}
	}
	return n
}

// Amount writes an amount as 50.00.
func Amount(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

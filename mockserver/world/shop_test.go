package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// shop is a world with a company, its location and a registered payer.
type shop struct {
	*world.World
	company, location, payer string
}

// newShop makes one whose payer has linked the bank.
func newShop(t *testing.T, bank world.LinkedBank, choices ...latitude.Choice) *shop {
	t.Helper()
	w := payerWorld(choices...)
	x := &shop{World: w}
	x.company, x.location = payerCompany(t, w, "loc-001")
	x.payer = register(t, w, func(r *world.NewRegistration) { r.MobileNumber, r.Email = "+12025551234", "pat@example.com" })
	_, err := w.CompleteRegistration(x.payer, bank, "")
	require.NoError(t, err)
	w.Take()
	return x
}

// pay creates a payment of 50.00 for the payer with what is changed.
func (x *shop) pay(t *testing.T, change func(r *world.NewPayment)) string {
	t.Helper()
	req := world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer}
	if change != nil {
		change(&req)
	}
	made, err := x.CreatePayment(&req)
	require.NoError(t, err)
	return made.PaymentRequestID
}

// move takes a step of a payment that must be legal.
func (x *shop) move(t *testing.T, id, event string) {
	t.Helper()
	require.NoError(t, x.MovePayment(id, event, world.PaymentMove{}))
}

// state is a payment's state.
func (x *shop) state(t *testing.T, id string) string {
	t.Helper()
	s, err := x.PaymentStatus(id)
	require.NoError(t, err)
	return s.Status
}

// paid creates a payment that has become Paid.
func (x *shop) paid(t *testing.T, change func(r *world.NewPayment)) string {
	t.Helper()
	id := x.pay(t, change)
	x.move(t, id, "approve")
	x.move(t, id, "pay")
	return id
}

// authorise lets the company debit the payer up to the limit.
func (x *shop) authorise(t *testing.T, limit int64) {
	t.Helper()
	x.Take()
	require.NoError(t, x.RequestDebitAuth(x.payer, &world.DebitAuthRequest{CompanyID: x.company, Enabled: ptr(true), Limit: &limit}))
	x.accept(t, lastPart(linkOf(messages(x.World)[0])))
}

// accept is the payer's yes to a debit authorisation.
func (x *shop) accept(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, x.AnswerDebitAuth(id, true))
	x.Take()
}

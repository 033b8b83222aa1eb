package world_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestCreatePaymentAsksThePayer(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	made, err := x.CreatePayment(&world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer, Purpose: world.Purpose{ShortDescription: "Membership"}})
	require.NoError(t, err)
	require.Equal(t, "*1111", *made.AccountMask)
	require.Equal(t, x.payer, made.RegistrationPersonID)
	require.Equal(t, payerBase+"/pay/"+made.PaymentRequestID, made.URL)
	sent := messages(x.World)
	require.Len(t, sent, 2)
	for i, to := range []string{"+12025551234", "pat@example.com"} {
		require.Equal(t, to, sent[i].To)
		require.Equal(t, "payment-request", sent[i].Template)
		require.Equal(t, made.URL, linkOf(sent[i]))
	}
	require.Equal(t, "Pending", x.state(t, made.PaymentRequestID))
}

func TestCreatePaymentWithoutRegistration(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	first, err := x.CreatePayment(&world.NewPayment{Amount: ptr(int64(1)), ContactNumber: "(202) 555-0188"})
	require.NoError(t, err)
	require.Nil(t, first.AccountMask)
	sent := messages(x.World)
	require.Len(t, sent, 1)
	require.Equal(t, "+12025550188", sent[0].To)
	second, err := x.CreatePayment(&world.NewPayment{Amount: ptr(int64(1)), ContactNumber: "+12025550188", EmailAddress: "sam@example.com"})
	require.NoError(t, err)
	require.Equal(t, first.RegistrationPersonID, second.RegistrationPersonID, "the same number is the same payer")
	require.Len(t, messages(x.World), 2)
	third, err := x.CreatePayment(&world.NewPayment{Amount: ptr(int64(1)), RegistrationID: first.RegistrationPersonID})
	require.NoError(t, err)
	require.Equal(t, first.RegistrationPersonID, third.RegistrationPersonID)
	require.Len(t, messages(x.World), 2, "by both contacts that are known by now")
}

func TestRequestsContactsComeBeforeTheRegistrations(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	x.pay(t, func(r *world.NewPayment) { r.ContactNumber = "202-555-0142" })
	sent := messages(x.World)
	require.Equal(t, []string{"+12025550142", "pat@example.com"}, []string{sent[0].To, sent[1].To})
	x.pay(t, func(r *world.NewPayment) { r.EmailAddress = "bounce@example.com" })
	sent = messages(x.World)
	require.Equal(t, "+12025551234", sent[0].To)
	require.False(t, sent[0].Bounced)
	require.Equal(t, "bounce@example.com", sent[1].To)
	require.True(t, sent[1].Bounced)
}

func TestAutoDebit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		amount int64
		choice latitude.Choice
		want   string
	}{
		{"covered", 5000, latitude.AutoDebitApproves, "Processing"},
		{"over the limit", 5001, latitude.AutoDebitApproves, "Pending"},
		{"ask anyway", 5000, latitude.AutoDebitAsks, "Pending"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := newShop(t, goodBank(t), tt.choice)
			x.authorise(t, 5000)
			id := x.pay(t, func(r *world.NewPayment) { r.Amount = &tt.amount })
			require.Equal(t, tt.want, x.state(t, id))
			require.Equal(t, tt.want == "Pending", len(messages(x.World)) > 0, "who pays by himself is not asked")
		})
	}
}

func TestAutoDebitOfALaterDay(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	x.authorise(t, 5000)
	id := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-02-01" })
	require.Equal(t, "Scheduled", x.state(t, id))
}

func TestEnableDebitAuthAsksForIt(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	x.pay(t, func(r *world.NewPayment) { r.EnableAutoPay, r.AutoPayLimit = ptr(true), ptr(int64(7000)) })
	var asked []kernel.Message
	for _, m := range messages(x.World) {
		if m.Template == "debit-authorisation-request" {
			asked = append(asked, m)
		}
	}
	require.Len(t, asked, 2)
	x.accept(t, lastPart(linkOf(asked[0])))
	require.Equal(t, world.DebitAuth{Enabled: true, Limit: 7000}, readDebit(t, x.World, x.payer, x.company))
	x.pay(t, func(r *world.NewPayment) { r.EnableDebitAuth, r.DebitAuthLimit = ptr(true), ptr(int64(6000)) })
	require.Empty(t, messages(x.World), "an authorisation that is in force already is not asked for again")
}

// body is the Data of a payment event.
type body struct {
	Live  bool
	Event string
	Data  struct {
		PaymentID           string `json:"PaymentId"`
		RegistrationID      string `json:"RegistrationId"`
		Amount              json.RawMessage
		Currency, Status    string
		Timestamp           string
		AccountNumberMasked *string
	}
}

// events are the payment events since the last input.
func (x *shop) events(t *testing.T) []body {
	t.Helper()
	var list []body
	records, _ := x.Take()
	for _, r := range records {
		if r.Kind != kernel.RecordEvent {
			continue
		}
		var b body
		require.NoError(t, json.Unmarshal(r.Body, &b))
		require.Equal(t, world.EventPaymentStatus, r.Name)
		require.Equal(t, r.Entity.String(), b.Data.PaymentID)
		list = append(list, b)
	}
	return list
}

func TestPaymentEvent(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.pay(t, nil)
	require.Empty(t, x.events(t), "the creation has no event")
	x.move(t, id, "approve")
	got := x.events(t)
	require.Len(t, got, 1)
	require.Equal(t, "PAYMENT_STATUS_CHANGED", got[0].Event)
	require.False(t, got[0].Live)
	require.Equal(t, id, got[0].Data.PaymentID)
	require.Equal(t, x.payer, got[0].Data.RegistrationID)
	require.JSONEq(t, `5000`, string(got[0].Data.Amount))
	require.Equal(t, "USD", got[0].Data.Currency)
	require.Equal(t, "Processing", got[0].Data.Status)
	require.Equal(t, "2026-01-05T15:04:05Z", got[0].Data.Timestamp)
	require.Equal(t, "*1111", *got[0].Data.AccountNumberMasked)
}

func TestPaymentEventVariants(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t), latitude.PaymentEventAmountText)
	id := x.pay(t, func(r *world.NewPayment) { r.RegistrationID, r.ContactNumber = "", "+12025550111" })
	x.move(t, id, "deny")
	got := x.events(t)
	require.Len(t, got, 1)
	require.JSONEq(t, `"5000"`, string(got[0].Data.Amount))
	require.Nil(t, got[0].Data.AccountNumberMasked)
	require.Equal(t, "Denied", got[0].Data.Status)
}

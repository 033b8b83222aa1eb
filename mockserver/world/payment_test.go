package world_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// till is a world with a company, its location and a registered payer.
type till struct {
	*world.World
	company, location, payer string
}

// newTill makes one whose payer has linked the bank.
func newTill(t *testing.T, bank world.LinkedBank, choices ...latitude.Choice) *till {
	t.Helper()
	w := payerWorld(choices...)
	x := &till{World: w}
	x.company, x.location = payerCompany(t, w, "loc-001")
	x.payer = register(t, w, func(r *world.NewRegistration) { r.MobileNumber, r.Email = "+12025551234", "pat@example.com" })
	_, err := w.CompleteRegistration(x.payer, bank, "")
	require.NoError(t, err)
	w.Take()
	return x
}

// pay creates a payment of 50.00 for the payer with what is changed.
func (x *till) pay(t *testing.T, change func(r *world.NewPayment)) string {
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
func (x *till) move(t *testing.T, id, event string) {
	t.Helper()
	require.NoError(t, x.MovePayment(id, event, world.PaymentEvent{}))
}

// state is a payment's state.
func (x *till) state(t *testing.T, id string) string {
	t.Helper()
	s, err := x.PaymentStatus(id)
	require.NoError(t, err)
	return s.Status
}

// paid creates a payment that has become Paid.
func (x *till) paid(t *testing.T, change func(r *world.NewPayment)) string {
	t.Helper()
	id := x.pay(t, change)
	x.move(t, id, "approve")
	x.move(t, id, "pay")
	return id
}

// authorise lets the company debit the payer up to the limit.
func (x *till) authorise(t *testing.T, limit int64) {
	t.Helper()
	x.Take()
	require.NoError(t, x.RequestDebitAuth(x.payer, &world.DebitAuthRequest{CompanyID: x.company, Enabled: ptr(true), Limit: &limit}))
	x.accept(t, lastPart(linkOf(messages(x.World)[0])))
}

// accept is the payer's yes to a debit authorisation.
func (x *till) accept(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, x.AnswerDebitAuth(id, true))
	x.Take()
}

func TestCreatePaymentAsksThePayer(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	made, err := x.CreatePayment(&world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer, ShortDescription: "Membership"})
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
	x := newTill(t, goodBank(t))
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
	x := newTill(t, goodBank(t))
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
			x := newTill(t, goodBank(t), tt.choice)
			x.authorise(t, 5000)
			id := x.pay(t, func(r *world.NewPayment) { r.Amount = &tt.amount })
			require.Equal(t, tt.want, x.state(t, id))
			require.Equal(t, tt.want == "Pending", len(messages(x.World)) > 0, "who pays by himself is not asked")
		})
	}
}

func TestAutoDebitOfALaterDay(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	x.authorise(t, 5000)
	id := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-02-01" })
	require.Equal(t, "Scheduled", x.state(t, id))
}

func TestEnableDebitAuthAsksForIt(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	x.pay(t, func(r *world.NewPayment) { r.EnableAutoPay, r.AutoPayLimit = ptr(true), ptr(int64(7000)) })
	var asked []world.Message
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
func (x *till) events(t *testing.T) []body {
	t.Helper()
	var list []body
	records, _ := x.Take()
	for _, r := range records {
		if r.Kind != world.RecordEvent {
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
	x := newTill(t, goodBank(t))
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
	x := newTill(t, goodBank(t), latitude.PaymentEventAmountText)
	id := x.pay(t, func(r *world.NewPayment) { r.RegistrationID, r.ContactNumber = "", "+12025550111" })
	x.move(t, id, "deny")
	got := x.events(t)
	require.Len(t, got, 1)
	require.JSONEq(t, `"5000"`, string(got[0].Data.Amount))
	require.Nil(t, got[0].Data.AccountNumberMasked)
	require.Equal(t, "Denied", got[0].Data.Status)
}

func TestPaymentStatus(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-03-31" })
	got, err := x.PaymentStatus(id)
	require.NoError(t, err)
	require.Equal(t, world.PaymentStatus{
		ID: id, Status: "Pending", Amount: world.Money{Value: 5000, Currency: "USD"},
		CreationDate: "2026-01-05T15:04:05Z", DueDate: ptr("2026-03-31T00:00:00Z"),
	}, got)
	for _, unknown := range []string{unknownPayer, "x", ""} {
		_, err = x.PaymentStatus(unknown)
		require.Equal(t, world.NotFound, codeOf(t, err))
	}
	auth, _ := cardAuth(t, x.World)
	got, err = x.PaymentStatus(auth)
	require.NoError(t, err)
	require.Equal(t, "Pending", got.Status)
	require.Nil(t, got.DueDate)
}

func TestPaymentDetails(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) {
		r.EnableDebitAuth, r.DebitAuthLimit, r.Attachment = ptr(true), ptr(int64(9000)), "JVBERi0xLjQK"
	})
	got, err := x.PaymentDetails(id)
	require.NoError(t, err)
	require.Equal(t, id, got.ExternalPaymentRequestID)
	require.Equal(t, world.Money{Value: 5000, Currency: "USD"}, got.Amount)
	require.Equal(t, "Fit Gym", got.RecipientName)
	require.Equal(t, "Oakland", got.RecipientAddress.City)
	require.Equal(t, "US", got.RecipientAddress.Country)
	require.Equal(t, "loc-001@example.com", got.EmailAddress)
	require.Equal(t, "+12025550123", *got.ContactPhoneNumber)
	require.Equal(t, "PaymentRequest", got.PaymentType)
	require.Nil(t, got.TransferID)
	require.Nil(t, got.TransferStatus)
	require.Nil(t, got.CoveredFee)
	require.Nil(t, got.DueDate)
	require.Equal(t, int64(9000), got.DebitAuth.Limit)
	require.Len(t, got.Attachments, 1)
	require.Equal(t, "application/pdf", got.Attachments[0].ContentType)
	x.move(t, id, "approve")
	got, err = x.PaymentDetails(id)
	require.NoError(t, err)
	require.Equal(t, id, *got.TransferID)
	require.Equal(t, "Processed", *got.TransferStatus)
	_, err = x.PaymentDetails(unknownPayer)
	require.Equal(t, world.NotFound, codeOf(t, err))
}

func TestPaymentView(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) {
		r.ShortDescription, r.Reference, r.Metadata, r.FeePayer = "Membership", "inv-1", `{"a": 1}`, "ASK"
		r.ReturnURL, r.OneTimePayment, r.LocationID, r.DueDate = "https://p.example.com/x", ptr(true), x.location, "2026-03-31"
	})
	v, err := x.PaymentView(id)
	require.NoError(t, err)
	require.Equal(t, world.PaymentView{
		ID: id, Status: "Pending", Kind: "PaymentRequest", Legal: []string{"approve", "schedule", "queue", "review", "deny", "cancel"},
		CompanyID: x.company, CompanyName: "Fit Gym", RegistrationID: x.payer, Registered: true,
		Phone: "+12025551234", Email: "pat@example.com", ShortDescription: "Membership", Reference: "inv-1", FeePayer: "ask",
		Metadata: `{"a": 1}`, ReturnURL: "https://p.example.com/x", OneTime: true, Amount: 5000,
		Created: payerStart.UnixNano(), Due: time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC), AccountMask: ptr("*1111"),
		Attachments: []world.AttachmentInfo{},
	}, v)
	_, err = x.PaymentView("x")
	require.Equal(t, world.NotFound, codeOf(t, err))
}

func TestCompanyPayments(t *testing.T) {
	t.Parallel()
	x := newTill(t, goodBank(t))
	payerCompany(t, x.World, "loc-002")
	var ids []string
	for range 5 {
		ids = append(ids, x.pay(t, nil))
		x.pay(t, func(r *world.NewPayment) { r.CompanyReferenceID = "loc-002" })
	}
	var got []string
	after := ""
	for {
		list, err := x.CompanyPayments("loc-001", after, 2)
		require.NoError(t, err)
		if len(list) == 0 {
			break
		}
		for _, v := range list {
			got = append(got, v.ID)
			after = v.ID
		}
	}
	require.Equal(t, ids, got)
	all, err := x.CompanyPayments(x.company, "", 0)
	require.NoError(t, err)
	require.Len(t, all, 5)
	_, err = x.CompanyPayments("loc-002", ids[0], 2)
	require.Equal(t, world.NotFound, codeOf(t, err))
	_, err = x.CompanyPayments("loc-003", "", 2)
	require.Equal(t, world.NotFound, codeOf(t, err))
	_, err = x.CompanyPayments("loc-001", "x", 2)
	require.Equal(t, world.NotFound, codeOf(t, err))
}

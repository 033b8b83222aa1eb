package world_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

func TestPaymentStatus(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-03-31" })
	got, err := x.PaymentStatus(id)
	require.NoError(t, err)
	require.Equal(t, world.PaymentStatus{
		ID: id, Status: "Pending", Amount: world.Money{Value: 5000, Currency: "USD"},
		CreationDate: "2026-01-05T15:04:05Z", DueDate: ptr("2026-03-31T00:00:00Z"),
	}, got)
	for _, unknown := range []string{unknownPayer, "x", ""} {
		_, err = x.PaymentStatus(unknown)
		require.Equal(t, kernel.NotFound, codeOf(t, err))
	}
	auth, _ := cardAuth(t, x.World)
	got, err = x.PaymentStatus(auth)
	require.NoError(t, err)
	require.Equal(t, "Pending", got.Status)
	require.Nil(t, got.DueDate)
}

func TestPaymentDetails(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
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
	require.Equal(t, "office@fitgym.example.com", got.EmailAddress)
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
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestPaymentView(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) {
		r.ShortDescription, r.Reference, r.Metadata, r.FeePayer = "Membership", "inv-1", `{"a": 1}`, "ASK"
		r.ReturnURL, r.OneTimePayment, r.LocationID, r.DueDate = "https://p.example.com/x", ptr(true), x.location, "2026-03-31"
	})
	v, err := x.PaymentView(id)
	require.NoError(t, err)
	require.Equal(t, world.PaymentView{
		ID: id, Status: "Pending", Kind: "PaymentRequest", Legal: []string{"approve", "schedule", "queue", "review", "deny", "cancel"},
		CompanyID: x.company, CompanyName: "Fit Gym", RegistrationID: x.payer, Registered: true,
		Phone: "+12025551234", Email: "pat@example.com", Purpose: world.Purpose{ShortDescription: "Membership", Reference: "inv-1", Metadata: `{"a": 1}`},
		FeePayer: "ask", ReturnURL: "https://p.example.com/x", OneTime: true, Amount: 5000,
		Created: payerStart.UnixNano(), Due: time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC), AccountMask: ptr("*1111"),
		Attachments: []world.AttachmentInfo{},
	}, v)
	_, err = x.PaymentView("x")
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestCompanyPayments(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	payerCompany(t, x.World, "loc-002")
	var ids []string
	for range 5 {
		ids = append(ids, x.pay(t, nil))
		x.pay(t, func(r *world.NewPayment) { r.CompanyReferenceID = "loc-002" })
	}
	var got []string
	before := ""
	for {
		list, err := x.CompanyPayments("loc-001", "", before, 2)
		require.NoError(t, err)
		if len(list) == 0 {
			break
		}
		for _, v := range list {
			got = append(got, v.ID)
			before = v.ID
		}
	}
	slices.Reverse(got)
	require.Equal(t, ids, got, "newest first")
	all, err := x.CompanyPayments(x.company, "", "", 0)
	require.NoError(t, err)
	require.Len(t, all, 5)
	require.NoError(t, x.MovePayment(ids[1], "deny", world.PaymentMove{}))
	require.NoError(t, x.MovePayment(ids[3], "deny", world.PaymentMove{}))
	denied, err := x.CompanyPayments(x.company, "Denied", "", 1)
	require.NoError(t, err)
	require.Equal(t, ids[3], denied[0].ID)
	denied, err = x.CompanyPayments(x.company, "Denied", ids[3], 0)
	require.NoError(t, err)
	require.Len(t, denied, 1)
	require.Equal(t, ids[1], denied[0].ID)
	_, err = x.CompanyPayments("loc-002", "", ids[0], 2)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	_, err = x.CompanyPayments("loc-003", "", "", 2)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	_, err = x.CompanyPayments("loc-001", "", "x", 2)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

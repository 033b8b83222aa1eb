package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// terminal is the body of an external card payment with what is changed.
func terminal(change func(r *world.NewCardPayment)) *world.NewCardPayment {
	req := world.NewCardPayment{
		Amount: ptr(int64(7500)), MobileNumber: "+12025550177", CardType: "Visa", TransactionStatus: "Succeeded", MerchantID: "loc-001",
	}
	if change != nil {
		change(&req)
	}
	return &req
}

func TestRegisterCardPayment(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	require.NoError(t, x.RegisterCardPayment(terminal(func(r *world.NewCardPayment) {
		r.Email, r.PatientReferenceNumber = "pat@example.com", "P-1"
	})))
	require.Empty(t, x.Advisories())
	sent := messages(x.World)
	require.Len(t, sent, 2)
	require.Equal(t, []string{"sms", "+12025550177", "card-payment"}, []string{sent[0].Channel, sent[0].To, sent[0].Template})
	require.Equal(t, []string{"email", "pat@example.com"}, []string{sent[1].Channel, sent[1].To})
	list := terminals(x.World)
	require.Len(t, list, 1)
	require.Equal(t, world.Entity{
		Kind: "card-payment", Machine: "card-payment", ID: list[0].ID, Status: "Succeeded", Summary: list[0].Summary,
		Legal: []string{"refund"}, Amount: ptr(int64(7500)), Created: payerStart.UnixNano(),
		Relations: []world.EntityRelation{{Relation: "company", Kind: "company", ID: x.company}}, Facts: list[0].Facts,
	}, list[0])
	for name, value := range map[string]string{
		"mobileNumber": "+12025550177", "cardType": "Visa", "merchantId": "loc-001", "email": "pat@example.com", "patientReferenceNumber": "P-1",
	} {
		require.Contains(t, list[0].Facts, world.EntityFact{Name: name, Value: value})
	}
}

// terminals are the card payments of a world, oldest first.
func terminals(w *world.World) []world.Entity {
	const many = 1000
	list := w.SearchEntities(world.EntitySearch{Kind: "card-payment", Limit: many, Rows: many}).Found
	slices.Reverse(list)
	return list
}

// companyOf is the company of the newest card payment, "" for none.
func companyOf(w *world.World) string {
	list := terminals(w)
	for _, r := range list[len(list)-1].Relations {
		if r.Relation == "company" {
			return r.ID
		}
	}
	return ""
}

func TestCardPaymentBeginsInEveryStatus(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for given, want := range map[string]string{
		"Pending": "Pending", "Succeeded": "Succeeded", "Failed": "Failed", "Cancelled": "Cancelled", "Refunded": "Refunded", "succeeded": "Succeeded",
	} {
		require.NoError(t, x.RegisterCardPayment(terminal(func(r *world.NewCardPayment) { r.TransactionStatus = given })))
		list := terminals(x.World)
		require.Equal(t, want, list[len(list)-1].Status)
		require.Len(t, messages(x.World), 1, "without e-mail an SMS alone")
	}
}

func TestCardPaymentMerchant(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for merchant, want := range map[string]string{"loc-001": x.company, x.company: x.company, "M-77": "", unknownPayer: ""} {
		require.NoError(t, x.RegisterCardPayment(terminal(func(r *world.NewCardPayment) { r.MerchantID = merchant })))
		require.Equal(t, want, companyOf(x.World), merchant)
	}
}

func TestCardPaymentRules(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for name, tt := range map[string]struct {
		change func(r *world.NewCardPayment)
		want   []string
	}{
		"no amount":      {func(r *world.NewCardPayment) { r.Amount = nil }, []string{"/amount"}},
		"zero":           {func(r *world.NewCardPayment) { r.Amount = ptr(int64(0)) }, []string{"/amount"}},
		"no number":      {func(r *world.NewCardPayment) { r.MobileNumber = "" }, []string{"/mobileNumber"}},
		"no E.164":       {func(r *world.NewCardPayment) { r.MobileNumber = "2025550177" }, []string{"/mobileNumber"}},
		"sixteen digits": {func(r *world.NewCardPayment) { r.MobileNumber = "+1234567890123456" }, []string{"/mobileNumber"}},
	} {
		require.Equal(t, tt.want, pointers(t, x.RegisterCardPayment(terminal(tt.change))), name)
	}
	require.Empty(t, terminals(x.World))
	for name, tt := range map[string]struct {
		change func(r *world.NewCardPayment)
		want   string
	}{
		"status":   {func(r *world.NewCardPayment) { r.TransactionStatus = "Done" }, "/transactionStatus"},
		"none":     {func(r *world.NewCardPayment) { r.TransactionStatus = "" }, "/transactionStatus"},
		"card":     {func(r *world.NewCardPayment) { r.CardType = "" }, "/cardType"},
		"merchant": {func(r *world.NewCardPayment) { r.MerchantID = "" }, "/merchantId"},
		"e-mail":   {func(r *world.NewCardPayment) { r.Email = "pat" }, "/email"},
	} {
		y := newShop(t, goodBank(t))
		require.NoError(t, y.RegisterCardPayment(terminal(tt.change)), name)
		require.Len(t, y.Advisories(), 1, name)
		require.Equal(t, tt.want, y.Advisories()[0].Pointer, name)
		require.Len(t, messages(y.World), 1, name)
	}
}

func TestCardPaymentV049(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	second, _ := payerCompany(t, x.World, "loc-002")
	for name, tt := range map[string]struct {
		merchant, id, reference, want string
	}{
		"default":   {"", "", "", x.company},
		"id":        {"", second, "", second},
		"reference": {"", "", "loc-002", second},
		"merchant":  {"loc-002", "", "", second},
	} {
		require.NoError(t, x.RegisterCardPaymentV049(&world.CardPaymentV049{
			NewCardPayment: *terminal(func(r *world.NewCardPayment) { r.MerchantID = tt.merchant }),
			CompanyID:      tt.id, CompanyReferenceID: tt.reference,
		}), name)
		require.Equal(t, tt.want, companyOf(x.World), name)
	}
	err := x.RegisterCardPaymentV049(&world.CardPaymentV049{
		NewCardPayment: *terminal(func(r *world.NewCardPayment) { r.MerchantID = "" }), CompanyID: second, CompanyReferenceID: "loc-001",
	})
	require.Equal(t, []string{"/companyReferenceId"}, pointers(t, err))
}

func TestCardPaymentMachine(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	m := &world.CardPaymentMachine
	everyStep(t, m, m.Events(), func(from string) (*world.World, func(string) error, func() string) {
		require.NoError(t, x.RegisterCardPayment(terminal(func(r *world.NewCardPayment) { r.TransactionStatus = from })))
		made := func() world.Entity { list := terminals(x.World); return list[len(list)-1] }
		return x.World, func(event string) error { return x.MoveCardPayment(made().ID, event) }, func() string { return made().Status }
	})
	require.Equal(t, kernel.NotFound, codeOf(t, x.MoveCardPayment("x", "fail")))
	require.Equal(t, kernel.NotFound, codeOf(t, x.MoveCardPayment(unknownPayer, "fail")))
}

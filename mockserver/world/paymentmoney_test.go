package world_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// accounts are one of each behaviour.
var accounts = []string{"000000001111", "000000010001", "000000110016", "000000210010", "000000310007", "000000002222", "000000003333"}

// TestMoney lets anything happen to a payment and holds what must always be
// true of money.
func TestMoney(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(r *rapid.T) {
		choices := []latitude.Choice{
			rapid.SampledFrom([]latitude.Choice{latitude.PaymentMachineLateReturn, latitude.PaymentMachineNoLateReturn}).Draw(r, "machine"),
			rapid.SampledFrom([]latitude.Choice{latitude.PaymentTimingSeconds, latitude.PaymentTimingSlow}).Draw(r, "timing"),
		}
		x := newShop(t, account(t, rapid.SampledFrom(accounts).Draw(r, "account")), choices...)
		amount := rapid.Int64Range(1, 100).Draw(r, "amount")
		id := x.pay(t, func(p *world.NewPayment) {
			p.Amount = &amount
			p.DueDate = rapid.SampledFrom([]string{"", "2026-01-04", "2026-01-06", "2026-01-12"}).Draw(r, "due")
		})
		b := book{x: x, id: id, amount: amount}
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			b.step(t, r)
			b.hold(t, r)
		}
		b.later += 200 * 24 * time.Hour
		x.Begin(world.Input{Now: payerStart.Add(b.later).UnixNano(), Base: payerBase})
		b.hold(t, r)
		require.Zero(r, x.PendingTimers())
	})
}

// book follows one payment.
type book struct {
	x      *shop
	id     string
	amount int64
	later  time.Duration
	states []string
}

func (b *book) step(t *testing.T, r *rapid.T) {
	t.Helper()
	switch rapid.IntRange(0, 3).Draw(r, "what") {
	case 0:
		b.later += time.Duration(rapid.Int64Range(0, int64(3*24*time.Hour)).Draw(r, "wait"))
		b.x.Begin(world.Input{Now: payerStart.Add(b.later).UnixNano(), Base: payerBase})
	case 1:
		event := rapid.SampledFrom(world.PaymentMachine.Events()).Draw(r, "event")
		_ = b.x.MovePayment(b.id, event, world.PaymentMove{}) // illegal moves are part of it
	case 2:
		amount := rapid.Int64Range(-1, 101).Draw(r, "refund")
		_ = b.x.RefundPayment(b.id, &world.NewRefund{Amount: &amount}) // so are refused refunds
	case 3:
		for _, refund := range b.x.refunds(t, b.id) {
			event := rapid.SampledFrom([]string{"complete", "fail", ""}).Draw(r, "end")
			_ = b.x.MoveRefund(refund.ID, event) // and refunds that have ended
		}
	}
}

// hold checks the payment's history and its sums.
func (b *book) hold(t *testing.T, r *rapid.T) {
	t.Helper()
	records, _ := b.x.Take()
	for _, rec := range records {
		if rec.Kind == kernel.RecordTransition && rec.Entity.String() == b.id {
			b.states = append(b.states, rec.To)
		}
	}
	v, err := b.x.PaymentView(b.id)
	require.NoError(r, err)
	require.Equal(r, v.Status, b.states[len(b.states)-1])
	seen := map[string]bool{}
	for _, s := range b.states {
		require.False(r, seen[s], "no state is entered twice: %v", b.states)
		require.False(r, seen["Canceled"] || seen["Denied"] || seen["Failed"], "nothing follows an end: %v", b.states)
		seen[s] = true
	}
	sum := int64(0)
	for _, refund := range b.x.refunds(t, b.id) {
		require.Positive(r, refund.Amount)
		if refund.Status != "Failed" {
			sum += refund.Amount
		}
	}
	require.Equal(r, sum, v.Refunded)
	require.LessOrEqual(r, sum, b.amount)
	require.True(r, sum == 0 || seen["Paid"], "nothing is given back that was never paid")
}

// TestPaymentMemory reports what a stored payment costs, all in.
func TestPaymentMemory(t *testing.T) { //nolint:paralleltest // it measures the heap
	const many = 100_000
	x := newShop(t, goodBank(t))
	before := heapNow()
	for i := range many {
		_, err := x.CreatePayment(typicalPayment(x, i))
		require.NoError(t, err)
		x.Take()
	}
	each := (heapNow() - before) / many
	t.Logf("%d bytes for each of %d payments", each, many)
	require.Less(t, each, int64(1024))
	require.NotEmpty(t, x.company)
}

// typicalPayment is a payment with the members that partners send.
func typicalPayment(x *shop, i int) *world.NewPayment {
	return &world.NewPayment{
		Amount: ptr(int64(5000)), LocationID: x.location, RegistrationID: x.payer, ContactNumber: "+12025551234", EmailAddress: "pat@example.com",
		FeePayer:  "client",
		Purpose:   world.Purpose{ShortDescription: "Membership, October", Reference: "invoice-" + strconv.Itoa(i), Metadata: `{"invoice":"1001"}`},
		ReturnURL: "https://partner.example.com/paid", OneTimePayment: ptr(true),
	}
}

func BenchmarkCreatePayment(b *testing.B) {
	x := benchShop(b)
	req := typicalPayment(x, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.CreatePayment(req); err != nil {
			b.Fatal(err)
		}
		x.Take()
	}
}

// BenchmarkPaymentToPaid is a payment from its creation to Paid.
func BenchmarkPaymentToPaid(b *testing.B) {
	x := benchShop(b)
	req := typicalPayment(x, 1)
	b.ReportAllocs()
	for b.Loop() {
		made, err := x.CreatePayment(req)
		if err != nil {
			b.Fatal(err)
		}
		for _, event := range [...]string{"approve", "pay"} {
			if err := x.MovePayment(made.PaymentRequestID, event, world.PaymentMove{}); err != nil {
				b.Fatal(err)
			}
		}
		x.Take()
		x.FireNext()
	}
}

func BenchmarkReportPage(b *testing.B) {
	x := benchShop(b)
	for i := range 1000 {
		if _, err := x.CreatePayment(typicalPayment(x, i)); err != nil {
			b.Fatal(err)
		}
		x.Take()
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.TransactionReport(world.ReportQuery{}); err != nil {
			b.Fatal(err)
		}
	}
}

// benchShop is a shop for benchmarks.
func benchShop(b *testing.B) *shop {
	b.Helper()
	x := &shop{World: payerWorld()}
	made, err := x.CreateCompany(goodCompany("loc-001"))
	if err != nil {
		b.Fatal(err)
	}
	user, err := x.RegisterUser(&world.NewRegistration{RedirectURL: "https://partner.example.com", MobileNumber: "+12025551234"})
	if err != nil {
		b.Fatal(err)
	}
	x.company, x.location, x.payer = made.CompanyID, made.LocationIDs[0], user.RegistrationID
	return x
}

package world_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// report gives the ids of a report page and the page.
func (x *shop) report(t *testing.T, q world.ReportQuery) ([]string, world.Report) {
	t.Helper()
	page, err := x.TransactionReport(q)
	require.NoError(t, err)
	ids := make([]string, 0, len(page.Transactions))
	for _, line := range page.Transactions {
		ids = append(ids, line.ExternalTransferID)
	}
	require.Equal(t, page.HasMore, page.NextCursor != nil)
	return ids, page
}

func TestReportLine(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	require.NoError(t, x.LinkCompanyBankOf("loc-001"))
	id := x.paid(t, func(r *world.NewPayment) { r.Reference, r.DueDate = "inv-1", "2026-01-05" })
	require.NoError(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(100))}))
	_, page := x.report(t, world.ReportQuery{})
	require.Equal(t, []world.Transaction{{
		ExternalTransferID: id, PaymentRequestID: &id, Status: "Completed", Amount: 5000, RefundedAmount: 100, Currency: "USD",
		CreationDate: "2026-01-05T15:04:05Z", DueDate: ptr("2026-01-05T00:00:00Z"), PaymentMethod: "BankAccount",
		SenderName: "+12025551234", SenderAccount: ptr("*1111"), RecipientName: "Fit Gym", RecipientAccount: ptr("*1111"),
		RecipientAddress: &world.Address{StreetNumberAndName: "415 Grand Ave", ApartmentNumber: "Suite 2", City: "Oakland", ZipCode: "94610", State: "CA", Country: "US"},
		Reference:        "inv-1",
	}}, page.Transactions)
	require.False(t, page.HasMore)
}

func TestReportOfCards(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	card := x.saveCard(t, fixtures.CardApproved)
	charged, err := x.ChargeSavedCard(&world.NewSavedCardCharge{Amount: ptr(int32(5000)), RegistrationID: x.payer, PaymentMethodID: card})
	require.NoError(t, err)
	require.NoError(t, x.RegisterCardPayment(terminal(func(r *world.NewCardPayment) { r.TransactionStatus = "Refunded" })))
	require.NoError(t, x.RegisterCardPayment(terminal(func(r *world.NewCardPayment) { r.MerchantID = "M-7" })))
	_, page := x.report(t, world.ReportQuery{})
	require.Len(t, page.Transactions, 3)
	require.Equal(t, charged.PaymentRequestID, *page.Transactions[0].PaymentRequestID)
	require.Equal(t, "SavedCard", page.Transactions[0].PaymentMethod)
	refunded, free := page.Transactions[1], page.Transactions[2]
	require.Nil(t, refunded.PaymentRequestID)
	require.Equal(t, "CardTerminal", refunded.PaymentMethod)
	require.Equal(t, "Completed", refunded.Status)
	require.Equal(t, int64(7500), refunded.RefundedAmount)
	require.Equal(t, "Fit Gym", refunded.RecipientName)
	require.Equal(t, "M-7", free.RecipientName)
	require.Nil(t, free.RecipientAddress)
	ids, _ := x.report(t, world.ReportQuery{CompanyID: x.company})
	require.Len(t, ids, 2, "a merchantId that names no company belongs to none")
	ids, _ = x.report(t, world.ReportQuery{Status: "Completed", From: "2026-01-05T15:04:05Z", To: "2026-01-05T15:04:06Z"})
	require.Equal(t, []string{charged.PaymentRequestID, refunded.ExternalTransferID, free.ExternalTransferID}, ids)
	ids, _ = x.report(t, world.ReportQuery{Status: "Failed"})
	require.Empty(t, ids)
}

func TestReportNamesTheCompanyOfEachLine(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	payerCompany(t, x.World, "loc-002")
	require.NoError(t, x.LinkCompanyBankOf("loc-002"))
	for _, reference := range []string{"loc-001", "loc-002", "loc-002", "loc-001"} {
		x.pay(t, func(r *world.NewPayment) { r.CompanyReferenceID = reference })
	}
	_, page := x.report(t, world.ReportQuery{})
	linked := make([]bool, 0, len(page.Transactions))
	for _, line := range page.Transactions {
		linked = append(linked, line.RecipientAccount != nil)
	}
	require.Equal(t, []bool{false, true, true, false}, linked)
}

func TestReportStatuses(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	want := map[string][]string{}
	for _, tt := range [][2]string{
		{"Pending", "Created"},
		{"Scheduled", "Pending"},
		{"Queued", "Pending"},
		{"InReview", "Pending"},
		{"Processing", "Processed"},
		{"Paid", "Completed"},
		{"Failed", "Failed"},
		{"Denied", "Cancelled"},
		{"Canceled", "Cancelled"},
	} {
		want[tt[1]] = append(want[tt[1]], x.inState(t, tt[0]))
	}
	require.Len(t, want, 6)
	for status, ids := range want {
		got, _ := x.report(t, world.ReportQuery{Status: status})
		require.Equal(t, ids, got, status)
	}
	got, _ := x.report(t, world.ReportQuery{Status: "cancelled"})
	require.Equal(t, want["Cancelled"], got)
}

func TestReportRange(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	var ids []string
	for hour := range 4 {
		payerInput(x.World, time.Duration(hour)*time.Hour)
		ids = append(ids, x.pay(t, nil))
	}
	for name, tt := range map[string]struct {
		from, to string
		want     []string
	}{
		"all":       {"", "", ids},
		"from":      {"2026-01-05T16:04:05Z", "", ids[1:]},
		"to":        {"", "2026-01-05T17:04:05Z", ids[:2]},
		"both":      {"2026-01-05T16:04:05Z", "2026-01-05T17:04:06+00:00", ids[1:3]},
		"zone":      {"2026-01-05T08:04:05-08:00", "", ids[1:]},
		"days":      {"2026-01-05", "2026-01-06", ids},
		"day after": {"2026-01-06", "", nil},
		"empty":     {"2026-01-05T16:04:05Z", "2026-01-05T16:04:05Z", nil},
	} {
		got, page := x.report(t, world.ReportQuery{From: tt.from, To: tt.to})
		require.ElementsMatch(t, tt.want, got, name)
		require.NotNil(t, page.Transactions, name)
	}
}

func TestReportRules(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for range 60 {
		x.pay(t, nil)
	}
	_, page := x.report(t, world.ReportQuery{})
	for name, tt := range map[string]struct {
		q    world.ReportQuery
		want []string
	}{
		"company":        {world.ReportQuery{CompanyID: "loc-001"}, []string{"query:companyId"}},
		"from":           {world.ReportQuery{From: "yesterday"}, []string{"query:from"}},
		"to":             {world.ReportQuery{To: "2026-13-01"}, []string{"query:to"}},
		"backwards":      {world.ReportQuery{From: "2026-02-01", To: "2026-01-01"}, []string{"query:to"}},
		"status":         {world.ReportQuery{Status: "Paid"}, []string{"query:status"}},
		"cursor":         {world.ReportQuery{Cursor: "x"}, []string{"query:cursor"}},
		"long cursor":    {world.ReportQuery{Cursor: *page.NextCursor + "AA"}, []string{"query:cursor"}},
		"other query":    {world.ReportQuery{Cursor: *page.NextCursor, Status: "Created"}, []string{"query:cursor"}},
		"all of them":    {world.ReportQuery{"1", "2", "3", "4", "5"}, []string{"query:companyId", "query:from", "query:to", "query:status", "query:cursor"}},
		"nil uuid is id": {world.ReportQuery{CompanyID: "00000000-0000-0000-0000-000000000000"}, []string{"query:companyId"}},
	} {
		_, err := x.TransactionReport(tt.q)
		require.Equal(t, tt.want, pointers(t, err), name)
	}
	_, err := x.TransactionReport(world.ReportQuery{CompanyID: unknownPayer})
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	fresh := newShop(t, goodBank(t))
	_, err = fresh.TransactionReport(world.ReportQuery{Cursor: *page.NextCursor})
	require.Equal(t, []string{"query:cursor"}, pointers(t, err), "a cursor of another world")
}

func TestReportPagesWhilePaymentsArrive(t *testing.T) {
	t.Parallel()
	for _, reversed := range []bool{false, true} {
		choice := latitude.ListOrderCreation
		if reversed {
			choice = latitude.ListOrderReversed
		}
		x := newShop(t, goodBank(t), choice)
		var made []string
		create := func(n int) {
			for range n {
				made = append(made, x.pay(t, nil))
			}
		}
		create(120)
		var got []string
		q, pages := world.ReportQuery{CompanyID: x.company}, 0
		for {
			ids, page := x.report(t, q)
			pages++
			got = append(got, ids...)
			if !page.HasMore {
				break
			}
			require.Len(t, ids, 50, strconv.Itoa(pages))
			q.Cursor = *page.NextCursor
			if pages < 4 {
				create(30)
			}
		}
		want := made
		if reversed { // what arrives later stands before the first page
			want = nil
			for i := 119; i >= 0; i-- {
				want = append(want, made[i])
			}
		}
		require.Equal(t, want, got)
	}
}

func TestReportPageThatIsJustFull(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for range 50 {
		x.pay(t, nil)
	}
	ids, page := x.report(t, world.ReportQuery{})
	require.Len(t, ids, 50)
	require.False(t, page.HasMore)
	last := x.pay(t, nil)
	ids, page = x.report(t, world.ReportQuery{})
	require.Len(t, ids, 50)
	require.True(t, page.HasMore)
	ids, _ = x.report(t, world.ReportQuery{Cursor: *page.NextCursor})
	require.Equal(t, []string{last}, ids)
}

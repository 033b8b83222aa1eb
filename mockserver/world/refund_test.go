package world_test

import (
	"encoding/base64"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// refunds are the refunds of a payment.
func (x *shop) refunds(t *testing.T, id string) []world.RefundView {
	t.Helper()
	list, err := x.RefundsOf(id)
	require.NoError(t, err)
	return list
}

func TestRefund(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.paid(t, nil)
	x.Take()
	require.NoError(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(2000)), Description: "two classes"}))
	sent := messages(x.World)
	require.Len(t, sent, 2)
	require.Equal(t, "refund-notice", sent[0].Template)
	require.NoError(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(3000))}))
	list := x.refunds(t, id)
	require.Len(t, list, 2)
	require.Equal(t, world.RefundView{
		ID: list[0].ID, PaymentRequestID: id, Status: "Accepted", Description: "two classes", Amount: 2000,
		Created: payerStart.UnixNano(), Attachments: []world.AttachmentInfo{},
	}, list[0])
	require.Equal(t, []string{"/amount"}, pointers(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(1))})), "nothing is left")
	require.Equal(t, "Paid", x.at(t, "2026-01-06T15:04:04Z", id))
	require.Equal(t, "Accepted", x.refunds(t, id)[1].Status)
	require.Equal(t, "Paid", x.at(t, "2026-01-06T15:04:05Z", id))
	require.Equal(t, "Completed", x.refunds(t, id)[0].Status)
	require.Equal(t, "Completed", x.refunds(t, id)[1].Status)
}

func TestRefundOfASavedCard(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	card := x.saveCard(t, fixtures.CardApproved)
	got, err := x.ChargeSavedCard(&world.NewSavedCardCharge{Amount: ptr(int32(5000)), RegistrationID: x.payer, PaymentMethodID: card})
	require.NoError(t, err)
	require.NoError(t, x.RefundPayment(got.PaymentRequestID, &world.NewRefund{Amount: ptr(int64(5000))}))
}

func TestRefundNeedsAPaidPayment(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for _, state := range world.PaymentMachine.States[1:] {
		id := x.inState(t, state)
		err := x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(1))})
		if state == "Paid" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, []string{"path:paymentRequestId"}, pointers(t, err), state)
		require.Contains(t, err.Error(), state)
		require.Empty(t, x.refunds(t, id))
	}
	require.Equal(t, kernel.NotFound, codeOf(t, x.RefundPayment(unknownPayer, &world.NewRefund{Amount: ptr(int64(1))})))
	_, err := x.RefundsOf(unknownPayer)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestRefundRules(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.paid(t, nil)
	pdf := base64.StdEncoding.EncodeToString([]byte("%PDF-1.4"))
	file := func(name, data, kind string) *world.RefundAttachment {
		return &world.RefundAttachment{FileName: name, FileData: data, FileType: kind}
	}
	for name, tt := range map[string]struct {
		req  world.NewRefund
		want []string
	}{
		"no amount": {world.NewRefund{}, []string{"/amount"}},
		"zero":      {world.NewRefund{Amount: ptr(int64(0))}, []string{"/amount"}},
		"negative":  {world.NewRefund{Amount: ptr(int64(-5))}, []string{"/amount"}},
		"too much":  {world.NewRefund{Amount: ptr(int64(5001))}, []string{"/amount"}},
		"most":      {world.NewRefund{Amount: ptr(int64(math.MaxInt64))}, []string{"/amount"}},
		"no name":   {world.NewRefund{Amount: ptr(int64(1)), Attachment: file("", pdf, "application/pdf")}, []string{"/attachment/fileName"}},
		"no data":   {world.NewRefund{Amount: ptr(int64(1)), Attachment: file("a.pdf", "", "application/pdf")}, []string{"/attachment/fileData"}},
		"no type":   {world.NewRefund{Amount: ptr(int64(1)), Attachment: file("a.pdf", pdf, "")}, []string{"/attachment/fileType"}},
		"bad data":  {world.NewRefund{Amount: ptr(int64(1)), Attachment: file("a.pdf", "%%", "application/pdf")}, []string{"/attachment/fileData"}},
		"a URL":     {world.NewRefund{Amount: ptr(int64(1)), Attachment: file("a.pdf", "http://example.com/a.pdf", "application/pdf")}, []string{"/attachment/fileData"}},
		"empty":     {world.NewRefund{Attachment: file("", "", "")}, []string{"/amount", "/attachment/fileName", "/attachment/fileData", "/attachment/fileType"}},
	} {
		require.Equal(t, tt.want, pointers(t, x.RefundPayment(id, &tt.req)), name)
	}
	require.Empty(t, x.refunds(t, id))
	require.NoError(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(1)), Attachment: file("a.png", pdf, "image/png")}))
	require.Equal(t, "/attachment/fileType", x.Advisories()[0].Pointer)
	list := x.refunds(t, id)
	require.Equal(t, "image/png", list[0].Attachments[0].ContentType)
	got, err := x.AttachmentOf(list[0].Attachments[0].ID)
	require.NoError(t, err)
	require.Equal(t, "%PDF-1.4", string(got.Data))
	require.Equal(t, "a.png", got.Name)
}

func TestRefundMachine(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for _, first := range []string{"complete", "fail"} {
		id := x.paid(t, nil)
		require.NoError(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(5000))}))
		r := x.refunds(t, id)[0]
		require.Equal(t, kernel.IllegalTransition, codeOf(t, x.MoveRefund(r.ID, "create")))
		require.NoError(t, x.MoveRefund(r.ID, first))
		for _, event := range world.RefundMachine.Events() {
			x.Take()
			refused(t, x.World, x.MoveRefund(r.ID, event), "refund", map[string]string{"complete": "Completed", "fail": "Failed"}[first], event)
		}
		again := x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(5000))})
		require.Equal(t, first == "fail", again == nil, "a refund that failed sets its amount free")
	}
	x.Take()
	payerInput(x.World, 48*time.Hour)
	records, _ := x.Take()
	require.Len(t, records, 2, "timer and end of the one refund that waited; those that had ended leave no trace")
	require.Equal(t, kernel.NotFound, codeOf(t, x.MoveRefund("x", "fail")))
	require.Equal(t, kernel.NotFound, codeOf(t, x.MoveRefund(unknownPayer, "fail")))
}

func TestRefundToAnAccountThatReturnsPaymentsFails(t *testing.T) {
	t.Parallel()
	x := newShop(t, account(t, "000000310016"))
	id := x.paid(t, nil)
	require.NoError(t, x.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(5000))}))
	x.Take()
	payerInput(x.World, 24*time.Hour-1)
	require.Equal(t, "Accepted", x.refunds(t, id)[0].Status)
	x.Begin(world.Input{Now: payerStart.Add(24 * time.Hour).UnixNano(), Base: payerBase})
	require.Equal(t, "Failed", x.refunds(t, id)[0].Status)
	sent := messages(x.World)
	require.Len(t, sent, 1, "the company is sent")
	require.Equal(t, []string{"email", "refund-failed"}, []string{sent[0].Channel, sent[0].Template})
	require.Contains(t, sent[0].Values, kernel.Value{Name: "reason", Text: "R16 Account Frozen"})
	v, err := x.PaymentView(id)
	require.NoError(t, err)
	require.Zero(t, v.Refunded)
}

package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

func TestRefundIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	_, id := s.paid()
	refund := func(path, body string) {
		t.Helper()
		w := s.call(http.MethodPost, path, body)
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		require.Empty(t, w.Body.String())
	}
	refund("/Payment/Refund/"+id, `{"amount":2000,"description":"late","attachment":{"fileName":"a.pdf","fileData":"JVBERi0xLjQK","fileType":"application/pdf"}}`)
	refund("/payment/refund/"+id+"/", `{"Amount":1000}`)
	refund("/payment/refund?paymentRequestId="+id, `{"amount":500}`)
	refund("/Payment/Refund?PaymentRequestId="+id, `{"amount":500}`)
	line := list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")[0]
	require.Equal(t, 4000., line["refundedAmount"])
	require.Equal(t, "Completed", line["status"])

	p := s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Refund/"+id, `{"amount":1001}`)
	require.Equal(t, []string{"/amount payment.refund.amount-left"}, p.clauses())
	require.Contains(t, p.Findings[0].Expected, "1000")
	refund("/Payment/Refund/"+id, `{"amount":1000}`)
	s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Refund/"+id, `{"amount":1}`)
	s.did(func(w *world.World) error {
		views, err := w.RefundsOf(id)
		require.Len(t, views, 5)
		require.Equal(t, "a.pdf", views[0].Attachments[0].Name)
		require.Equal(t, "Accepted", views[0].Status)
		return err
	})
	s.pass(24 * time.Hour)
	s.did(func(w *world.World) error {
		views, err := w.RefundsOf(id)
		require.Equal(t, "Completed", views[4].Status)
		return err
	})
}

func TestRefundRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	_, id := s.paid()
	pending := s.pay("contactNumber", "2025550123")
	path := "/Payment/Refund/" + id
	require.Equal(t, []string{"path:paymentRequestId payment.refund.after-paid"}, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Refund/"+pending, `{"amount":1}`).clauses())
	for body, want := range map[string][]string{
		`{}`:                             {"/amount payment.refund.amount"},
		`{"amount":0}`:                   {"/amount payment.refund.amount-range"},
		`{"amount":-1}`:                  {"/amount payment.refund.amount-range"},
		`{"amount":5001}`:                {"/amount payment.refund.amount-left"},
		`{"amount":9223372036854775807}`: {"/amount payment.refund.amount-left"},
		`{"amount":1,"description":5,"attachment":{}}`:                                             {"/description request.type", "/attachment/fileName payment.refund.attachment-name", "/attachment/fileData payment.refund.attachment-data", "/attachment/fileType payment.refund.attachment-type"},
		`{"amount":1,"attachment":"x"}`:                                                            {"/attachment request.type"},
		`{"amount":1,"attachment":{"fileName":"a","fileData":"***","fileType":"application/pdf"}}`: {"/attachment/fileData payment.refund.attachment-data"},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodPost, path, body).clauses(), body)
	}
	w := s.call(http.MethodPost, path, `{"amount":1,"attachment":{"fileName":"a.txt","fileData":"aGk=","fileType":"text/plain"}}`)
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Header().Get("Sandbox-Warning"), "payment.refund.attachment-pdf")
	for _, unknown := range []string{"/Payment/Refund/x", "/Payment/Refund/" + fmt.Sprint(id[:8]), "/Payment/Refund", "/Payment/Refund?paymentRequestId=", "/Payment/Refund?paymentRequestId=x"} {
		s.refused(http.StatusNotFound, http.MethodPost, unknown, `{"amount":1}`)
	}
	require.Equal(t, 1., list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")[0]["refundedAmount"])
}

package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

const key = "Idempotency-Key"

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	body := `{"amount":5000,"contactNumber":"2025550123"}`
	first := s.call(http.MethodPost, "/Payment/Create", body, key, "k 1")
	require.Equal(t, http.StatusOK, first.Code, first.Body.String())
	require.Empty(t, first.Header().Get("Idempotent-Replayed"))
	again := s.call(http.MethodPost, "/Payment/Create", body, key, "k 1", "Accept", "text/plain")
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, "text/plain; charset=utf-8", again.Header().Get("Content-Type"))
	require.NotEqual(t, first.Header().Get("Sandbox-Exchange"), again.Header().Get("Sandbox-Exchange"))
	for _, path := range []string{"/payment/create", "/Payment/Create/", "/PAYMENT/CREATE"} {
		require.Equal(t, first.Body.String(), s.call(http.MethodPost, path, body, key, "k 1").Body.String(), "the same operation: %s", path)
	}
	require.Len(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"), 1)

	for _, other := range []string{`{"amount":5001,"contactNumber":"2025550123"}`, body + " "} {
		p := s.refused(http.StatusUnprocessableEntity, http.MethodPost, "/Payment/Create", other, key, "k 1")
		require.Equal(t, "urn:paysandbox:problem:idempotency-key-reused", p.Type)
	}
	require.NotEqual(t, first.Body.String(), s.call(http.MethodPost, "/Payment/Create", body, key, "k 2").Body.String())
	require.NotEqual(t, first.Body.String(), s.call(http.MethodPost, "/Payment/Create", body).Body.String())
	auth := s.call(http.MethodPost, "/Payment/Card/Auth", body, key, "k 1") // a key belongs to its operation
	require.Equal(t, http.StatusOK, auth.Code)
	require.Empty(t, auth.Header().Get("Idempotent-Replayed"))
	for _, bad := range []string{"\x01", "größe", strings.Repeat("k", 256)} {
		require.Equal(t, []string{"header:Idempotency-Key payment.idempotency.key"}, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", body, key, bad).clauses())
	}
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/Payment/Create", body, key, strings.Repeat("k", 255)).Code)

	s.pass(24*time.Hour - time.Nanosecond)
	s.token = s.grant("sandbox-client", "sandbox-secret")
	require.Equal(t, first.Body.String(), s.call(http.MethodPost, "/Payment/Create", body, key, "k 1").Body.String())
	s.pass(time.Nanosecond)
	late := s.call(http.MethodPost, "/Payment/Create", body, key, "k 1")
	require.Equal(t, http.StatusOK, late.Code)
	require.Empty(t, late.Header().Get("Idempotent-Replayed"))
	require.NotEqual(t, first.Body.String(), late.Body.String())
}

// TestFailureIsNotRemembered: a refused call may be sent again, mended.
func TestFailureIsNotRemembered(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", `{"amount":0,"contactNumber":"2025550123"}`, key, "k")
	s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", `{`, key, "k")
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123"}`, key, "k").Code)
	_, token := s.neighbour(8)
	near := &sandbox{t: t, api: s.api, reg: s.reg, token: token}
	near.company("gym")
	require.Empty(t, near.call(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123"}`, key, "k").Header().Get("Idempotent-Replayed"))
}

// TestIdempotentMoney: refunds and charges with a key happen once, and one key
// never stands for two payments.
func TestIdempotentMoney(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	payer, a := s.paid()
	_, b := s.paid()
	refunded := func(n int) any {
		return list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")[n]["refundedAmount"]
	}
	for range 2 {
		s.ok(http.MethodPost, "/Payment/Refund/"+a, `{"amount":700}`, key, "r")
		s.ok(http.MethodPost, "/Payment/Refund/"+b, `{"amount":700}`, key, "r")
	}
	require.Equal(t, []any{700., 700.}, []any{refunded(0), refunded(1)})
	for range 2 {
		s.ok(http.MethodPost, "/Payment/Refund?paymentRequestId="+a, `{"amount":700}`, key, "q")
		s.ok(http.MethodPost, "/Payment/Refund?paymentRequestId="+b, `{"amount":700}`, key, "q")
	}
	require.Equal(t, []any{1400., 1400.}, []any{refunded(0), refunded(1)})
	card := s.card(payer, "4242424242424242")
	charge := `{"amount":900,"registrationId":"` + payer + `","paymentMethodId":"` + card + `"}`
	require.Equal(t, s.ok(http.MethodPost, "/Payment/ChargeSavedCard", charge, key, "c"), s.ok(http.MethodPost, "/Payment/ChargeSavedCard", charge, key, "c"))
	for range 2 {
		s.ok(http.MethodPost, "/CardPayment", terminalBody, key, "t")
		s.ok(http.MethodPost, "/Payment/Recurring", `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","phoneNumber":"2025550123"}`, key, "p")
	}
	require.Len(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"), 4)
	require.Len(t, list(s.ok(http.MethodGet, "/PaymentPlan/List", ""), "plans"), 1)
	for path, body := range map[string]string{"/Payment/ChargeSavedCard": charge, "/CardPayment": terminalBody, "/Payment/Refund/" + a: `{"amount":700}`, "/Payment/Refund?paymentRequestId=" + a: `{"amount":700}`, "/Payment/Card/Auth": `{"amount":1,"registrationId":"` + payer + `"}`, "/Payment/Recurring": `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","phoneNumber":"2025550123"}`} {
		s.ok(http.MethodPost, path, body, key, "z")
		s.refused(http.StatusUnprocessableEntity, http.MethodPost, path, change(t, body, "amount", 2), key, "z")
	}
}

func TestIdempotencyIgnored(t *testing.T) {
	t.Parallel()
	s := knobs(t, "idempotency=ignored")
	s.company("gym")
	body := `{"amount":5000,"contactNumber":"2025550123"}`
	require.NotEqual(t, s.ok(http.MethodPost, "/Payment/Create", body, key, "k"), s.ok(http.MethodPost, "/Payment/Create", body, key, "k"))
	s.ok(http.MethodPost, "/Payment/Create", body, key, "\x01")
}

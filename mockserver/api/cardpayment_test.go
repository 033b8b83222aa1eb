package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

const terminalBody = `{"amount":1500,"mobileNumber":"+12025550123","cardType":"Visa","transactionStatus":"Succeeded","merchantId":"gym","email":"p@example.com","patientReferenceNumber":"P-1"}`

func TestCardPaymentIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	gym, _ := s.company("gym")
	for status, report := range map[string]string{"Pending": "Pending", "succeeded": "Completed", "Failed": "Failed", "Cancelled": "Cancelled", "Refunded": "Completed"} {
		w := s.call(http.MethodPost, "/CardPayment", change(t, terminalBody, "transactionStatus", status))
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		require.Empty(t, w.Body.String())
		require.Empty(t, w.Header().Get("Sandbox-Warning"))
		lines := list(s.ok(http.MethodGet, "/Transaction/Report?companyId="+gym, ""), "transactions")
		line := lines[len(lines)-1]
		require.Equal(t, []any{report, 1500., "CardTerminal", "P-1", "Veum Dental Care", nil}, []any{line["status"], line["amount"], line["paymentMethod"], line["reference"], line["recipientName"], line["paymentRequestId"]}, status)
	}
	messages := s.entries(tape.KindMessage)
	require.Equal(t, []string{"sms", "email"}, []string{messages[len(messages)-2].Message.Channel, messages[len(messages)-1].Message.Channel})

	s.ok(http.MethodPost, "/cardpayment", change(t, terminalBody, "merchantId", gym, "email", gone{}))
	require.Len(t, s.entries(tape.KindMessage), len(messages)+1) // without an e-mail, the SMS alone
	s.ok(http.MethodPost, "/cardpayment/", change(t, terminalBody, "merchantId", "elsewhere"))
	require.Len(t, list(s.ok(http.MethodGet, "/Transaction/Report?companyId="+gym, ""), "transactions"), 6)
	all := list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")
	require.Len(t, all, 7)
	require.Equal(t, []any{"elsewhere", nil}, []any{all[6]["recipientName"], all[6]["recipientAddress"]})
}

func TestCardPaymentRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	for name, c := range map[string]struct {
		pairs []any
		want  []string
	}{
		"companyId":          {[]any{"companyId", nobody}, []string{"/companyId card-payment.unknown-member"}},
		"CompanyReferenceId": {[]any{"CompanyReferenceId", "gym"}, []string{"/CompanyReferenceId card-payment.unknown-member"}},
		"amount":             {[]any{"amount", gone{}}, []string{"/amount card-payment.amount"}},
		"amount zero":        {[]any{"amount", 0}, []string{"/amount card-payment.amount-range"}},
		"mobile":             {[]any{"mobileNumber", "2025550123"}, []string{"/mobileNumber card-payment.mobile-number"}},
		"mobile missing":     {[]any{"mobileNumber", gone{}}, []string{"/mobileNumber card-payment.mobile-number"}},
		"mobile too long":    {[]any{"mobileNumber", "+1234567890123456"}, []string{"/mobileNumber card-payment.mobile-number"}},
		"types":              {[]any{"cardType", 1, "email", false}, []string{"/cardType request.type", "/email request.type"}},
	} {
		require.Equal(t, c.want, s.refused(http.StatusBadRequest, http.MethodPost, "/CardPayment", change(t, terminalBody, c.pairs...)).clauses(), name)
	}
	require.Empty(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"))
	w := s.call(http.MethodPost, "/CardPayment", `{"amount":1,"mobileNumber":"+12025550123","transactionStatus":"Odd","email":"x"}`)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "card-payment.card-type /cardType, card-payment.email /email, card-payment.transaction-status /transactionStatus, card-payment.merchant-id /merchantId", w.Header().Get("Sandbox-Warning"))
}

// TestReleaseV049: the release before merchantId took the company's members.
func TestReleaseV049(t *testing.T) {
	t.Parallel()
	s := knobs(t, "release=v0.4.9")
	s.company("first")
	gym, _ := s.company("gym", "name", "Gym")
	for _, pairs := range [][]any{{"companyId", gym}, {"CompanyReferenceId", "gym"}, {"companyId", gym, "companyReferenceId", "gym"}} {
		s.ok(http.MethodPost, "/CardPayment", change(t, terminalBody, append(pairs, "merchantId", gone{})...))
	}
	require.Len(t, list(s.ok(http.MethodGet, "/Transaction/Report?companyId="+gym, ""), "transactions"), 3)
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/CardPayment", change(t, terminalBody, "merchantId", gone{}, "companyReferenceId", "no"))
	require.Equal(t, []string{"/companyReferenceId card-payment.company-reference-known"}, p.clauses())
	s.refused(http.StatusBadRequest, http.MethodPost, "/CardPayment", change(t, terminalBody, "colour", "red"))
}

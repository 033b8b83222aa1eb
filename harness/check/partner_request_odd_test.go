package check_test

import (
	"testing"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerFormsOdd: amounts and numbers by other names and in other spellings.
func TestPartnerFormsOdd(t *testing.T) {
	t.Parallel()
	body := func(operation, text string) func(s *spool) {
		return func(s *spool) { s.call(operation, 200, sends(text)) }
	}
	refused := func(operation, text string) func(s *spool) {
		return func(s *spool) { s.call(operation, 400, sends(text)) }
	}
	finding := func(f tape.Finding) func(s *spool) {
		return func(s *spool) { s.finding(s.call("createCompany", 200, sends(`{"name":"Gym"}`)), f) }
	}
	oddCases(t, []partnerCase{
		{amountCents, "a limit in cents", verdict.Pass, "", body("requestDebitAuthorisation", `{"limit":10000}`)},
		{amountCents, "a limit of half a cent", verdict.Fail, "", body("requestDebitAuthorisation", `{"limit":100.50}`)},
		{amountCents, "a limit beside the amount", verdict.Fail, "", body("createPayment", `{"amount":5000,"enableDebitAuth":true,"debitAuthLimit":"10000"}`)},
		{amountCents, "a limit by its other name", verdict.Fail, "", body("createPayment", `{"amount":5000,"autoPayLimit":99.9}`)},
		{amountCents, "a decimal comma", verdict.Fail, "", refused("createPayment", `{"amount":50,00,"reference":"r1"}`)},
		{amountCents, "a list after the amount", verdict.NotExercised, "", refused("createPayment", `{"amount":50,"reference":}`)},
		{amountCents, "no amount and no limit", verdict.NotExercised, "", body("createPayment", `{"amount":null}`)},
		{amountCents, "a page of a report", verdict.NotExercised, "", body("reportTransactions", `{"limit":"50"}`)},
		{phoneE164, "an empty text", verdict.NotExercised, "", body("registerUser", `{"mobileNumber":""}`)},
		{phoneE164, "dialled from abroad", verdict.Fail, "", body("registerUser", `{"mobileNumber":"0012025550101"}`)},
		{phoneE164, "a space at its end", verdict.Fail, "", body("registerUser", `{"mobileNumber":"+12025550101 "}`)},
		{phoneE164, "a number of another country", verdict.Pass, "", body("registerUser", `{"mobileNumber":"+491701234567"}`)},
		{knownValues, "nothing where a value should be", verdict.Pass, "", finding(tape.Finding{Pointer: "/companyType", Clause: "company.create.type", Expected: "one of the set"})},
		{knownValues, "an empty value", verdict.Fail, "", finding(tape.Finding{Pointer: "/companyType", Clause: "company.create.type", Received: `""`, Expected: "one of the set"})},
	})
}

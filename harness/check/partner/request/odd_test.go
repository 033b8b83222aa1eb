package request_test

import (
	"testing"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerFormsOdd: amounts and numbers by other names and in other spellings.
func TestPartnerFormsOdd(t *testing.T) {
	t.Parallel()
	body := func(operation, text string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Call(operation, 200, checktest.Sends(text)) }
	}
	refused := func(operation, text string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Call(operation, 400, checktest.Sends(text)) }
	}
	finding := func(f tape.Finding) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Finding(s.Call("createCompany", 200, checktest.Sends(`{"name":"Gym"}`)), f)
		}
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(amountCents, "a limit in cents", verdict.Pass, "", body("requestDebitAuthorisation", `{"limit":10000}`)),
		checktest.On(amountCents, "a limit of half a cent", verdict.Fail, "", body("requestDebitAuthorisation", `{"limit":100.50}`)),
		checktest.On(amountCents, "a limit beside the amount", verdict.Fail, "", body("createPayment", `{"amount":5000,"enableDebitAuth":true,"debitAuthLimit":"10000"}`)),
		checktest.On(amountCents, "a limit by its other name", verdict.Fail, "", body("createPayment", `{"amount":5000,"autoPayLimit":99.9}`)),
		checktest.On(amountCents, "a decimal comma", verdict.Fail, "", refused("createPayment", `{"amount":50,00,"reference":"r1"}`)),
		checktest.On(amountCents, "a list after the amount", verdict.NotExercised, "", refused("createPayment", `{"amount":50,"reference":}`)),
		checktest.On(amountCents, "no amount and no limit", verdict.NotExercised, "", body("createPayment", `{"amount":null}`)),
		checktest.On(amountCents, "a page of a report", verdict.NotExercised, "", body("reportTransactions", `{"limit":"50"}`)),
		checktest.On(phoneE164, "an empty text", verdict.NotExercised, "", body("registerUser", `{"mobileNumber":""}`)),
		checktest.On(phoneE164, "dialled from abroad", verdict.Fail, "", body("registerUser", `{"mobileNumber":"0012025550101"}`)),
		checktest.On(phoneE164, "a space at its end", verdict.Fail, "", body("registerUser", `{"mobileNumber":"+12025550101 "}`)),
		checktest.On(phoneE164, "a number of another country", verdict.Pass, "", body("registerUser", `{"mobileNumber":"+491701234567"}`)),
		checktest.On(knownValues, "nothing where a value should be", verdict.Pass, "", finding(tape.Finding{Pointer: "/companyType", Clause: "company.create.type", Expected: "one of the set"})),
		checktest.On(knownValues, "an empty value", verdict.Fail, "", finding(tape.Finding{Pointer: "/companyType", Clause: "company.create.type", Received: `""`, Expected: "one of the set"})),
	})
}

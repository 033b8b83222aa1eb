package request_test

import (
	"testing"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

const (
	refPresent   = "partner.reference.present"
	refUnique    = "partner.reference.unique"
	amountCents  = "partner.amount.cents"
	phoneE164    = "partner.phone.e164"
	knownMembers = "partner.body.known-members"
	knownValues  = "partner.body.known-values"
	userAgent    = "partner.client.user-agent"
)

func TestPartnerReferences(t *testing.T) {
	t.Parallel()
	two := func(first, second string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Pays(200, first, checktest.Key(1))
			s.Pays(200, second, checktest.Key(2))
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(refPresent, "one each", verdict.Pass, "", two("r1", "r2")),
		checktest.On(refPresent, "one lacks", verdict.Fail, "", two("r1", " ")),
		checktest.On(refPresent, "not there at all", verdict.Fail, "", func(s *checktest.Tape) { s.Call("createPayment", 200, checktest.Sends(`{"amount":1}`)) }),
		checktest.On(refPresent, "refused anyway", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(400, "", "") }),
		checktest.On(refPresent, "no payment", verdict.NotExercised, "", func(s *checktest.Tape) { s.Call("refundPayment", 200, checktest.Sends(`{"amount":1}`)) }),

		checktest.On(refUnique, "one each", verdict.Pass, "", two("r1", "r2")),
		checktest.On(refUnique, "a repetition", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(503, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(refUnique, "a lost answer", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(0, "r1", "", checktest.Faulty("f1: commit-then-drop"))
			s.Pays(200, "r1", "")
			s.Pays(200, "r2", "")
		}),
		checktest.On(refUnique, "mended", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(400, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(2))
			s.Pays(200, "r2", checktest.Key(3))
		}),
		checktest.On(refUnique, "asked for again after it failed", verdict.Pass, "", func(s *checktest.Tape) {
			first := s.Pays(200, "r1", checktest.Key(1))
			s.Becomes("payment", "p1", "", "Pending", first)
			s.Becomes("payment", "p1", "Pending", "Denied", nil)
			s.Pays(200, "r1", checktest.Key(2))
			s.Pays(200, "r2", checktest.Key(3))
		}),
		checktest.On(refUnique, "one for two", verdict.Fail, "", two("r1", "r1")),
		checktest.On(refUnique, "one for two without keys", verdict.Fail, "", func(s *checktest.Tape) {
			s.Pays(200, "r1", "")
			s.Pays(200, "r1", "")
		}),
		checktest.On(refUnique, "one payment", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(refUnique, "no references", verdict.NotExercised, "", two("", "")),
	})
}

func TestPartnerForms(t *testing.T) {
	t.Parallel()
	body := func(operation, text string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Call(operation, 200, checktest.Sends(text)) }
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(amountCents, "cents", verdict.Pass, "", body("createPayment", `{"amount":5000}`)),
		checktest.On(amountCents, "in Pascal case", verdict.Pass, "", body("refundPayment", `{"Amount":1}`)),
		checktest.On(amountCents, "a fraction", verdict.Fail, "", body("createPayment", `{"amount":50.5}`)),
		checktest.On(amountCents, "a fraction of nothing", verdict.Fail, "", body("chargeSavedCard", `{"amount":5000.0}`)),
		checktest.On(amountCents, "an exponent", verdict.Fail, "", body("authoriseCard", `{"amount":5e3}`)),
		checktest.On(amountCents, "a text", verdict.Fail, "", body("registerCardPayment", `{"amount":"5000"}`)),
		checktest.On(amountCents, "no amount", verdict.NotExercised, "", body("registerUser", `{"redirectUrl":"https://a.example.com"}`)),
		checktest.On(amountCents, "no JSON", verdict.NotExercised, "", body("createPayment", `{"amount":50`)),

		checktest.On(phoneE164, "a number", verdict.Pass, "", body("registerUser", `{"mobileNumber":"+12025550101"}`)),
		checktest.On(phoneE164, "as people write it", verdict.Fail, "", body("registerUser", `{"mobileNumber":"(202) 555-0101"}`)),
		checktest.On(phoneE164, "without the country", verdict.Fail, "", body("registerCardPayment", `{"mobileNumber":"2025550101"}`)),
		checktest.On(phoneE164, "too long", verdict.Fail, "", body("createExternalAuthLink", `{"mobileNumber":"+1234567890123456"}`)),
		checktest.On(phoneE164, "a number as number", verdict.Fail, "", body("createExternalAuthLink", `{"mobileNumber":12025550101}`)),
		checktest.On(phoneE164, "another member", verdict.NotExercised, "", body("createPayment", `{"contactNumber":"2025550101"}`)),
	})
}

func TestPartnerBodies(t *testing.T) {
	t.Parallel()
	served := func(clause string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			e := s.Call("createPayment", 200, checktest.Sends(`{"amount":1,"feePayer":"x"}`))
			s.Finding(e, tape.Finding{Pointer: "/feePayer", Clause: clause, Received: `"x"`, Expected: "something else", Advisory: true})
		}
	}
	refused := func(clause string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Call("createCompany", 400, checktest.Sends(`{"companyType":"Gym"}`),
				checktest.Answers(`{"status":400,"findings":[{"pointer":"/companyType","clause":"`+clause+`","received":"\"Gym\"","expected":"one of the set"}]}`))
		}
	}
	good := func(s *checktest.Tape) { s.Call("createPayment", 200, checktest.Sends(`{"amount":1}`)) }
	ofPayer := func(s *checktest.Tape) {
		e := s.Add(tape.Entry{Kind: tape.KindPage, Exchange: &tape.Exchange{Method: "POST", Path: "/pay/x", Response: tape.Response{Status: 200}}})
		s.Finding(e, tape.Finding{Clause: "request.unknown-member", Received: "x"})
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(knownMembers, "good", verdict.Pass, "", good),
		checktest.On(knownMembers, "another finding", verdict.Pass, "", func(s *checktest.Tape) { good(s); served("payment.create.fee-payer")(s) }),
		checktest.On(knownMembers, "misspelt", verdict.Fail, "", served("request.unknown-member")),
		checktest.On(knownMembers, "a name in the query", verdict.Pass, "", func(s *checktest.Tape) {
			e := s.Call("createPayment", 200, checktest.Sends(`{"amount":1}`))
			s.Finding(e, tape.Finding{Pointer: "query:token", Clause: "request.unknown-member", Received: `"x"`, Advisory: true})
		}),
		checktest.On(knownMembers, "refused", verdict.Fail, "", refused("card-payment.unknown-member")),
		checktest.On(knownMembers, "a finding about a page", verdict.NotExercised, "", ofPayer),

		checktest.On(knownValues, "good", verdict.Pass, "", good),
		checktest.On(knownValues, "another finding", verdict.Pass, "", func(s *checktest.Tape) { good(s); served("request.unknown-member")(s) }),
		checktest.On(knownValues, "unknown", verdict.Fail, "", served("payment.create.fee-payer")),
		checktest.On(knownValues, "refused", verdict.Fail, "", refused("company.create.type")),
		checktest.On(knownValues, "refused for something else", verdict.NotExercised, "", refused("company.create.zip")),
	})
}

func TestPartnerUserAgent(t *testing.T) {
	t.Parallel()
	by := func(agents ...string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for _, a := range agents {
				s.Call("listCompanies", 200, checktest.Sent("User-Agent", a))
			}
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(userAgent, "product and version", verdict.Pass, "", by("gym-suite/2.1", "GymSuite/v3 (billing) axios/1.6.0")),
		checktest.On(userAgent, "a person tries something", verdict.Warning, "", by("gym-suite/2.1", "gym-suite/2.1", "curl/8.4.0")),
		checktest.On(userAgent, "none", verdict.Fail, "", by("gym-suite/2.1", "")),
		checktest.On(userAgent, "no version", verdict.Fail, "", by("gym-suite")),
		checktest.On(userAgent, "the library's", verdict.Fail, "", by("Go-http-client/1.1", "Go-http-client/1.1")),
		checktest.On(userAgent, "no call", verdict.NotExercised, "", func(*checktest.Tape) {}),
	})
}

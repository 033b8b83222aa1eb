package check_test

import (
	"fmt"
	"testing"
	"time"

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

// pays requests a payment of Dana's under a reference and a key.
func (s *spool) pays(status int, reference, key string, changes ...with) *tape.Entry {
	s.pass(20 * time.Millisecond)
	body := `{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","reference":"` + reference + `"}`
	return s.call("createPayment", status, append([]with{sends(body), keyed(key)}, changes...)...)
}

// key is the nth random key.
func key(n int) string {
	return fmt.Sprintf("%08x-5b1c-4c0e-9d3e-%012x", 0x9e3779b9*uint32(n+1), 0x1234567*(n+3))
}

func TestPartnerReferences(t *testing.T) {
	t.Parallel()
	two := func(first, second string) func(s *spool) {
		return func(s *spool) {
			s.pays(200, first, key(1))
			s.pays(200, second, key(2))
		}
	}
	playCases(t, []partnerCase{
		{refPresent, "one each", verdict.Pass, "", two("r1", "r2")},
		{refPresent, "one lacks", verdict.Fail, "", two("r1", " ")},
		{refPresent, "not there at all", verdict.Fail, "", func(s *spool) { s.call("createPayment", 200, sends(`{"amount":1}`)) }},
		{refPresent, "refused anyway", verdict.NotExercised, "", func(s *spool) { s.pays(400, "", "") }},
		{refPresent, "no payment", verdict.NotExercised, "", func(s *spool) { s.call("refundPayment", 200, sends(`{"amount":1}`)) }},

		{refUnique, "one each", verdict.Pass, "", two("r1", "r2")},
		{refUnique, "a repetition", verdict.Pass, "", func(s *spool) {
			s.pays(503, "r1", key(1))
			s.pays(200, "r1", key(1))
			s.pays(200, "r2", key(2))
		}},
		{refUnique, "a lost answer", verdict.Pass, "", func(s *spool) {
			s.pays(0, "r1", "", faulty("f1: commit-then-drop"))
			s.pays(200, "r1", "")
			s.pays(200, "r2", "")
		}},
		{refUnique, "mended", verdict.Pass, "", func(s *spool) {
			s.pays(400, "r1", key(1))
			s.pays(200, "r1", key(2))
			s.pays(200, "r2", key(3))
		}},
		{refUnique, "asked for again after it failed", verdict.Pass, "", func(s *spool) {
			first := s.pays(200, "r1", key(1))
			s.becomes("payment", "p1", "", "Pending", first)
			s.becomes("payment", "p1", "Pending", "Denied", nil)
			s.pays(200, "r1", key(2))
			s.pays(200, "r2", key(3))
		}},
		{refUnique, "one for two", verdict.Fail, "", two("r1", "r1")},
		{refUnique, "one for two without keys", verdict.Fail, "", func(s *spool) {
			s.pays(200, "r1", "")
			s.pays(200, "r1", "")
		}},
		{refUnique, "one payment", verdict.NotExercised, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{refUnique, "no references", verdict.NotExercised, "", two("", "")},
	})
}

func TestPartnerForms(t *testing.T) {
	t.Parallel()
	body := func(operation, text string) func(s *spool) {
		return func(s *spool) { s.call(operation, 200, sends(text)) }
	}
	playCases(t, []partnerCase{
		{amountCents, "cents", verdict.Pass, "", body("createPayment", `{"amount":5000}`)},
		{amountCents, "in Pascal case", verdict.Pass, "", body("refundPayment", `{"Amount":1}`)},
		{amountCents, "a fraction", verdict.Fail, "", body("createPayment", `{"amount":50.5}`)},
		{amountCents, "a fraction of nothing", verdict.Fail, "", body("chargeSavedCard", `{"amount":5000.0}`)},
		{amountCents, "an exponent", verdict.Fail, "", body("authoriseCard", `{"amount":5e3}`)},
		{amountCents, "a text", verdict.Fail, "", body("registerCardPayment", `{"amount":"5000"}`)},
		{amountCents, "no amount", verdict.NotExercised, "", body("registerUser", `{"redirectUrl":"https://a.example.com"}`)},
		{amountCents, "no JSON", verdict.NotExercised, "", body("createPayment", `{"amount":50`)},

		{phoneE164, "a number", verdict.Pass, "", body("registerUser", `{"mobileNumber":"+12025550101"}`)},
		{phoneE164, "as people write it", verdict.Fail, "", body("registerUser", `{"mobileNumber":"(202) 555-0101"}`)},
		{phoneE164, "without the country", verdict.Fail, "", body("registerCardPayment", `{"mobileNumber":"2025550101"}`)},
		{phoneE164, "too long", verdict.Fail, "", body("createExternalAuthLink", `{"mobileNumber":"+1234567890123456"}`)},
		{phoneE164, "a number as number", verdict.Fail, "", body("createExternalAuthLink", `{"mobileNumber":12025550101}`)},
		{phoneE164, "another member", verdict.NotExercised, "", body("createPayment", `{"contactNumber":"2025550101"}`)},
	})
}

func TestPartnerBodies(t *testing.T) {
	t.Parallel()
	served := func(clause string) func(s *spool) {
		return func(s *spool) {
			e := s.call("createPayment", 200, sends(`{"amount":1,"feePayer":"x"}`))
			s.finding(e, tape.Finding{Pointer: "/feePayer", Clause: clause, Received: `"x"`, Expected: "something else", Advisory: true})
		}
	}
	refused := func(clause string) func(s *spool) {
		return func(s *spool) {
			s.call("createCompany", 400, sends(`{"companyType":"Gym"}`),
				answers(`{"status":400,"findings":[{"pointer":"/companyType","clause":"`+clause+`","received":"\"Gym\"","expected":"one of the set"}]}`))
		}
	}
	good := func(s *spool) { s.call("createPayment", 200, sends(`{"amount":1}`)) }
	ofPayer := func(s *spool) {
		e := s.add(tape.Entry{Kind: tape.KindPage, Exchange: &tape.Exchange{Method: "POST", Path: "/pay/x", Response: tape.Response{Status: 200}}})
		s.finding(e, tape.Finding{Clause: "request.unknown-member", Received: "x"})
	}
	playCases(t, []partnerCase{
		{knownMembers, "good", verdict.Pass, "", good},
		{knownMembers, "another finding", verdict.Pass, "", func(s *spool) { good(s); served("payment.create.fee-payer")(s) }},
		{knownMembers, "misspelt", verdict.Fail, "", served("request.unknown-member")},
		{knownMembers, "refused", verdict.Fail, "", refused("card-payment.unknown-member")},
		{knownMembers, "a finding about a page", verdict.NotExercised, "", ofPayer},

		{knownValues, "good", verdict.Pass, "", good},
		{knownValues, "another finding", verdict.Pass, "", func(s *spool) { good(s); served("request.unknown-member")(s) }},
		{knownValues, "unknown", verdict.Fail, "", served("payment.create.fee-payer")},
		{knownValues, "refused", verdict.Fail, "", refused("company.create.type")},
		{knownValues, "refused for something else", verdict.NotExercised, "", refused("company.create.zip")},
	})
}

func TestPartnerUserAgent(t *testing.T) {
	t.Parallel()
	by := func(agents ...string) func(s *spool) {
		return func(s *spool) {
			for _, a := range agents {
				s.call("listCompanies", 200, sent("User-Agent", a))
			}
		}
	}
	playCases(t, []partnerCase{
		{userAgent, "product and version", verdict.Pass, "", by("gym-suite/2.1", "GymSuite/v3 (billing) axios/1.6.0")},
		{userAgent, "a person tries something", verdict.Warning, "", by("gym-suite/2.1", "gym-suite/2.1", "curl/8.4.0")},
		{userAgent, "none", verdict.Fail, "", by("gym-suite/2.1", "")},
		{userAgent, "no version", verdict.Fail, "", by("gym-suite")},
		{userAgent, "the library's", verdict.Fail, "", by("Go-http-client/1.1", "Go-http-client/1.1")},
		{userAgent, "no call", verdict.NotExercised, "", func(*spool) {}},
	})
}

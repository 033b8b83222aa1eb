package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check"
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
		{refPresent, "one each", check.Pass, "", two("r1", "r2")},
		{refPresent, "one lacks", check.Fail, "", two("r1", " ")},
		{refPresent, "not there at all", check.Fail, "", func(s *spool) { s.call("createPayment", 200, sends(`{"amount":1}`)) }},
		{refPresent, "refused anyway", check.NotExercised, "", func(s *spool) { s.pays(400, "", "") }},
		{refPresent, "no payment", check.NotExercised, "", func(s *spool) { s.call("refundPayment", 200, sends(`{"amount":1}`)) }},

		{refUnique, "one each", check.Pass, "", two("r1", "r2")},
		{refUnique, "a repetition", check.Pass, "", func(s *spool) {
			s.pays(503, "r1", key(1))
			s.pays(200, "r1", key(1))
			s.pays(200, "r2", key(2))
		}},
		{refUnique, "a lost answer", check.Pass, "", func(s *spool) {
			s.pays(0, "r1", "", faulty("f1: commit-then-drop"))
			s.pays(200, "r1", "")
			s.pays(200, "r2", "")
		}},
		{refUnique, "mended", check.Pass, "", func(s *spool) {
			s.pays(400, "r1", key(1))
			s.pays(200, "r1", key(2))
			s.pays(200, "r2", key(3))
		}},
		{refUnique, "asked for again after it failed", check.Pass, "", func(s *spool) {
			first := s.pays(200, "r1", key(1))
			s.becomes("payment", "p1", "", "Pending", first)
			s.becomes("payment", "p1", "Pending", "Denied", nil)
			s.pays(200, "r1", key(2))
			s.pays(200, "r2", key(3))
		}},
		{refUnique, "one for two", check.Fail, "", two("r1", "r1")},
		{refUnique, "one for two without keys", check.Fail, "", func(s *spool) {
			s.pays(200, "r1", "")
			s.pays(200, "r1", "")
		}},
		{refUnique, "one payment", check.NotExercised, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{refUnique, "no references", check.NotExercised, "", two("", "")},
	})
}

func TestPartnerForms(t *testing.T) {
	t.Parallel()
	body := func(operation, text string) func(s *spool) {
		return func(s *spool) { s.call(operation, 200, sends(text)) }
	}
	playCases(t, []partnerCase{
		{amountCents, "cents", check.Pass, "", body("createPayment", `{"amount":5000}`)},
		{amountCents, "in Pascal case", check.Pass, "", body("refundPayment", `{"Amount":1}`)},
		{amountCents, "a fraction", check.Fail, "", body("createPayment", `{"amount":50.5}`)},
		{amountCents, "a fraction of nothing", check.Fail, "", body("chargeSavedCard", `{"amount":5000.0}`)},
		{amountCents, "an exponent", check.Fail, "", body("authoriseCard", `{"amount":5e3}`)},
		{amountCents, "a text", check.Fail, "", body("registerCardPayment", `{"amount":"5000"}`)},
		{amountCents, "no amount", check.NotExercised, "", body("registerUser", `{"redirectUrl":"https://a.example.com"}`)},
		{amountCents, "no JSON", check.NotExercised, "", body("createPayment", `{"amount":50`)},

		{phoneE164, "a number", check.Pass, "", body("registerUser", `{"mobileNumber":"+12025550101"}`)},
		{phoneE164, "as people write it", check.Fail, "", body("registerUser", `{"mobileNumber":"(202) 555-0101"}`)},
		{phoneE164, "without the country", check.Fail, "", body("registerCardPayment", `{"mobileNumber":"2025550101"}`)},
		{phoneE164, "too long", check.Fail, "", body("createExternalAuthLink", `{"mobileNumber":"+1234567890123456"}`)},
		{phoneE164, "a number as number", check.Fail, "", body("createExternalAuthLink", `{"mobileNumber":12025550101}`)},
		{phoneE164, "another member", check.NotExercised, "", body("createPayment", `{"contactNumber":"2025550101"}`)},
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
		{knownMembers, "good", check.Pass, "", good},
		{knownMembers, "another finding", check.Pass, "", func(s *spool) { good(s); served("payment.create.fee-payer")(s) }},
		{knownMembers, "misspelt", check.Fail, "", served("request.unknown-member")},
		{knownMembers, "refused", check.Fail, "", refused("card-payment.unknown-member")},
		{knownMembers, "a finding about a page", check.NotExercised, "", ofPayer},

		{knownValues, "good", check.Pass, "", good},
		{knownValues, "another finding", check.Pass, "", func(s *spool) { good(s); served("request.unknown-member")(s) }},
		{knownValues, "unknown", check.Fail, "", served("payment.create.fee-payer")},
		{knownValues, "refused", check.Fail, "", refused("company.create.type")},
		{knownValues, "refused for something else", check.NotExercised, "", refused("company.create.zip")},
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
		{userAgent, "product and version", check.Pass, "", by("gym-suite/2.1", "GymSuite/v3 (billing) axios/1.6.0")},
		{userAgent, "a person tries something", check.Warning, "", by("gym-suite/2.1", "gym-suite/2.1", "curl/8.4.0")},
		{userAgent, "none", check.Fail, "", by("gym-suite/2.1", "")},
		{userAgent, "no version", check.Fail, "", by("gym-suite")},
		{userAgent, "the library's", check.Fail, "", by("Go-http-client/1.1", "Go-http-client/1.1")},
		{userAgent, "no call", check.NotExercised, "", func(*spool) {}},
	})
}

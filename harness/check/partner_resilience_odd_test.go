package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerOutcomeOdd: other ways to pay twice after a lost answer, and other
// ways not to.
func TestPartnerOutcomeOdd(t *testing.T) {
	t.Parallel()
	lose := func(s *spool, reference, key string) {
		s.becomes("payment", "p1", "", "Pending", s.pays(0, reference, key, faulty("f1: commit-then-drop")))
	}
	card := func(s *spool, status int, k string) {
		s.pass(100 * ms)
		s.call("chargeSavedCard", status, keyed(k), sends(`{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","paymentMethodId":"pm1"}`))
	}
	plays := func(s *spool) {
		s.pass(100 * ms)
		s.control("movePayment", "{}").Exchange.Path = "/_sandbox/integrations/default/payments/p0/approve"
	}
	oddCases(t, []partnerCase{
		{outcome, "the card is charged instead", verdict.Fail, "", func(s *spool) { lose(s, "r1", key(1)); card(s, 200, key(2)); s.calls(9) }},
		{outcome, "the card is refused", verdict.NotExercised, "", func(s *spool) { lose(s, "r1", key(1)); card(s, 402, key(2)); s.calls(9) }},
		{outcome, "the key with another body, which is refused, then another key", verdict.Fail, "", func(s *spool) {
			lose(s, "r1", key(1))
			s.pays(422, "r1", key(1), sends(`{"amount":5000,"reference":"r1","metadata":{"try":2},"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6"}`))
			s.pays(200, "r1", key(2))
			s.calls(9)
		}},
		{outcome, "the key again while the first call is at work", verdict.Pass, "", func(s *spool) {
			lose(s, "r1", key(1))
			s.pays(409, "r1", key(1))
			s.pays(200, "r1", key(1))
			s.calls(9)
		}},
		{outcome, "the key again, which the service ignores", verdict.Fail, "", func(s *spool) {
			s.meta.Latitude = nil
			lose(s, "r1", key(1))
			s.becomes("payment", "p2", "", "Pending", s.pays(200, "r1", key(1)))
			s.calls(9)
		}},
		{outcome, "the key again, which the service forgets to honour", verdict.Review, "", func(s *spool) {
			lose(s, "r1", key(1))
			s.becomes("payment", "p2", "", "Pending", s.pays(200, "r1", key(1)))
			s.calls(9)
		}},
		{outcome, "the key again, of a call that had come to nothing", verdict.Pass, "", func(s *spool) {
			s.meta.Latitude = nil
			s.pays(0, "r1", key(1), faulty("f1: cut-connection=start"))
			s.becomes("payment", "p2", "", "Pending", s.pays(200, "r1", key(1)))
			s.calls(9)
		}},
		{outcome, "a look, and the key again, which the service ignores", verdict.Pass, "", func(s *spool) {
			s.meta.Latitude = nil
			lose(s, "r1", key(1))
			s.call("reportTransactions", 200)
			s.becomes("payment", "p2", "", "Pending", s.pays(200, "r1", key(1)))
			s.calls(9)
		}},
		{outcome, "the key again after a new token", verdict.Pass, "", func(s *spool) {
			lose(s, "r1", key(1))
			s.pays(401, "r1", key(1), bearer("token-1", tape.AuthRevoked))
			s.pays(200, "r1", key(1))
			s.calls(9)
		}},
		{outcome, "hung up, then another key", verdict.Fail, "", func(s *spool) {
			e := s.pays(200, "r1", key(1), faulty("f1: latency=1m0s"))
			s.hangup(e, 10*time.Second)
			s.pays(200, "r1", key(2))
			s.calls(9)
		}},
		{outcome, "the next test pays the same under another reference", verdict.NotExercised, "", func(s *spool) {
			lose(s, "r1", key(1))
			plays(s)
			s.pass(time.Second)
			s.pays(200, "r2", key(2))
			s.calls(9)
		}},
		{outcome, "the same order after somebody played a payer", verdict.Fail, "", func(s *spool) {
			lose(s, "r1", key(1))
			plays(s)
			s.pays(200, "r1", key(2))
			s.calls(9)
		}},
		{outcome, "the harness arms and lifts trouble meanwhile", verdict.Fail, "", func(s *spool) {
			lose(s, "r1", key(1))
			s.control("removeFault", "")
			s.control("armFault", "{}")
			s.control("resendDelivery", "{}")
			s.pass(200 * ms)
			s.pays(200, "r2", key(2))
			s.calls(9)
		}},
		{outcome, "the report is asked for, which fails", verdict.Fail, "", func(s *spool) {
			lose(s, "r1", key(1))
			s.call("reportTransactions", 503)
			s.pays(200, "r1", key(2))
			s.calls(9)
		}},
		{outcome, "polls the state instead of webhooks", verdict.Pass, "", func(s *spool) {
			e := s.pays(200, "r1", key(1), faulty("f1: slow-body=1m0s"))
			s.becomes("payment", "p1", "", "Pending", e)
			s.hangup(e, 10*time.Second)
			s.call("reportTransactions", 200)
			s.pays(200, "r2", key(2))
			s.calls(9)
		}},
	})
}

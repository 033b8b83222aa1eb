package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check"
)

const (
	idemKey    = "partner.idempotency.key"
	idemSame   = "partner.idempotency.same-key"
	idemFresh  = "partner.idempotency.fresh-key"
	idemOpaque = "partner.idempotency.opaque"
)

func TestPartnerKeys(t *testing.T) {
	t.Parallel()
	ignored := func(s *spool) {
		s.meta.Latitude = map[string]string{"idempotency": "ignored"}
		s.pays(200, "r1", "")
	}
	refund := func(s *spool, payment, key string) {
		s.call("refundPayment", 200, at("/Payment/Refund/"+payment, ""), sends(`{"amount":100}`), keyed(key))
	}
	playCases(t, []partnerCase{
		{idemKey, "each", check.Pass, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{idemKey, "not each", check.Fail, "", func(s *spool) { s.pays(200, "r1", key(1)); refund(s, "p1", "") }},
		{idemKey, "refused anyway", check.NotExercised, "", func(s *spool) { s.pays(400, "r1", "") }},
		{idemKey, "no money", check.NotExercised, "", func(s *spool) { s.call("registerUser", 200) }},
		{idemKey, "keys are ignored", check.NotApplicable, "", ignored},

		{idemSame, "after 5xx", check.Pass, "", func(s *spool) { s.pays(503, "r1", key(1)); s.pays(200, "r1", key(1)) }},
		{idemSame, "after a lost answer", check.Pass, "", func(s *spool) { s.pays(0, "r1", key(1)); s.pays(200, "r1", key(1)) }},
		{idemSame, "beside a payment of the same", check.Pass, "", func(s *spool) {
			s.pays(503, "", key(1))
			s.pays(200, "", key(2))
			s.pays(200, "", key(1))
		}},
		{idemSame, "another", check.Fail, "", func(s *spool) { s.pays(503, "r1", key(1)); s.pays(200, "r1", key(2)) }},
		{idemSame, "another, with a changed body", check.Fail, "", func(s *spool) {
			s.pays(500, "r1", key(1))
			s.pays(200, "r1", key(2), sends(`{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","reference":"r1","metadata":{"at":2}}`))
		}},
		{idemSame, "none at all", check.NotExercised, "", func(s *spool) { s.pays(503, "r1", ""); s.pays(200, "r1", "") }},
		{idemSame, "another after a lost answer", check.NotExercised, "", func(s *spool) { s.pays(0, "r1", key(1)); s.pays(200, "r1", key(2)) }},
		{idemSame, "another payment later", check.NotExercised, "", func(s *spool) {
			s.pays(503, "", key(1))
			s.pass(24 * time.Hour)
			s.pays(200, "", key(2))
		}},
		{idemSame, "no failure", check.NotExercised, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{idemSame, "keys are ignored", check.NotApplicable, "", ignored},

		{idemFresh, "two", check.Pass, "", func(s *spool) { s.pays(200, "r1", key(1)); s.pays(200, "r2", key(2)) }},
		{idemFresh, "a repetition in another order", check.Pass, "", func(s *spool) {
			s.call("createPayment", 503, keyed(key(1)), sends(`{"amount":1,"reference":"r1"}`))
			s.call("createPayment", 200, keyed(key(1)), sends(`{"reference": "r1", "amount": 1}`))
			s.pays(200, "r2", key(2))
		}},
		{idemFresh, "a mended body", check.Pass, "", func(s *spool) {
			s.pays(400, "", key(1))
			s.pays(200, "r1", key(1))
			s.pays(200, "r2", key(2))
		}},
		{idemFresh, "one for two", check.Fail, "", func(s *spool) { s.pays(200, "r1", key(1)); s.pays(422, "r2", key(1)) }},
		{idemFresh, "one for two refunds", check.Fail, "", func(s *spool) { refund(s, "p1", key(1)); refund(s, "p2", key(1)) }},
		{idemFresh, "one call", check.NotExercised, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{idemFresh, "keys are ignored", check.NotApplicable, "", ignored},
	})
}

func TestPartnerOpaqueKeys(t *testing.T) {
	t.Parallel()
	keys := func(list ...string) func(s *spool) {
		return func(s *spool) {
			for n, k := range list {
				s.pays(200, fmt.Sprintf("invoice-10%02d", n), k)
			}
		}
	}
	playCases(t, []partnerCase{
		{idemOpaque, "uuids", check.Pass, "", keys(key(1), key(2), key(3))},
		{idemOpaque, "random texts", check.Pass, "", keys("V1StGXR8_Z5jdHi6B-myT", "pay_3fQ9xLk2Wn7Rb0Zc", "01JD3Q8K9ZV5X2R7T4W6Y1B0NC")},
		{idemOpaque, "a uuid with the amount in it", check.Pass, "", keys("3f0c5000-5000-4f1f-8e9d-8c117b0c5b0e", key(2))},
		{idemOpaque, "the reference, which is random", check.Pass, "", func(s *spool) {
			for n := range 2 {
				s.pays(200, "order-"+key(n), "order-"+key(n))
			}
		}},
		{idemOpaque, "the reference", check.Fail, "", keys("charge-invoice-1000-first", key(2))},
		{idemOpaque, "the payer", check.Fail, "", keys("8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6/2026-03")},
		{idemOpaque, "the amount", check.Fail, "", keys("gymnasium-dana-march-5000", key(2))},
		{idemOpaque, "short", check.Fail, "", keys("a8Fk29xQ", key(2))},
		{idemOpaque, "a time", check.Fail, "", keys("1764000000000123456", key(2))},
		{idemOpaque, "a day", check.Fail, "", keys("march-fee-20260302", key(2))},
		{idemOpaque, "counted", check.Fail, "", keys("gymnasium-payment-0000a7", "gymnasium-payment-0000a8", "gymnasium-payment-0000a9")},
		{idemOpaque, "one key", check.NotExercised, "", keys(key(1))},
		{idemOpaque, "keys are ignored", check.NotApplicable, "", func(s *spool) {
			s.meta.Latitude = map[string]string{"idempotency": "ignored"}
			s.pays(200, "r1", "1")
		}},
		{idemOpaque, "no keys", check.NotExercised, "", keys("", "")},
	})
}

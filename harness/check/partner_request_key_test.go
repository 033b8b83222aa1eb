package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/verdict"
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
		s.meta.Latitude = nil
		s.pays(200, "r1", "")
	}
	refund := func(s *spool, payment, key string) {
		s.call("refundPayment", 200, at("/Payment/Refund/"+payment, ""), sends(`{"amount":100}`), keyed(key))
	}
	playCases(t, []partnerCase{
		{idemKey, "each", verdict.Pass, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{idemKey, "not each", verdict.Fail, "", func(s *spool) { s.pays(200, "r1", key(1)); refund(s, "p1", "") }},
		{idemKey, "refused anyway", verdict.NotExercised, "", func(s *spool) { s.pays(400, "r1", "") }},
		{idemKey, "no money", verdict.NotExercised, "", func(s *spool) { s.call("registerUser", 200) }},
		{idemKey, "keys are ignored", verdict.NotApplicable, "", ignored},

		{idemSame, "after 5xx", verdict.Pass, "", func(s *spool) { s.pays(503, "r1", key(1)); s.pays(200, "r1", key(1)) }},
		{idemSame, "after a lost answer", verdict.Pass, "", func(s *spool) { s.pays(0, "r1", key(1)); s.pays(200, "r1", key(1)) }},
		{idemSame, "beside a payment of the same", verdict.Pass, "", func(s *spool) {
			s.pays(503, "", key(1))
			s.pays(200, "", key(2))
			s.pays(200, "", key(1))
		}},
		{idemSame, "another", verdict.Fail, "", func(s *spool) { s.pays(503, "r1", key(1)); s.pays(200, "r1", key(2)) }},
		{idemSame, "another, with a changed body", verdict.Fail, "", func(s *spool) {
			s.pays(500, "r1", key(1))
			s.pays(200, "r1", key(2), sends(`{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","reference":"r1","metadata":{"at":2}}`))
		}},
		{idemSame, "none at all", verdict.NotExercised, "", func(s *spool) { s.pays(503, "r1", ""); s.pays(200, "r1", "") }},
		{idemSame, "another after a lost answer", verdict.NotExercised, "", func(s *spool) { s.pays(0, "r1", key(1)); s.pays(200, "r1", key(2)) }},
		{idemSame, "another payment later", verdict.NotExercised, "", func(s *spool) {
			s.pays(503, "", key(1))
			s.pass(24 * time.Hour)
			s.pays(200, "", key(2))
		}},
		{idemSame, "no failure", verdict.NotExercised, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{idemSame, "keys are ignored", verdict.NotApplicable, "", ignored},

		{idemFresh, "two", verdict.Pass, "", func(s *spool) { s.pays(200, "r1", key(1)); s.pays(200, "r2", key(2)) }},
		{idemFresh, "a repetition in another order", verdict.Pass, "", func(s *spool) {
			s.call("createPayment", 503, keyed(key(1)), sends(`{"amount":1,"reference":"r1"}`))
			s.call("createPayment", 200, keyed(key(1)), sends(`{"reference": "r1", "amount": 1}`))
			s.pays(200, "r2", key(2))
		}},
		{idemFresh, "a mended body", verdict.Pass, "", func(s *spool) {
			s.pays(400, "", key(1))
			s.pays(200, "r1", key(1))
			s.pays(200, "r2", key(2))
		}},
		{idemFresh, "one for two", verdict.Fail, "", func(s *spool) { s.pays(200, "r1", key(1)); s.pays(422, "r2", key(1)) }},
		{idemFresh, "one for two refunds", verdict.Fail, "", func(s *spool) { refund(s, "p1", key(1)); refund(s, "p2", key(1)) }},
		{idemFresh, "one call", verdict.NotExercised, "", func(s *spool) { s.pays(200, "r1", key(1)) }},
		{idemFresh, "keys are ignored", verdict.NotApplicable, "", ignored},
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
		{idemOpaque, "uuids", verdict.Pass, "", keys(key(1), key(2), key(3))},
		{idemOpaque, "random texts", verdict.Pass, "", keys("V1StGXR8_Z5jdHi6B-myT", "pay_3fQ9xLk2Wn7Rb0Zc", "01JD3Q8K9ZV5X2R7T4W6Y1B0NC")},
		{idemOpaque, "a uuid with the amount in it", verdict.Pass, "", keys("3f0c5000-5000-4f1f-8e9d-8c117b0c5b0e", key(2))},
		{idemOpaque, "the reference, which is random", verdict.Pass, "", func(s *spool) {
			for n := range 2 {
				s.pays(200, "order-"+key(n), "order-"+key(n))
			}
		}},
		{idemOpaque, "the reference", verdict.Fail, "", keys("charge-invoice-1000-first", key(2))},
		{idemOpaque, "the payer", verdict.Fail, "", keys("8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6/2026-03")},
		{idemOpaque, "the amount", verdict.Fail, "", keys("gymnasium-dana-march-5000", key(2))},
		{idemOpaque, "short", verdict.Fail, "", keys("a8Fk29xQ", key(2))},
		{idemOpaque, "a time", verdict.Fail, "", keys("1764000000000123456", key(2))},
		{idemOpaque, "a day", verdict.Fail, "", keys("march-fee-20260302", key(2))},
		{idemOpaque, "counted", verdict.Fail, "", keys("gymnasium-payment-0000a7", "gymnasium-payment-0000a8", "gymnasium-payment-0000a9")},
		{idemOpaque, "one key", verdict.NotExercised, "", keys(key(1))},
		{idemOpaque, "keys are ignored", verdict.NotApplicable, "", func(s *spool) {
			s.meta.Latitude = nil
			s.pays(200, "r1", "1")
		}},
		{idemOpaque, "no keys", verdict.NotExercised, "", keys("", "")},
	})
}

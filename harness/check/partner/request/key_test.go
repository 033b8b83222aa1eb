package request_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
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
	ignored := func(s *checktest.Tape) {
		s.Meta.Latitude = nil
		s.Pays(200, "r1", "")
	}
	refund := func(s *checktest.Tape, payment, key string) {
		s.Call("refundPayment", 200, checktest.At("/Payment/Refund/"+payment, ""), checktest.Sends(`{"amount":100}`), checktest.Keyed(key))
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(idemKey, "each", verdict.Pass, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(idemKey, "not each", verdict.Fail, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)); refund(s, "p1", "") }),
		checktest.On(idemKey, "refused anyway", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(400, "r1", "") }),
		checktest.On(idemKey, "no money", verdict.NotExercised, "", func(s *checktest.Tape) { s.Call("registerUser", 200) }),
		checktest.On(idemKey, "keys are ignored", verdict.NotApplicable, "", ignored),

		checktest.On(idemSame, "after 5xx", verdict.Pass, "", func(s *checktest.Tape) { s.Pays(503, "r1", checktest.Key(1)); s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(idemSame, "after a lost answer", verdict.Pass, "", func(s *checktest.Tape) { s.Pays(0, "r1", checktest.Key(1)); s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(idemSame, "beside a payment of the same", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(503, "", checktest.Key(1))
			s.Pays(200, "", checktest.Key(2))
			s.Pays(200, "", checktest.Key(1))
		}),
		checktest.On(idemSame, "another", verdict.Fail, "", func(s *checktest.Tape) { s.Pays(503, "r1", checktest.Key(1)); s.Pays(200, "r1", checktest.Key(2)) }),
		checktest.On(idemSame, "another, with a changed body", verdict.Fail, "", func(s *checktest.Tape) {
			s.Pays(500, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(2), checktest.Sends(`{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","reference":"r1","metadata":{"at":2}}`))
		}),
		checktest.On(idemSame, "none at all", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(503, "r1", ""); s.Pays(200, "r1", "") }),
		checktest.On(idemSame, "another after a lost answer", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(0, "r1", checktest.Key(1)); s.Pays(200, "r1", checktest.Key(2)) }),
		checktest.On(idemSame, "another payment later", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Pays(503, "", checktest.Key(1))
			s.Pass(24 * time.Hour)
			s.Pays(200, "", checktest.Key(2))
		}),
		checktest.On(idemSame, "no failure", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(idemSame, "keys are ignored", verdict.NotApplicable, "", ignored),
		checktest.On(idemSame, "one for each try, although keys are ignored", verdict.Fail, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			s.Pays(502, "r1", checktest.Key(1))
			s.Pass(time.Second)
			s.Pays(200, "r1", checktest.Key(2))
		}),
		checktest.On(idemSame, "another where the first may be bound to its answer, or much later, and keys are ignored", verdict.NotApplicable, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			s.Pays(500, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(2))
			s.Pays(0, "r2", checktest.Key(3))
			s.Pays(200, "r2", checktest.Key(4))
			s.Pays(503, "r3", checktest.Key(5))
			s.Pass(10 * time.Second)
			s.Pays(200, "r3", checktest.Key(6))
			s.Pays(503, "", checktest.Key(7))
			s.Pays(200, "", checktest.Key(8))
		}),

		checktest.On(idemFresh, "two", verdict.Pass, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)); s.Pays(200, "r2", checktest.Key(2)) }),
		checktest.On(idemFresh, "a repetition in another order", verdict.Pass, "", func(s *checktest.Tape) {
			s.Call("createPayment", 503, checktest.Keyed(checktest.Key(1)), checktest.Sends(`{"amount":1,"reference":"r1"}`))
			s.Call("createPayment", 200, checktest.Keyed(checktest.Key(1)), checktest.Sends(`{"reference": "r1", "amount": 1}`))
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(idemFresh, "a mended body", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(400, "", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(idemFresh, "one for two", verdict.Fail, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)); s.Pays(422, "r2", checktest.Key(1)) }),
		checktest.On(idemFresh, "one for two refunds", verdict.Fail, "", func(s *checktest.Tape) { refund(s, "p1", checktest.Key(1)); refund(s, "p2", checktest.Key(1)) }),
		checktest.On(idemFresh, "one call", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(idemFresh, "keys are ignored", verdict.NotApplicable, "", ignored),
		checktest.On(idemFresh, "keys are ignored, and sane", verdict.NotApplicable, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			s.Pays(200, "r1", checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2))
			s.Pays(503, "r3", checktest.Key(3))
			s.Pays(200, "r3", checktest.Key(3))
			refund(s, "p1", checktest.Key(1))
		}),
		checktest.On(idemFresh, "one for two, although keys are ignored", verdict.Fail, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			s.Pays(200, "r1", checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(1))
		}),
	})
}

func TestPartnerOpaqueKeys(t *testing.T) {
	t.Parallel()
	keys := func(list ...string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for n, k := range list {
				s.Pays(200, fmt.Sprintf("invoice-10%02d", n), k)
			}
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(idemOpaque, "uuids", verdict.Pass, "", keys(checktest.Key(1), checktest.Key(2), checktest.Key(3))),
		checktest.On(idemOpaque, "random texts", verdict.Pass, "", keys("V1StGXR8_Z5jdHi6B-myT", "pay_3fQ9xLk2Wn7Rb0Zc", "01JD3Q8K9ZV5X2R7T4W6Y1B0NC")),
		checktest.On(idemOpaque, "a uuid with the amount in it", verdict.Pass, "", keys("3f0c5000-5000-4f1f-8e9d-8c117b0c5b0e", checktest.Key(2))),
		checktest.On(idemOpaque, "the reference, which is random", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 2 {
				s.Pays(200, "order-"+checktest.Key(n), "order-"+checktest.Key(n))
			}
		}),
		checktest.On(idemOpaque, "the reference", verdict.Fail, "", keys("charge-invoice-1000-first", checktest.Key(2))),
		checktest.On(idemOpaque, "the payer", verdict.Fail, "", keys("8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6/2026-03")),
		checktest.On(idemOpaque, "the amount", verdict.Fail, "", keys("gymnasium-dana-march-5000", checktest.Key(2))),
		checktest.On(idemOpaque, "short", verdict.Fail, "", keys("a8Fk29xQ", checktest.Key(2))),
		checktest.On(idemOpaque, "a time", verdict.Fail, "", keys("1764000000000123456", checktest.Key(2))),
		checktest.On(idemOpaque, "a day", verdict.Fail, "", keys("march-fee-20260302", checktest.Key(2))),
		checktest.On(idemOpaque, "counted", verdict.Fail, "", keys("gymnasium-payment-0000a7", "gymnasium-payment-0000a8", "gymnasium-payment-0000a9")),
		checktest.On(idemOpaque, "one key", verdict.NotExercised, "", keys(checktest.Key(1))),
		checktest.On(idemOpaque, "keys are ignored", verdict.NotApplicable, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			s.Pays(200, "r1", "1")
		}),
		checktest.On(idemOpaque, "no keys", verdict.NotExercised, "", keys("", "")),
	})
}

package retry_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerOutcomeOdd: other ways to pay twice after a lost answer, and other
// ways not to.
func TestPartnerOutcomeOdd(t *testing.T) {
	t.Parallel()
	lose := func(s *checktest.Tape, reference, key string) {
		s.Becomes("payment", "p1", "", "Pending", s.Pays(0, reference, key, checktest.Faulty("f1: commit-then-drop")))
	}
	card := func(s *checktest.Tape, status int, k string) {
		s.Pass(100 * time.Millisecond)
		s.Call("chargeSavedCard", status, checktest.Keyed(k), checktest.Sends(`{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","paymentMethodId":"pm1"}`))
	}
	plays := func(s *checktest.Tape) {
		s.Pass(100 * time.Millisecond)
		s.Control("movePayment", "{}").Exchange.Path = "/_sandbox/integrations/default/payments/p0/approve"
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(outcome, "the card is charged instead", verdict.Fail, "", func(s *checktest.Tape) { lose(s, "r1", checktest.Key(1)); card(s, 200, checktest.Key(2)); s.Calls(9) }),
		checktest.On(outcome, "the card is refused", verdict.NotExercised, "", func(s *checktest.Tape) { lose(s, "r1", checktest.Key(1)); card(s, 402, checktest.Key(2)); s.Calls(9) }),
		checktest.On(outcome, "the key with another body, which is refused, then another key", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			s.Pays(422, "r1", checktest.Key(1), checktest.Sends(`{"amount":5000,"reference":"r1","metadata":{"try":2},"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6"}`))
			s.Pays(200, "r1", checktest.Key(2))
			s.Calls(9)
		}),
		checktest.On(outcome, "the key again while the first call is at work", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			s.Pays(409, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(1))
			s.Calls(9)
		}),
		checktest.On(outcome, "the key again, which the service ignores", verdict.Fail, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			lose(s, "r1", checktest.Key(1))
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r1", checktest.Key(1)))
			s.Calls(9)
		}),
		checktest.On(outcome, "the key again, which the service forgets to honour", verdict.Review, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r1", checktest.Key(1)))
			s.Calls(9)
		}),
		checktest.On(outcome, "the key again, of a call that had come to nothing", verdict.Pass, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			s.Pays(0, "r1", checktest.Key(1), checktest.Faulty("f1: cut-connection=start"))
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r1", checktest.Key(1)))
			s.Calls(9)
		}),
		checktest.On(outcome, "a look, and the key again, which the service ignores", verdict.Pass, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			lose(s, "r1", checktest.Key(1))
			s.Call("reportTransactions", 200)
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r1", checktest.Key(1)))
			s.Calls(9)
		}),
		checktest.On(outcome, "the key again after a new token", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			s.Pays(401, "r1", checktest.Key(1), checktest.Bearer("token-1", tape.AuthRevoked))
			s.Pays(200, "r1", checktest.Key(1))
			s.Calls(9)
		}),
		checktest.On(outcome, "hung up, then another key", verdict.Fail, "", func(s *checktest.Tape) {
			e := s.Pays(200, "r1", checktest.Key(1), checktest.Faulty("f1: latency=1m0s"))
			s.Hangup(e, 10*time.Second)
			s.Pays(200, "r1", checktest.Key(2))
			s.Calls(9)
		}),
		checktest.On(outcome, "the next test pays the same under another reference", verdict.NotExercised, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			plays(s)
			s.Pass(time.Second)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(9)
		}),
		checktest.On(outcome, "the same order after somebody played a payer", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			plays(s)
			s.Pays(200, "r1", checktest.Key(2))
			s.Calls(9)
		}),
		checktest.On(outcome, "the harness arms and lifts trouble meanwhile", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			s.Control("removeFault", "")
			s.Control("armFault", "{}")
			s.Control("resendDelivery", "{}")
			s.Pass(200 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(9)
		}),
		checktest.On(outcome, "the report is asked for, which fails", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, "r1", checktest.Key(1))
			s.Call("reportTransactions", 503)
			s.Pays(200, "r1", checktest.Key(2))
			s.Calls(9)
		}),
		checktest.On(outcome, "polls the state instead of webhooks", verdict.Pass, "", func(s *checktest.Tape) {
			e := s.Pays(200, "r1", checktest.Key(1), checktest.Faulty("f1: slow-body=1m0s"))
			s.Becomes("payment", "p1", "", "Pending", e)
			s.Hangup(e, 10*time.Second)
			s.Call("reportTransactions", 200)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(9)
		}),
	})
}

// TestLooksAfterFailures: who looks at the report before each repetition does not poll, also
// where two do so at a time.
func TestLooksAfterFailures(t *testing.T) {
	t.Parallel()
	looks := func(status int) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for range 4 {
				s.Pays(status, "r1", checktest.Key(1))
				s.Pays(status, "r2", checktest.Key(2))
				for range 2 {
					s.Pass(60 * time.Millisecond)
					s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", ""))
				}
			}
		}
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(polling, "a look after each failure", verdict.Pass, "", func(s *checktest.Tape) {
			s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", ""))
			s.Pass(time.Minute)
			looks(500)(s)
		}),
		checktest.On(polling, "many looks after one", verdict.Fail, "", func(s *checktest.Tape) {
			s.Pays(500, "r1", checktest.Key(1))
			for range 9 {
				s.Pass(60 * time.Millisecond)
				s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", ""))
			}
		}),
	})
}

// TestLooksBeside: a look at the report is that of one caller: the pauses of those beside do
// not all end with it, and are not the same for that.
func TestLooksBeside(t *testing.T) {
	t.Parallel()
	checktest.Odd(t, []checktest.Case{
		checktest.On("partner.retry.backoff", "three at a time that look one after the other", verdict.NotExercised, "", func(s *checktest.Tape) {
			for n := range 3 {
				s.Pays(500, "r"+checktest.Key(n), checktest.Key(n))
				s.Pass(-20 * time.Millisecond) // all at one moment
			}
			s.Pass(480 * time.Millisecond)
			for range 9 { // three pages each
				s.Pass(3 * time.Millisecond)
				s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", ""))
			}
			for n := range 3 {
				s.Pass(-15 * time.Millisecond) // which pays lets pass 20 of
				s.Pays(200, "r"+checktest.Key(n), checktest.Key(n))
			}
		}),
	})
}

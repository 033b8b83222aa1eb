package retry_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

const (
	outcome       = "partner.outcome.resolved"
	clientTimeout = "partner.client.timeout"
	polling       = "partner.polling.gentle"
	not4xx        = "partner.retry.not-4xx"
)

func TestPartnerOutcome(t *testing.T) {
	t.Parallel()
	lose := func(s *checktest.Tape, key string) *tape.Entry {
		e := s.Pays(0, "r1", key, checktest.Faulty("f1: commit-then-drop"))
		s.Becomes("payment", "p1", "", "Pending", e)
		return e
	}
	look := func(s *checktest.Tape, id string) {
		s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+id+"/Status", "")).Entities = []string{id}
	}
	told := func(s *checktest.Tape, e *tape.Entry, state string) {
		s.Becomes("payment", "p1", "Pending", state, nil)
		s.Attempt(s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"p1"}`, e, "p1"), "", 200)
	}
	heard := func(s *checktest.Tape, e *tape.Entry, state string) {
		told(s, e, state)
		s.Pays(200, "r1", checktest.Key(2))
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(outcome, "the same key", verdict.Pass, "", func(s *checktest.Tape) { lose(s, checktest.Key(1)); s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(outcome, "the same key, lost again", verdict.Pass, "manual", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Pays(0, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(outcome, "a report", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, "")
			s.Call("reportTransactions", 200)
			s.Pays(200, "r1", "")
		}),
		checktest.On(outcome, "a look at the state", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			look(s, "p1")
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "an event", verdict.Pass, "", func(s *checktest.Tape) {
			e := lose(s, checktest.Key(1))
			s.Attempt(s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"p1"}`, e, "p1"), "", 200)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "an event, and the same order again", verdict.Fail, "", func(s *checktest.Tape) { heard(s, lose(s, checktest.Key(1)), "Paid") }),
		checktest.On(outcome, "an event of what came to nothing, and the same order again", verdict.Pass, "", func(s *checktest.Tape) { heard(s, lose(s, checktest.Key(1)), "Failed") }),
		checktest.On(outcome, "an event, and the same order again with its key, which is ignored", verdict.Fail, "", func(s *checktest.Tape) {
			s.Meta.Latitude = nil
			told(s, lose(s, checktest.Key(1)), "Paid")
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r1", checktest.Key(1)))
		}),
		checktest.On(outcome, "an event, and the same order again with its key, which is honoured", verdict.Pass, "", func(s *checktest.Tape) {
			told(s, lose(s, checktest.Key(1)), "Paid")
			s.Pays(200, "r1", checktest.Key(1), checktest.Carries("Idempotent-Replayed", "true"))
		}),
		checktest.On(outcome, "the client hung up", verdict.Pass, "", func(s *checktest.Tape) {
			e := s.Pays(200, "r1", checktest.Key(1), checktest.Faulty("f1: latency=1m0s"))
			s.Hangup(e, 10*time.Second)
			s.Pays(200, "r1", checktest.Key(1), checktest.Carries("Idempotent-Replayed", "true"))
		}),
		checktest.On(outcome, "another key", verdict.Fail, "", func(s *checktest.Tape) { lose(s, checktest.Key(1)); s.Pays(200, "r1", checktest.Key(2)) }),
		checktest.On(outcome, "another key and reference", verdict.Fail, "manual", func(s *checktest.Tape) { lose(s, checktest.Key(1)); s.Pays(200, "r2", checktest.Key(2)); s.Calls(4) }),
		checktest.On(outcome, "a reference derived from the first, while others play payers", verdict.Fail, "", func(s *checktest.Tape) {
			e := s.Pays(0, "rental-77-efc8016d", "", checktest.Faulty("f1: commit-then-drop"))
			s.Becomes("payment", "p1", "", "Pending", e)
			s.Control("movePayment", `{}`)
			s.Pass(300 * time.Millisecond)
			s.Pays(200, "rental-77-efc8016d-again", "")
		}),
		checktest.On(outcome, "no key", verdict.Fail, "", func(s *checktest.Tape) { lose(s, ""); s.Pays(200, "r1", "") }),
		checktest.On(outcome, "a look at another payment", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			look(s, "p2")
			s.Pass(100 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(4)
		}),
		checktest.On(outcome, "another till pays as much while the loss is looked into", verdict.NotExercised, "", func(s *checktest.Tape) {
			lose(s, "")
			s.Pass(260 * time.Millisecond)
			s.Pays(200, "r2", "")
			s.Pass(100 * time.Millisecond)
			s.Call("reportTransactions", 200)
			s.Calls(4)
		}),
		checktest.On(outcome, "as a new order, and a look too late", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, "")
			s.Pass(260 * time.Millisecond)
			s.Pays(200, "r2", "")
			s.Pass(12 * time.Second)
			s.Call("reportTransactions", 200)
			s.Calls(4)
		}),
		checktest.On(outcome, "a refund in full made again blindly, refused, and looked up later", verdict.NotExercised, "", func(s *checktest.Tape) {
			for n, status := range []int{0, 400} {
				s.Call("refundPayment", status, checktest.Sends(`{"amount":100}`), checktest.Keyed(checktest.Key(n)))
			}
			s.Call("reportTransactions", 200)
		}),
		checktest.On(outcome, "a refund that was looked up first", verdict.Pass, "", func(s *checktest.Tape) {
			s.Call("refundPayment", 0, checktest.Sends(`{"amount":100}`))
			s.Call("reportTransactions", 200)
			s.Call("refundPayment", 400, checktest.Sends(`{"amount":100}`))
		}),
		checktest.On(outcome, "looked for under another reference, and paid again", verdict.Review, "", func(s *checktest.Tape) {
			lose(s, "")
			s.Call("reportTransactions", 200)
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r2", ""))
			s.Shows("p2", 0, 0)
		}),
		checktest.On(outcome, "found, and another order of the same payer", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, "")
			s.Call("reportTransactions", 200)
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r2", ""))
			s.Note(trail.NoteState, map[string]any{"payments": []map[string]any{{"paymentRequestId": "p1"}, {"paymentRequestId": "p2"}}})
		}),
		checktest.On(outcome, "found, canceled, and asked for anew", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, "")
			s.Call("reportTransactions", 200)
			s.Call("cancelPayment", 200)
			s.Becomes("payment", "p2", "", "Pending", s.Pays(200, "r2", ""))
			s.Shows("p2", 0, 0)
		}),
		checktest.On(outcome, "a refund twice", verdict.Fail, "", func(s *checktest.Tape) {
			for n, status := range []int{0, 200} {
				s.Call("refundPayment", status, checktest.Sends(`{"amount":100}`), checktest.Keyed(checktest.Key(n)))
			}
			s.Calls(4)
		}),
		checktest.On(outcome, "orders at the same time", verdict.Pass, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Now += int64(3 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Pays(200, "r3", checktest.Key(3))
			s.Pass(400 * time.Millisecond)
			s.Pays(200, "r1", checktest.Key(1))
			s.Calls(4)
		}),
		checktest.On(outcome, "orders without a reference", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(0, "", checktest.Key(1), checktest.Faulty("f1: commit-then-drop"))
			s.Pays(200, "", checktest.Key(2))
			s.Pays(200, "", checktest.Key(1))
			s.Calls(4)
		}),
		checktest.On(outcome, "orders at the same time, and no more", verdict.NotExercised, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(4)
		}),
		checktest.On(outcome, "the same order, and again with its key", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(2))
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(outcome, "another reference a moment later", verdict.Fail, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Pass(200 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(4)
		}),
		checktest.On(outcome, "another amount", verdict.NotExercised, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2), checktest.Sends(`{"amount":700,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6"}`))
		}),
		checktest.On(outcome, "the month after", verdict.NotExercised, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Pass(700 * time.Hour)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "another task", verdict.NotExercised, "", func(s *checktest.Tape) {
			lose(s, checktest.Key(1))
			s.Task(2, "createPayment", nil)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "nothing was lost", verdict.NotExercised, "", func(s *checktest.Tape) { s.Pays(503, "r1", checktest.Key(1)); s.Pays(200, "r1", checktest.Key(2)) }),
	})
}

func TestPartnerTimeout(t *testing.T) {
	t.Parallel()
	held := func(s *checktest.Tape, by string) *tape.Entry {
		return s.Call("listCompanies", 200, checktest.Faulty("f1: latency="+by))
	}
	after := func(d time.Duration) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Hangup(held(s, "1m0s"), d)
			s.Call("listCompanies", 200)
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(clientTimeout, "ten seconds", verdict.Pass, "", after(10*time.Second)),
		checktest.On(clientTimeout, "five seconds, seen from here", verdict.Pass, "manual", after(4998*time.Millisecond)),
		checktest.On(clientTimeout, "five seconds, of a machine under load", verdict.Pass, "", after(4200*time.Millisecond)),
		checktest.On(clientTimeout, "a second", verdict.Fail, "", after(time.Second)),
		checktest.On(clientTimeout, "started anew while it waited", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Hangup(held(s, "1m0s"), time.Second)
			s.Pass(2 * time.Second)
			s.Probed()
			s.Calls(3)
		}),
		checktest.On(clientTimeout, "none", verdict.Fail, "", func(s *checktest.Tape) {
			held(s, "30s; slow-body=30s")
			s.Pass(62 * time.Second)
			s.Call("listCompanies", 200)
		}),
		checktest.On(clientTimeout, "the application ended", verdict.NotExercised, "", func(s *checktest.Tape) { s.Hangup(held(s, "1m0s"), time.Second) }),
		checktest.On(clientTimeout, "waited for a while", verdict.NotExercised, "", func(s *checktest.Tape) {
			held(s, "20s")
			s.Pass(62 * time.Second)
			s.Call("listCompanies", 200)
		}),
		checktest.On(clientTimeout, "not over yet", verdict.NotExercised, "", func(s *checktest.Tape) { held(s, "1m0s"); s.Pass(20 * time.Second); s.Call("listCompanies", 200) }),
	})
}

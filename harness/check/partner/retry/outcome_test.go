package retry_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
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
	lose := func(s *checktest.Spool, key string) *tape.Entry {
		e := s.Pays(0, "r1", key, checktest.Faulty("f1: commit-then-drop"))
		s.Becomes("payment", "p1", "", "Pending", e)
		return e
	}
	look := func(s *checktest.Spool, id string) {
		s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+id+"/Status", "")).Entities = []string{id}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(outcome, "the same key", verdict.Pass, "", func(s *checktest.Spool) { lose(s, checktest.Key(1)); s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(outcome, "the same key, lost again", verdict.Pass, "manual", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Pays(0, "r1", checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(outcome, "a report", verdict.Pass, "", func(s *checktest.Spool) {
			lose(s, "")
			s.Call("reportTransactions", 200)
			s.Pays(200, "r1", "")
		}),
		checktest.On(outcome, "a look at the state", verdict.Pass, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			look(s, "p1")
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "an event", verdict.Pass, "", func(s *checktest.Spool) {
			e := lose(s, checktest.Key(1))
			s.Attempt(s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"p1"}`, e, "p1"), "", 200)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "the client hung up", verdict.Pass, "", func(s *checktest.Spool) {
			e := s.Pays(200, "r1", checktest.Key(1), checktest.Faulty("f1: latency=1m0s"))
			s.Hangup(e, 10*time.Second)
			s.Pays(200, "r1", checktest.Key(1), checktest.Carries("Idempotent-Replayed", "true"))
		}),
		checktest.On(outcome, "another key", verdict.Fail, "", func(s *checktest.Spool) { lose(s, checktest.Key(1)); s.Pays(200, "r1", checktest.Key(2)) }),
		checktest.On(outcome, "another key and reference", verdict.Fail, "manual", func(s *checktest.Spool) { lose(s, checktest.Key(1)); s.Pays(200, "r2", checktest.Key(2)); s.Calls(4) }),
		checktest.On(outcome, "a reference derived from the first, while others play payers", verdict.Fail, "", func(s *checktest.Spool) {
			e := s.Pays(0, "rental-77-efc8016d", "", checktest.Faulty("f1: commit-then-drop"))
			s.Becomes("payment", "p1", "", "Pending", e)
			s.Control("movePayment", `{}`)
			s.Pass(300 * time.Millisecond)
			s.Pays(200, "rental-77-efc8016d-again", "")
		}),
		checktest.On(outcome, "no key", verdict.Fail, "", func(s *checktest.Spool) { lose(s, ""); s.Pays(200, "r1", "") }),
		checktest.On(outcome, "a look at another payment", verdict.Fail, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			look(s, "p2")
			s.Pass(100 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(4)
		}),
		checktest.On(outcome, "another till pays as much while the loss is looked into", verdict.NotExercised, "", func(s *checktest.Spool) {
			lose(s, "")
			s.Pass(260 * time.Millisecond)
			s.Pays(200, "r2", "")
			s.Pass(100 * time.Millisecond)
			s.Call("reportTransactions", 200)
			s.Calls(4)
		}),
		checktest.On(outcome, "as a new order, and a look too late", verdict.Fail, "", func(s *checktest.Spool) {
			lose(s, "")
			s.Pass(260 * time.Millisecond)
			s.Pays(200, "r2", "")
			s.Pass(12 * time.Second)
			s.Call("reportTransactions", 200)
			s.Calls(4)
		}),
		checktest.On(outcome, "a refund twice", verdict.Fail, "", func(s *checktest.Spool) {
			for n, status := range []int{0, 200} {
				s.Call("refundPayment", status, checktest.Sends(`{"amount":100}`), checktest.Keyed(checktest.Key(n)))
			}
			s.Calls(4)
		}),
		checktest.On(outcome, "orders at the same time", verdict.Pass, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Now += int64(3 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Pays(200, "r3", checktest.Key(3))
			s.Pass(400 * time.Millisecond)
			s.Pays(200, "r1", checktest.Key(1))
			s.Calls(4)
		}),
		checktest.On(outcome, "orders without a reference", verdict.Pass, "", func(s *checktest.Spool) {
			s.Pays(0, "", checktest.Key(1), checktest.Faulty("f1: commit-then-drop"))
			s.Pays(200, "", checktest.Key(2))
			s.Pays(200, "", checktest.Key(1))
			s.Calls(4)
		}),
		checktest.On(outcome, "orders at the same time, and no more", verdict.NotExercised, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(4)
		}),
		checktest.On(outcome, "the same order, and again with its key", verdict.Fail, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Pays(200, "r1", checktest.Key(2))
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(outcome, "another reference a moment later", verdict.Fail, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Pass(200 * time.Millisecond)
			s.Pays(200, "r2", checktest.Key(2))
			s.Calls(4)
		}),
		checktest.On(outcome, "another amount", verdict.NotExercised, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Pays(200, "r2", checktest.Key(2), checktest.Sends(`{"amount":700,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6"}`))
		}),
		checktest.On(outcome, "the month after", verdict.NotExercised, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Pass(700 * time.Hour)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "another task", verdict.NotExercised, "", func(s *checktest.Spool) {
			lose(s, checktest.Key(1))
			s.Task(2, "createPayment", nil)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(outcome, "nothing was lost", verdict.NotExercised, "", func(s *checktest.Spool) { s.Pays(503, "r1", checktest.Key(1)); s.Pays(200, "r1", checktest.Key(2)) }),
	})
}

func TestPartnerTimeout(t *testing.T) {
	t.Parallel()
	held := func(s *checktest.Spool, by string) *tape.Entry {
		return s.Call("listCompanies", 200, checktest.Faulty("f1: latency="+by))
	}
	after := func(d time.Duration) func(s *checktest.Spool) {
		return func(s *checktest.Spool) {
			s.Hangup(held(s, "1m0s"), d)
			s.Call("listCompanies", 200)
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(clientTimeout, "ten seconds", verdict.Pass, "", after(10*time.Second)),
		checktest.On(clientTimeout, "five seconds, seen from here", verdict.Pass, "manual", after(4998*time.Millisecond)),
		checktest.On(clientTimeout, "five seconds, of a machine under load", verdict.Pass, "", after(4200*time.Millisecond)),
		checktest.On(clientTimeout, "a second", verdict.Fail, "", after(time.Second)),
		checktest.On(clientTimeout, "started anew while it waited", verdict.NotExercised, "", func(s *checktest.Spool) {
			s.Hangup(held(s, "1m0s"), time.Second)
			s.Pass(2 * time.Second)
			s.Probed()
			s.Calls(3)
		}),
		checktest.On(clientTimeout, "none", verdict.Fail, "", func(s *checktest.Spool) {
			held(s, "30s; slow-body=30s")
			s.Pass(62 * time.Second)
			s.Call("listCompanies", 200)
		}),
		checktest.On(clientTimeout, "the application ended", verdict.NotExercised, "", func(s *checktest.Spool) { s.Hangup(held(s, "1m0s"), time.Second) }),
		checktest.On(clientTimeout, "waited for a while", verdict.NotExercised, "", func(s *checktest.Spool) {
			held(s, "20s")
			s.Pass(62 * time.Second)
			s.Call("listCompanies", 200)
		}),
		checktest.On(clientTimeout, "not over yet", verdict.NotExercised, "", func(s *checktest.Spool) { held(s, "1m0s"); s.Pass(20 * time.Second); s.Call("listCompanies", 200) }),
	})
}

func TestPartnerPolling(t *testing.T) {
	t.Parallel()
	look := func(s *checktest.Spool, n int, every time.Duration, changes ...checktest.With) {
		for range n {
			s.Call("getPaymentStatus", 200, append(changes, checktest.At("/Payment/p1/Status", ""))...).Entities = []string{"p1"}
			s.Pass(every)
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(polling, "every second", verdict.Pass, "", func(s *checktest.Spool) { look(s, 20, time.Second) }),
		checktest.On(polling, "every second, and a machine that is late for some", verdict.Pass, "", func(s *checktest.Spool) {
			look(s, 4, 800*time.Millisecond)
			look(s, 5, time.Second)
		}),
		checktest.On(polling, "every 800 ms", verdict.Fail, "", func(s *checktest.Spool) { look(s, 20, 800*time.Millisecond) }),
		checktest.On(polling, "every minute of virtual time", verdict.Pass, "manual", func(s *checktest.Spool) {
			s.Virtual()
			look(s, 20, time.Minute)
		}),
		checktest.On(polling, "time that the test itself skips", verdict.NotExercised, "manual", func(s *checktest.Spool) { look(s, 20, 500*time.Millisecond) }),
		checktest.On(polling, "before each charge", verdict.Pass, "", func(s *checktest.Spool) {
			for range 6 {
				s.Call("getUserStatus", 200).Entities = []string{"dana"}
				s.Call("chargeSavedCard", 200, checktest.Sends(`{"registrationId":"dana","amount":1}`))
				s.Pass(50 * time.Millisecond)
			}
		}),
		checktest.On(polling, "because an event comes again and again", verdict.Pass, "", func(s *checktest.Spool) {
			event := s.Became("p1", "Pending", "Processing", nil)
			for range 7 {
				s.Pass(100 * time.Millisecond)
				look(s, 1, 20*time.Millisecond)
				s.Attempt(event, "duplicate", 200, checktest.Lasted(50*time.Millisecond))
			}
		}),
		checktest.On(polling, "after each change", verdict.Pass, "", func(s *checktest.Spool) {
			for range 9 {
				look(s, 1, 10*time.Millisecond)
				s.Becomes("payment", "p1", "Pending", "Processing", nil)
			}
		}),
		checktest.On(polling, "a company, after each change", verdict.Pass, "", func(s *checktest.Spool) {
			for range 9 {
				s.Call("getCompanyStatus", 200)
				s.Becomes("company", "c1", "Unverified", "Verified", nil)
			}
		}),
		checktest.On(polling, "many payments, then again", verdict.Pass, "", func(s *checktest.Spool) {
			for n := range 40 {
				id := fmt.Sprint("p", n%20)
				s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+id+"/Status", "")).Entities = []string{id}
				s.Pass(60 * time.Millisecond)
			}
		}),
		checktest.On(polling, "a report, after each change", verdict.Pass, "", func(s *checktest.Spool) {
			for range 9 {
				s.Call("reportTransactions", 200)
				s.Becomes("payment", "p1", "Pending", "Processing", nil)
			}
		}),
		checktest.On(polling, "a report ten times a second", verdict.Fail, "", func(s *checktest.Spool) {
			for range 9 {
				s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", "companyId=c1"))
				s.Pass(100 * time.Millisecond)
			}
		}),
		checktest.On(polling, "the pages of a report", verdict.NotExercised, "", func(s *checktest.Spool) {
			for n := range 9 {
				s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", fmt.Sprint("companyId=c1&cursor=", n)))
			}
		}),
		checktest.On(polling, "without a pause", verdict.Fail, "", func(s *checktest.Spool) { look(s, 6, 2*time.Millisecond) }),
		checktest.On(polling, "five times a second", verdict.Fail, "", func(s *checktest.Spool) { look(s, 30, 200*time.Millisecond) }),
		checktest.On(polling, "without a pause in virtual time", verdict.Fail, "manual", func(s *checktest.Spool) {
			s.Virtual()
			for range 6 {
				s.Call("getUserStatus", 200)
			}
		}),
		checktest.On(polling, "by an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Spool) {
			for range 6 {
				s.Call("getUserStatus", 200)
			}
		}),
		checktest.On(polling, "repetitions of what failed", verdict.NotExercised, "", func(s *checktest.Spool) {
			for range 9 {
				s.Call("getUserStatus", 503)
			}
		}),
		checktest.On(polling, "once", verdict.NotExercised, "", func(s *checktest.Spool) { look(s, 1, 0) }),
	})
}

func TestPartnerRefusals(t *testing.T) {
	t.Parallel()
	refused := func(s *checktest.Spool, status int) { s.Pays(status, "r1", checktest.Key(1)) }
	others := func(s *checktest.Spool) {
		for range 5 {
			s.Call("listCompanies", 200)
		}
	}
	missing := func(s *checktest.Spool, n int) {
		for range n {
			s.Call("getUserStatus", 404)
		}
		others(s)
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(not4xx, "once", verdict.Pass, "", func(s *checktest.Spool) { refused(s, 400); others(s) }),
		checktest.On(not4xx, "mended", verdict.Pass, "", func(s *checktest.Spool) { refused(s, 400); s.Pays(200, "r2", checktest.Key(2)); others(s) }),
		checktest.On(not4xx, "after something was changed", verdict.Pass, "", func(s *checktest.Spool) {
			refused(s, 400)
			s.Call("createCompany", 200)
			s.Pays(200, "r1", checktest.Key(1))
			others(s)
		}),
		checktest.On(not4xx, "after the payment was changed", verdict.Pass, "", func(s *checktest.Spool) {
			refund := func(status int) {
				s.Call("refundPayment", status, checktest.Sends(`{"amount":1}`)).Entities = []string{"p1"}
			}
			refund(400)
			s.Becomes("payment", "p1", "Processing", "Paid", nil)
			refund(200)
			others(s)
		}),
		checktest.On(not4xx, "the next day", verdict.Pass, "", func(s *checktest.Spool) { refused(s, 400); s.Pass(24 * time.Hour); refused(s, 400); others(s) }),
		checktest.On(not4xx, "two readers", verdict.Pass, "", func(s *checktest.Spool) { missing(s, 2) }),
		checktest.On(not4xx, "after somebody else has acted", verdict.Pass, "", func(s *checktest.Spool) {
			activate := func(status int) {
				s.Call("activatePlan", status, checktest.At("/PaymentPlan/plan1/Activate", "")).Entities = []string{"plan1"}
			}
			activate(400)
			s.Becomes("consent", "consent1", "Pending", "Accepted", nil)
			s.Pass(time.Second)
			activate(200)
			others(s)
		}),
		checktest.On(not4xx, "unchanged", verdict.Fail, "", func(s *checktest.Spool) { refused(s, 400); refused(s, 400) }),
		checktest.On(not4xx, "unchanged under another key", verdict.Fail, "", func(s *checktest.Spool) { refused(s, 422); s.Pays(422, "r1", checktest.Key(2)) }),
		checktest.On(not4xx, "reads again and again", verdict.Fail, "", func(s *checktest.Spool) { missing(s, 4) }),
		checktest.On(not4xx, "refused for the token", verdict.NotExercised, "", func(s *checktest.Spool) { refused(s, 401); refused(s, 200) }),
		checktest.On(not4xx, "put off", verdict.NotExercised, "", func(s *checktest.Spool) { refused(s, 429); refused(s, 200) }),
		checktest.On(not4xx, "still at work", verdict.NotExercised, "", func(s *checktest.Spool) { refused(s, 409); refused(s, 200) }),
		checktest.On(not4xx, "a late cancellation", verdict.NotExercised, "", func(s *checktest.Spool) { s.Call("cancelPayment", 400); s.Call("cancelPayment", 400); others(s) }),
		checktest.On(not4xx, "the end of the tape", verdict.NotExercised, "", func(s *checktest.Spool) { refused(s, 400) }),
	})
}

package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check"
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
	lose := func(s *spool, key string) *tape.Entry {
		e := s.pays(0, "r1", key, faulty("f1: commit-then-drop"))
		s.becomes("payment", "p1", "", "Pending", e)
		return e
	}
	look := func(s *spool, id string) {
		s.call("getPaymentStatus", 200, at("/Payment/"+id+"/Status", "")).Entities = []string{id}
	}
	playCases(t, []partnerCase{
		{outcome, "the same key", verdict.Pass, "", func(s *spool) { lose(s, key(1)); s.pays(200, "r1", key(1)) }},
		{outcome, "the same key, lost again", verdict.Pass, "manual", func(s *spool) { lose(s, key(1)); s.pays(0, "r1", key(1)); s.pays(200, "r1", key(1)) }},
		{outcome, "a report", verdict.Pass, "", func(s *spool) {
			lose(s, "")
			s.call("reportTransactions", 200)
			s.pays(200, "r1", "")
		}},
		{outcome, "a look at the state", verdict.Pass, "", func(s *spool) { lose(s, key(1)); look(s, "p1"); s.pays(200, "r2", key(2)) }},
		{outcome, "an event", verdict.Pass, "", func(s *spool) {
			e := lose(s, key(1))
			s.attempt(s.event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"p1"}`, e, "p1"), "", 200)
			s.pays(200, "r2", key(2))
		}},
		{outcome, "the client hung up", verdict.Pass, "", func(s *spool) {
			e := s.pays(200, "r1", key(1), faulty("f1: latency=1m0s"))
			s.hangup(e, 10*time.Second)
			s.pays(200, "r1", key(1), carries("Idempotent-Replayed", "true"))
		}},
		{outcome, "another key", verdict.Fail, "", func(s *spool) { lose(s, key(1)); s.pays(200, "r1", key(2)) }},
		{outcome, "another key and reference", verdict.Fail, "manual", func(s *spool) { lose(s, key(1)); s.pays(200, "r2", key(2)); s.calls(4) }},
		{outcome, "no key", verdict.Fail, "", func(s *spool) { lose(s, ""); s.pays(200, "r1", "") }},
		{outcome, "a look at another payment", verdict.Fail, "", func(s *spool) {
			lose(s, key(1))
			look(s, "p2")
			s.pass(100 * ms)
			s.pays(200, "r2", key(2))
			s.calls(4)
		}},
		{outcome, "a refund twice", verdict.Fail, "", func(s *spool) {
			for n, status := range []int{0, 200} {
				s.call("refundPayment", status, sends(`{"amount":100}`), keyed(key(n)))
			}
			s.calls(4)
		}},
		{outcome, "orders at the same time", verdict.Pass, "", func(s *spool) {
			lose(s, key(1))
			s.now += int64(3 * ms)
			s.pays(200, "r2", key(2))
			s.pays(200, "r3", key(3))
			s.pass(400 * ms)
			s.pays(200, "r1", key(1))
			s.calls(4)
		}},
		{outcome, "orders without a reference", verdict.Pass, "", func(s *spool) {
			s.pays(0, "", key(1), faulty("f1: commit-then-drop"))
			s.pays(200, "", key(2))
			s.pays(200, "", key(1))
			s.calls(4)
		}},
		{outcome, "orders at the same time, and no more", verdict.NotExercised, "", func(s *spool) {
			lose(s, key(1))
			s.pays(200, "r2", key(2))
			s.calls(4)
		}},
		{outcome, "the same order, and again with its key", verdict.Fail, "", func(s *spool) { lose(s, key(1)); s.pays(200, "r1", key(2)); s.pays(200, "r1", key(1)) }},
		{outcome, "another reference a moment later", verdict.Fail, "", func(s *spool) {
			lose(s, key(1))
			s.pass(200 * ms)
			s.pays(200, "r2", key(2))
			s.calls(4)
		}},
		{outcome, "another amount", verdict.NotExercised, "", func(s *spool) {
			lose(s, key(1))
			s.pays(200, "r2", key(2), sends(`{"amount":700,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6"}`))
		}},
		{outcome, "the month after", verdict.NotExercised, "", func(s *spool) { lose(s, key(1)); s.pass(700 * time.Hour); s.pays(200, "r2", key(2)) }},
		{outcome, "another task", verdict.NotExercised, "", func(s *spool) {
			lose(s, key(1))
			s.note(check.NoteTask, map[string]any{"id": 2, "do": "createPayment"})
			s.pays(200, "r2", key(2))
		}},
		{outcome, "nothing was lost", verdict.NotExercised, "", func(s *spool) { s.pays(503, "r1", key(1)); s.pays(200, "r1", key(2)) }},
	})
}

func TestPartnerTimeout(t *testing.T) {
	t.Parallel()
	held := func(s *spool, by string) *tape.Entry { return s.call("listCompanies", 200, faulty("f1: latency="+by)) }
	after := func(d time.Duration) func(s *spool) {
		return func(s *spool) {
			s.hangup(held(s, "1m0s"), d)
			s.call("listCompanies", 200)
		}
	}
	playCases(t, []partnerCase{
		{clientTimeout, "ten seconds", verdict.Pass, "", after(10 * time.Second)},
		{clientTimeout, "five seconds, seen from here", verdict.Pass, "manual", after(4998 * time.Millisecond)},
		{clientTimeout, "a second", verdict.Fail, "", after(time.Second)},
		{clientTimeout, "started anew while it waited", verdict.NotExercised, "", func(s *spool) {
			s.hangup(held(s, "1m0s"), time.Second)
			s.pass(2 * time.Second)
			s.note(check.NoteProbe, map[string]any{"url": "http://127.0.0.1:9/state"})
			s.calls(3)
		}},
		{clientTimeout, "none", verdict.Fail, "", func(s *spool) {
			held(s, "30s; slow-body=30s")
			s.pass(62 * time.Second)
			s.call("listCompanies", 200)
		}},
		{clientTimeout, "the application ended", verdict.NotExercised, "", func(s *spool) { s.hangup(held(s, "1m0s"), time.Second) }},
		{clientTimeout, "waited for a while", verdict.NotExercised, "", func(s *spool) {
			held(s, "20s")
			s.pass(62 * time.Second)
			s.call("listCompanies", 200)
		}},
		{clientTimeout, "not over yet", verdict.NotExercised, "", func(s *spool) { held(s, "1m0s"); s.pass(20 * time.Second); s.call("listCompanies", 200) }},
	})
}

func TestPartnerPolling(t *testing.T) {
	t.Parallel()
	look := func(s *spool, n int, every time.Duration, changes ...with) {
		for range n {
			s.call("getPaymentStatus", 200, append(changes, at("/Payment/p1/Status", ""))...).Entities = []string{"p1"}
			s.pass(every)
		}
	}
	playCases(t, []partnerCase{
		{polling, "every second", verdict.Pass, "", func(s *spool) { look(s, 20, time.Second) }},
		{polling, "every minute of virtual time", verdict.Pass, "manual", func(s *spool) { look(s, 20, time.Minute) }},
		{polling, "after each change", verdict.Pass, "", func(s *spool) {
			for range 9 {
				look(s, 1, 10*time.Millisecond)
				s.becomes("payment", "p1", "Pending", "Processing", nil)
			}
		}},
		{polling, "a company, after each change", verdict.Pass, "", func(s *spool) {
			for range 9 {
				s.call("getCompanyStatus", 200)
				s.becomes("company", "c1", "Unverified", "Verified", nil)
			}
		}},
		{polling, "many payments, then again", verdict.Pass, "", func(s *spool) {
			for n := range 40 {
				id := fmt.Sprint("p", n%20)
				s.call("getPaymentStatus", 200, at("/Payment/"+id+"/Status", "")).Entities = []string{id}
				s.pass(60 * time.Millisecond)
			}
		}},
		{polling, "a report, after each change", verdict.Pass, "", func(s *spool) {
			for range 9 {
				s.call("reportTransactions", 200)
				s.becomes("payment", "p1", "Pending", "Processing", nil)
			}
		}},
		{polling, "a report ten times a second", verdict.Fail, "", func(s *spool) {
			for range 9 {
				s.call("reportTransactions", 200, at("/Transaction/Report", "companyId=c1"))
				s.pass(100 * time.Millisecond)
			}
		}},
		{polling, "the pages of a report", verdict.NotExercised, "", func(s *spool) {
			for n := range 9 {
				s.call("reportTransactions", 200, at("/Transaction/Report", fmt.Sprint("companyId=c1&cursor=", n)))
			}
		}},
		{polling, "without a pause", verdict.Fail, "", func(s *spool) { look(s, 6, 2*time.Millisecond) }},
		{polling, "five times a second", verdict.Fail, "", func(s *spool) { look(s, 30, 200*time.Millisecond) }},
		{polling, "without a pause in virtual time", verdict.Fail, "manual", func(s *spool) {
			s.note(check.NoteVirtual, map[string]any{})
			for range 6 {
				s.call("getUserStatus", 200)
			}
		}},
		{polling, "by an application with a watch of its own", verdict.NotExercised, "manual", func(s *spool) {
			for range 6 {
				s.call("getUserStatus", 200)
			}
		}},
		{polling, "repetitions of what failed", verdict.NotExercised, "", func(s *spool) {
			for range 9 {
				s.call("getUserStatus", 503)
			}
		}},
		{polling, "once", verdict.NotExercised, "", func(s *spool) { look(s, 1, 0) }},
	})
}

func TestPartnerRefusals(t *testing.T) {
	t.Parallel()
	refused := func(s *spool, status int) { s.pays(status, "r1", key(1)) }
	others := func(s *spool) {
		for range 5 {
			s.call("listCompanies", 200)
		}
	}
	missing := func(s *spool, n int) {
		for range n {
			s.call("getUserStatus", 404)
		}
		others(s)
	}
	playCases(t, []partnerCase{
		{not4xx, "once", verdict.Pass, "", func(s *spool) { refused(s, 400); others(s) }},
		{not4xx, "mended", verdict.Pass, "", func(s *spool) { refused(s, 400); s.pays(200, "r2", key(2)); others(s) }},
		{not4xx, "after something was changed", verdict.Pass, "", func(s *spool) {
			refused(s, 400)
			s.call("createCompany", 200)
			s.pays(200, "r1", key(1))
			others(s)
		}},
		{not4xx, "after the payment was changed", verdict.Pass, "", func(s *spool) {
			refund := func(status int) { s.call("refundPayment", status, sends(`{"amount":1}`)).Entities = []string{"p1"} }
			refund(400)
			s.becomes("payment", "p1", "Processing", "Paid", nil)
			refund(200)
			others(s)
		}},
		{not4xx, "the next day", verdict.Pass, "", func(s *spool) { refused(s, 400); s.pass(24 * time.Hour); refused(s, 400); others(s) }},
		{not4xx, "two readers", verdict.Pass, "", func(s *spool) { missing(s, 2) }},
		{not4xx, "unchanged", verdict.Fail, "", func(s *spool) { refused(s, 400); refused(s, 400) }},
		{not4xx, "unchanged under another key", verdict.Fail, "", func(s *spool) { refused(s, 422); s.pays(422, "r1", key(2)) }},
		{not4xx, "reads again and again", verdict.Fail, "", func(s *spool) { missing(s, 4) }},
		{not4xx, "refused for the token", verdict.NotExercised, "", func(s *spool) { refused(s, 401); refused(s, 200) }},
		{not4xx, "put off", verdict.NotExercised, "", func(s *spool) { refused(s, 429); refused(s, 200) }},
		{not4xx, "still at work", verdict.NotExercised, "", func(s *spool) { refused(s, 409); refused(s, 200) }},
		{not4xx, "a late cancellation", verdict.NotExercised, "", func(s *spool) { s.call("cancelPayment", 400); s.call("cancelPayment", 400); others(s) }},
		{not4xx, "the end of the tape", verdict.NotExercised, "", func(s *spool) { refused(s, 400) }},
	})
}

package retry_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

func TestPartnerPolling(t *testing.T) {
	t.Parallel()
	look := func(s *checktest.Tape, n int, every time.Duration, changes ...checktest.With) {
		for range n {
			s.Call("getPaymentStatus", 200, append(changes, checktest.At("/Payment/p1/Status", ""))...).Entities = []string{"p1"}
			s.Pass(every)
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(polling, "every second", verdict.Pass, "", func(s *checktest.Tape) { look(s, 20, time.Second) }),
		checktest.On(polling, "every second, and a machine that is late for some", verdict.Pass, "", func(s *checktest.Tape) {
			look(s, 4, 800*time.Millisecond)
			look(s, 5, time.Second)
		}),
		checktest.On(polling, "every 800 ms", verdict.Fail, "", func(s *checktest.Tape) { look(s, 20, 800*time.Millisecond) }),
		checktest.On(polling, "every minute of virtual time", verdict.Pass, "manual", func(s *checktest.Tape) {
			s.Virtual()
			look(s, 20, time.Minute)
		}),
		checktest.On(polling, "time that the test itself skips", verdict.NotExercised, "manual", func(s *checktest.Tape) { look(s, 20, 500*time.Millisecond) }),
		checktest.On(polling, "before each charge", verdict.Pass, "", func(s *checktest.Tape) {
			for range 6 {
				s.Call("getUserStatus", 200).Entities = []string{"dana"}
				s.Call("chargeSavedCard", 200, checktest.Sends(`{"registrationId":"dana","amount":1}`))
				s.Pass(50 * time.Millisecond)
			}
		}),
		checktest.On(polling, "because an event comes again and again", verdict.Pass, "", func(s *checktest.Tape) {
			event := s.Became("p1", "Pending", "Processing", nil)
			for range 7 {
				s.Pass(100 * time.Millisecond)
				look(s, 1, 20*time.Millisecond)
				s.Attempt(event, "duplicate", 200, checktest.Lasted(50*time.Millisecond))
			}
		}),
		checktest.On(polling, "by a queue, once for each delivery that was answered before", verdict.Pass, "", func(s *checktest.Tape) {
			event := s.Became("p1", "Pending", "Processing", nil)
			for range 7 {
				s.Attempt(event, "duplicate", 200, checktest.Lasted(5*time.Millisecond))
				s.Pass(40 * time.Millisecond)
				look(s, 1, 20*time.Millisecond)
			}
		}),
		checktest.On(polling, "again and again after one delivery", verdict.Fail, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200, checktest.Lasted(5*time.Millisecond))
			s.Pass(40 * time.Millisecond)
			look(s, 7, 20*time.Millisecond)
		}),
		checktest.On(polling, "after each cancellation that was refused", verdict.Pass, "", func(s *checktest.Tape) {
			for range 7 {
				s.Call("cancelPayment", 400).Entities = []string{"p1"}
				look(s, 1, 20*time.Millisecond)
			}
		}),
		checktest.On(polling, "after each change", verdict.Pass, "", func(s *checktest.Tape) {
			for range 9 {
				look(s, 1, 10*time.Millisecond)
				s.Becomes("payment", "p1", "Pending", "Processing", nil)
			}
		}),
		checktest.On(polling, "a company, after each change", verdict.Pass, "", func(s *checktest.Tape) {
			for range 9 {
				s.Call("getCompanyStatus", 200)
				s.Becomes("company", "c1", "Unverified", "Verified", nil)
			}
		}),
		checktest.On(polling, "many payments, then again", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 40 {
				id := fmt.Sprint("p", n%20)
				s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+id+"/Status", "")).Entities = []string{id}
				s.Pass(60 * time.Millisecond)
			}
		}),
		checktest.On(polling, "a report, after each change", verdict.Pass, "", func(s *checktest.Tape) {
			for range 9 {
				s.Call("reportTransactions", 200)
				s.Becomes("payment", "p1", "Pending", "Processing", nil)
			}
		}),
		checktest.On(polling, "a report ten times a second", verdict.Fail, "", func(s *checktest.Tape) {
			for range 9 {
				s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", "companyId=c1"))
				s.Pass(100 * time.Millisecond)
			}
		}),
		checktest.On(polling, "the pages of a report", verdict.NotExercised, "", func(s *checktest.Tape) {
			for n := range 9 {
				s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", fmt.Sprint("companyId=c1&cursor=", n)))
			}
		}),
		checktest.On(polling, "without a pause", verdict.Fail, "", func(s *checktest.Tape) { look(s, 6, 2*time.Millisecond) }),
		checktest.On(polling, "five times a second", verdict.Fail, "", func(s *checktest.Tape) { look(s, 30, 200*time.Millisecond) }),
		checktest.On(polling, "without a pause in virtual time", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Virtual()
			for range 6 {
				s.Call("getUserStatus", 200)
			}
		}),
		checktest.On(polling, "by an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Tape) {
			for range 6 {
				s.Call("getUserStatus", 200)
			}
		}),
		checktest.On(polling, "repetitions of what failed", verdict.NotExercised, "", func(s *checktest.Tape) {
			for range 9 {
				s.Call("getUserStatus", 503)
			}
		}),
		checktest.On(polling, "once", verdict.NotExercised, "", func(s *checktest.Tape) { look(s, 1, 0) }),
	})
}

func TestPartnerRefusals(t *testing.T) {
	t.Parallel()
	refused := func(s *checktest.Tape, status int) { s.Pays(status, "r1", checktest.Key(1)) }
	others := func(s *checktest.Tape) {
		for range 5 {
			s.Call("listCompanies", 200)
		}
	}
	missing := func(s *checktest.Tape, n int) {
		for range n {
			s.Call("getUserStatus", 404)
		}
		others(s)
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(not4xx, "once", verdict.Pass, "", func(s *checktest.Tape) { refused(s, 400); others(s) }),
		checktest.On(not4xx, "mended", verdict.Pass, "", func(s *checktest.Tape) { refused(s, 400); s.Pays(200, "r2", checktest.Key(2)); others(s) }),
		checktest.On(not4xx, "after something was changed", verdict.Pass, "", func(s *checktest.Tape) {
			refused(s, 400)
			s.Call("createCompany", 200)
			s.Pays(200, "r1", checktest.Key(1))
			others(s)
		}),
		checktest.On(not4xx, "after the payment was changed", verdict.Pass, "", func(s *checktest.Tape) {
			refund := func(status int) {
				s.Call("refundPayment", status, checktest.Sends(`{"amount":1}`)).Entities = []string{"p1"}
			}
			refund(400)
			s.Becomes("payment", "p1", "Processing", "Paid", nil)
			refund(200)
			others(s)
		}),
		checktest.On(not4xx, "the next day", verdict.Pass, "", func(s *checktest.Tape) { refused(s, 400); s.Pass(24 * time.Hour); refused(s, 400); others(s) }),
		checktest.On(not4xx, "two readers", verdict.Pass, "", func(s *checktest.Tape) { missing(s, 2) }),
		checktest.On(not4xx, "after somebody else has acted", verdict.Pass, "", func(s *checktest.Tape) {
			activate := func(status int) {
				s.Call("activatePlan", status, checktest.At("/PaymentPlan/plan1/Activate", "")).Entities = []string{"plan1"}
			}
			activate(400)
			s.Becomes("consent", "consent1", "Pending", "Accepted", nil)
			s.Pass(time.Second)
			activate(200)
			others(s)
		}),
		checktest.On(not4xx, "unchanged", verdict.Fail, "", func(s *checktest.Tape) { refused(s, 400); refused(s, 400) }),
		checktest.On(not4xx, "unchanged under another key", verdict.Fail, "", func(s *checktest.Tape) { refused(s, 422); s.Pays(422, "r1", checktest.Key(2)) }),
		checktest.On(not4xx, "reads again and again", verdict.Fail, "", func(s *checktest.Tape) { missing(s, 4) }),
		checktest.On(not4xx, "refused for the token", verdict.NotExercised, "", func(s *checktest.Tape) { refused(s, 401); refused(s, 200) }),
		checktest.On(not4xx, "put off", verdict.NotExercised, "", func(s *checktest.Tape) { refused(s, 429); refused(s, 200) }),
		checktest.On(not4xx, "still at work", verdict.NotExercised, "", func(s *checktest.Tape) { refused(s, 409); refused(s, 200) }),
		checktest.On(not4xx, "a late cancellation", verdict.NotExercised, "", func(s *checktest.Tape) { s.Call("cancelPayment", 400); s.Call("cancelPayment", 400); others(s) }),
		checktest.On(not4xx, "the end of the tape", verdict.NotExercised, "", func(s *checktest.Tape) { refused(s, 400) }),
	})
}

package retry_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

func TestPartnerRetryAfter(t *testing.T) {
	t.Parallel()
	after := func(status int, wait string, gap time.Duration) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Pays(status, "r1", checktest.Key(1), checktest.Carries("Retry-After", wait))
			s.Pass(gap - 20*time.Millisecond)
			s.Pays(200, "r1", checktest.Key(1))
		}
	}
	goesOn := func(s *checktest.Tape) {
		for range 4 {
			s.Call("getUserStatus", 200)
		}
	}
	reader := func(gaps ...time.Duration) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Call("listCompanies", 503, checktest.Carries("Retry-After", "2"))
			for _, g := range gaps {
				s.Pass(g)
				s.Call("listCompanies", 200)
			}
			goesOn(s)
		}
	}
	// another is a reader that comes while one was put off, and maybe is put off too.
	another := func(status int) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Call("listCompanies", 429, checktest.Carries("Retry-After", "1"))
			s.Pass(500 * time.Millisecond)
			s.Call("listCompanies", status, checktest.Carries("Retry-After", "1"))
			s.Pass(510 * time.Millisecond)
			s.Call("listCompanies", 200)
			s.Pass(500 * time.Millisecond)
			s.Call("listCompanies", 200)
			goesOn(s)
		}
	}
	// twoPayments are readings of two payments that are put off, and are made again early, and after that once more.
	twoPayments := func(wait string, early, late time.Duration) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for _, path := range []string{"/Payment/p1/Status", "/Payment/p2/Status"} {
				s.Call("getPaymentStatus", 429, checktest.At(path, ""), checktest.Carries("Retry-After", wait))
				s.Pass(early)
				s.Call("getPaymentStatus", 200, checktest.At(path, ""))
				s.Pass(late)
				s.Call("getPaymentStatus", 200, checktest.At(path, ""))
				s.Pass(time.Minute)
			}
		}
	}
	// events are readings because of so many events, on a machine that is late with everything.
	events := func(n int) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for _, id := range []string{"p1", "p2"} {
				about := checktest.At("/Payment/"+id+"/Status", "")
				for _, status := range []string{"Processing", "Paid"}[:n] {
					s.Attempt(s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"`+id+`","Status":"`+status+`"}`, nil, id), "", 200)
				}
				s.Pass(400 * time.Millisecond)
				s.Call("getPaymentStatus", 429, about, checktest.Carries("Retry-After", "3")).Entities = []string{id}
				s.Pass(20 * time.Millisecond)
				s.Call("getPaymentStatus", 200, about).Entities = []string{id}
				s.Pass(9 * time.Second)
				s.Call("getPaymentStatus", 200, about).Entities = []string{id}
				s.Pass(time.Minute)
			}
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(retryAfter, "a second", verdict.Pass, "", after(503, "1", time.Second)),
		checktest.On(retryAfter, "a second of virtual time", verdict.Pass, "manual", after(429, "1", 1100*time.Millisecond)),
		checktest.On(retryAfter, "a reader beside", verdict.Pass, "", reader(10*time.Millisecond, 2*time.Second)),
		checktest.On(retryAfter, "too early", verdict.Fail, "", after(503, "2", time.Second)),
		checktest.On(retryAfter, "at once", verdict.Fail, "", after(429, "1", 20*time.Millisecond)),
		checktest.On(retryAfter, "another reader", verdict.Pass, "", another(200)),
		checktest.On(retryAfter, "another reader, put off too", verdict.Pass, "", another(429)),
		checktest.On(retryAfter, "one reading too early", verdict.NotExercised, "", reader(100*time.Millisecond)),
		checktest.On(retryAfter, "readings too early", verdict.Fail, "", func(s *checktest.Tape) {
			reader(100 * time.Millisecond)(s)
			s.Pass(time.Minute)
			reader(200 * time.Millisecond)(s)
		}),
		checktest.On(retryAfter, "readings too early, and later ones for another reason", verdict.Fail, "", twoPayments("1", 80*time.Millisecond, 1600*time.Millisecond)),
		checktest.On(retryAfter, "a reader beside, and the waited reading late where much runs", verdict.Pass, "", twoPayments("3", 20*time.Millisecond, 3900*time.Millisecond)),
		checktest.On(retryAfter, "a reader beside that every event has look, and a machine that is very slow", verdict.Pass, "", func(s *checktest.Tape) {
			for _, id := range []string{"p1", "p2"} {
				about := checktest.At("/Payment/"+id+"/Status", "")
				s.Call("getPaymentStatus", 429, about, checktest.Carries("Retry-After", "3"))
				s.Pass(time.Second)
				s.Attempt(s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"`+id+`","Status":"Paid"}`, nil, id), "", 200)
				s.Pass(20 * time.Millisecond)
				s.Call("getPaymentStatus", 200, about).Entities = []string{id}
				s.Pass(9 * time.Second)
				s.Call("getPaymentStatus", 200, about)
				s.Pass(time.Minute)
			}
		}),
		checktest.On(retryAfter, "readings because of two events each, of which the second was sent before the first was put off", verdict.Pass, "", events(2)),
		checktest.On(retryAfter, "readings by two at the same time, of which the one had to wait for its answer", verdict.NotExercised, "", func(s *checktest.Tape) {
			for _, path := range []string{"/Payment/p1/Status", "/Payment/p2/Status"} {
				s.Call("getPaymentStatus", 429, checktest.At(path, ""), checktest.Carries("Retry-After", "3"), checktest.Faulty("f1: status=429; latency=200ms"))
				s.Pass(100 * time.Millisecond)
				s.Call("getPaymentStatus", 200, checktest.At(path, ""))
				s.Pass(time.Minute)
			}
			goesOn(s)
		}),
		checktest.On(retryAfter, "two readings because of one event each", verdict.Fail, "", events(1)),
		checktest.On(retryAfter, "a clock that was moved meanwhile, which took its time", verdict.NotExercised, "", func(s *checktest.Tape) {
			for _, path := range []string{"/Payment/p1/Status", "/Payment/p2/Status"} {
				s.Call("getPaymentStatus", 429, checktest.At(path, ""), checktest.Carries("Retry-After", "3"))
				s.Move(6 * time.Second)
				s.Pass(2300 * time.Millisecond) // of which the move has taken a part
				s.Call("getPaymentStatus", 200, checktest.At(path, ""))
				s.Pass(time.Minute)
			}
			s.Call("listCompanies", 200)
		}),
		checktest.On(retryAfter, "another payment of the same content", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Pays(429, "", checktest.Key(1), checktest.Carries("Retry-After", "1"))
			s.Pays(200, "", checktest.Key(2))
		}),
		checktest.On(retryAfter, "a reader in a loop", verdict.Fail, "", reader(time.Millisecond, time.Millisecond)),
		checktest.On(retryAfter, "in virtual time", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Virtual()
			reader(0, 0, 0)(s)
		}),
		checktest.On(retryAfter, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Tape) {
			s.Call("createPayment", 503, checktest.Carries("Retry-After", "2"))
			s.Call("createPayment", 200)
		}),
		checktest.On(retryAfter, "not made again", verdict.NotExercised, "", reader()),
		checktest.On(retryAfter, "nothing to obey", verdict.NotExercised, "", func(s *checktest.Tape) { s.Fails(1, 100*time.Millisecond, 200*time.Millisecond) }),
	})
}

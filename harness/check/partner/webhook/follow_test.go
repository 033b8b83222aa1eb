package webhook_test

import (
	"strconv"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// follows plays payments of which some deliveries are forged, and refused, and
// an application that reads the status after those, or after all.
func follows(s *checktest.Tape, all bool) {
	for i := range 18 {
		id, profile, status := "p"+strconv.Itoa(i), "", 200
		if i%3 == 0 {
			profile, status = "missing-signature", 401
		}
		s.Attempt(s.Became(id, "Pending", "Processing", s.Payment(id)), profile, status)
		if s.Pass(20 * time.Millisecond); all || status == 401 {
			s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+id+"/Status", ""))
		}
		s.Pass(100 * time.Millisecond)
	}
}

func TestPartnerFollowUp(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.no-follow-up"
	// forged plays a payment that is Paid after a while, of which a forgery tells.
	forged := func(s *checktest.Tape, status int) *tape.Entry {
		s.Payment("p1")
		s.Pass(20 * time.Second)
		e := s.Became("p1", "Processing", "Paid", nil)
		s.Attempt(e, "altered-byte", status)
		return e
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "nothing follows", verdict.Pass, "", func(s *checktest.Tape) {
			e := forged(s, 401)
			s.Pass(5 * time.Second)
			s.Attempt(e, "", 200)
			s.Call("getPaymentStatus", 200)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "read because of what had come before, and was answered late", verdict.Pass, "real", func(s *checktest.Tape) {
			for i := range 6 {
				p := "p" + strconv.Itoa(i)
				s.Payment(p)
				s.Pass(20 * time.Second)
				before := s.Became(p, "Pending", "Processing", nil)
				e := s.Became(p, "Processing", "Paid", nil)
				if i < 3 {
					s.Pass(6 * time.Second)
					s.Attempt(before, "", 200, checktest.Lasted(6*time.Second))
					s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+p+"/Status", "")).Entities = []string{p}
				}
				s.Attempt(e, "altered-signature", 401)
			}
			s.Pass(20 * time.Second)
			s.Call("listCompanies", 200)
		}),
		checktest.On(id, "read because the same came well to another address", verdict.Pass, "real", func(s *checktest.Tape) {
			for i := range 12 {
				p := "p" + strconv.Itoa(i)
				s.Payment(p)
				s.Pass(20 * time.Second)
				e := s.Became(p, "Processing", "Paid", nil)
				if i < 10 {
					s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+p+"/Status", "")).Entities = []string{p}
					s.Pass(5 * time.Millisecond)
					s.Attempt(e, "", 200, func(a *tape.Attempt) { a.Endpoint = "endpoint-2" })
				}
				s.Attempt(e, "altered-signature", 401)
			}
			s.Pass(20 * time.Second)
			s.Call("listCompanies", 200)
		}),
		checktest.On(id, "fulfilled as others are that are not Paid", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p0")
			s.Attempt(s.Became("p0", "Pending", "Processing", nil), "", 200)
			s.Shows("p0", 1, 0)
			forged(s, 401)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "fulfilled as another was that never became Paid", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p0")
			s.Attempt(s.Became("p0", "Pending", "Processing", nil), "", 200)
			s.Attempt(s.Became("p0", "Processing", "Failed", nil), "", 200)
			s.Shows("p0", 1, 1)
			forged(s, 401)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "nothing follows for a while", verdict.Pass, "", func(s *checktest.Tape) { forged(s, 401); s.Pass(6 * time.Second); s.Calls(1) }),
		checktest.On(id, "fulfilled after a genuine one that was not answered in time", verdict.Pass, "", func(s *checktest.Tape) {
			e := forged(s, 401)
			s.Pass(5 * time.Second)
			s.Attempt(e, "", 0)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "too early to say", verdict.NotExercised, "", func(s *checktest.Tape) { forged(s, 401); s.Calls(1) }),
		checktest.On(id, "accepted", verdict.NotExercised, "", func(s *checktest.Tape) { forged(s, 200); s.Call("getPaymentStatus", 200); s.Calls(20) }),
		checktest.On(id, "a read out of silence", verdict.Fail, "", func(s *checktest.Tape) {
			forged(s, 401)
			s.Pass(50 * time.Millisecond)
			s.Call("getPaymentStatus", 200)
			s.Calls(10)
		}),
		checktest.On(id, "a read out of silence, once among many", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 5 {
				one := "q" + strconv.Itoa(n)
				s.Payment(one)
				s.Pass(20 * time.Second)
				s.Attempt(s.Became(one, "Processing", "Paid", nil), "altered-byte", 401)
				s.Pass(6 * time.Second)
				s.Calls(1)
			}
			forged(s, 401)
			s.Pass(50 * time.Millisecond)
			s.Call("getPaymentStatus", 200)
			s.Calls(10)
		}),
		checktest.On(id, "a read when a move of the clock is over", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Pass(3 * time.Second)
			s.Move(6 * time.Second)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "altered-byte", 401)
			s.Call("getPaymentStatus", 200)
			s.Calls(10)
		}),
		checktest.On(id, "a read while it is refused", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Pass(20 * time.Second)
			e := s.Became("p1", "Processing", "Paid", nil)
			s.Call("getPaymentStatus", 200)
			s.Pass(300 * time.Millisecond)
			s.Attempt(e, "altered-byte", 401, checktest.Lasted(310*time.Millisecond))
			s.Calls(10)
		}),
		checktest.On(id, "a read before a delivery that is late", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Pass(20 * time.Second)
			e := s.Became("p1", "Processing", "Paid", nil)
			s.Call("getPaymentStatus", 200)
			s.Pass(300 * time.Millisecond)
			s.Attempt(e, "altered-byte", 401, checktest.Lasted(time.Millisecond))
			s.Calls(10)
		}),
		checktest.On(id, "a read that may be polling", verdict.NotExercised, "", func(s *checktest.Tape) { forged(s, 401); s.Call("getPaymentStatus", 200) }),
		checktest.On(id, "a read that was asked for", verdict.Pass, "", func(s *checktest.Tape) {
			forged(s, 401)
			s.Task(1, "getPaymentStatus", map[string]any{"paymentRequestId": "p1"})
			s.Call("getPaymentStatus", 200)
		}),
		checktest.On(id, "polling goes on", verdict.Pass, "", func(s *checktest.Tape) {
			s.Call("getPaymentStatus", 200)
			forged(s, 401)
			s.Call("getPaymentStatus", 200)
			s.Pass(6 * time.Second)
			s.Calls(1)
		}),
		checktest.On(id, "polling begins", verdict.Pass, "", func(s *checktest.Tape) {
			forged(s, 401)
			for range 7 {
				s.Call("getPaymentStatus", 200)
				s.Pass(time.Second)
			}
		}),
		checktest.On(id, "a suite in the middle of its work", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "altered-byte", 401)
			s.Call("getPaymentStatus", 200)
			s.Pass(6 * time.Second)
			s.Calls(1)
		}),
		checktest.On(id, "a read after each of the refused ones", verdict.Fail, "", func(s *checktest.Tape) { follows(s, false) }),
		checktest.On(id, "a read now and then, whatever was delivered", verdict.Pass, "", func(s *checktest.Tape) {
			for i := range 24 {
				profile, status := "", 200
				if i%3 == 0 {
					profile, status = "missing-signature", 401
				}
				id := "p" + strconv.Itoa(i)
				s.Attempt(s.Became(id, "Pending", "Processing", s.Payment(id)), profile, status)
				s.Pass(20 * time.Millisecond)
				if i%6 == 0 || i%9 == 1 { // half of what was refused, a fifth of the others
					s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+id+"/Status", ""))
				}
				s.Pass(100 * time.Millisecond)
			}
		}),
		checktest.On(id, "a read after every delivery", verdict.Review, "", func(s *checktest.Tape) { follows(s, true) }),
		checktest.On(id, "a refund much later", verdict.Pass, "", func(s *checktest.Tape) {
			forged(s, 401)
			s.Pass(3 * time.Second)
			s.Call("refundPayment", 200, checktest.Sends(`{"amount":5}`))
			s.Pass(3 * time.Second)
			s.Calls(1)
		}),
		checktest.On(id, "fulfilled", verdict.Fail, "", func(s *checktest.Tape) { forged(s, 401); s.Shows("p1", 1, 0) }),
		checktest.On(id, "fulfilled after a read", verdict.Pass, "", func(s *checktest.Tape) {
			forged(s, 401)
			s.Pass(4 * time.Second)
			s.Call("getPaymentStatus", 200, checktest.Answers(`{"id":"p1","status":"Paid"}`))
			s.Shows("p1", 1, 0)
			s.Pass(4 * time.Second)
			s.Calls(1)
		}),
		checktest.On(id, "fulfilled because of the good one, which is not over yet", verdict.Pass, "", func(s *checktest.Tape) {
			e := forged(s, 401)
			s.Pass(5 * time.Second)
			timer := s.Add(tape.Entry{Kind: tape.KindTimer, Timer: &tape.Timer{Name: "delivery"}})
			s.Shows("p1", 1, 0)
			s.Pass(40 * time.Millisecond)
			s.Attempt(e, "", 200, checktest.Number(2), checktest.Lasted(42*time.Millisecond)).Cause = timer.Seq
			s.Pass(6 * time.Second)
			s.Calls(1)
		}),
		checktest.On(id, "fulfilled before the good one began", verdict.Fail, "", func(s *checktest.Tape) {
			e := forged(s, 401)
			s.Shows("p1", 1, 0)
			s.Pass(5 * time.Second)
			s.Attempt(e, "", 200, checktest.Number(2), checktest.Lasted(42*time.Millisecond)).Cause = e.Seq
		}),
		checktest.On(id, "the payer comes back", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Pass(20 * time.Second)
			e := s.Became("p1", "Processing", "Paid", nil)
			s.Redirected("payment", "p1")
			s.Attempt(e, "altered-byte", 401)
			s.Call("getPaymentStatus", 200)
			s.Pass(6 * time.Second)
			s.Calls(1)
		}),
		checktest.On(id, "driven", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Task(1, "createPayment", map[string]any{"amount": 5000})
			s.Done(1, s.Payment("p1").Seq)
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "missing-signature", 401)
			s.Call("getTransaction", 200)
		}),
	})
}

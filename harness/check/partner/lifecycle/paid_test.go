package lifecycle_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestPartnerPaidFirst(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.paid-first"
	// under plays a payment that the application is told to be under way.
	under := func(name string, want verdict.Word, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200)
			then(s)
		})
	}
	comes := func(s *checktest.Tape) { s.Redirected("payment", "p1") }
	checktest.Play(t, []checktest.Case{
		under("waits for Paid", verdict.Pass, func(s *checktest.Tape) {
			s.Pass(time.Second)
			s.Shows("p1", 0, 0)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Shows("p1", 1, 0)
		}),
		under("handed over on Processing", verdict.Fail, func(s *checktest.Tape) { s.Shows("p1", 1, 0) }),
		under("handed over on Processing, and Paid later", verdict.Fail, func(s *checktest.Tape) {
			s.Pass(time.Second)
			s.Shows("p1", 1, 0)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "handed over on the word of a forgery, which is another clause's matter", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "altered-status", 401, func(a *tape.Attempt) {
				a.Body = []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p1","Status":"Paid"}}`)
			})
			s.Pass(time.Second)
			s.Shows("p1", 1, 0)
		}),
		under("handed over and taken back when it failed", verdict.Fail, func(s *checktest.Tape) {
			s.Attempt(s.Became("p1", "Processing", "Failed", nil), "", 200)
			s.Pass(time.Second)
			s.Shows("p1", 1, 1)
		}),
		under("never handed over of what failed", verdict.Pass, func(s *checktest.Tape) {
			s.Attempt(s.Became("p1", "Processing", "Failed", nil), "", 200)
			s.Pass(time.Second)
			s.Shows("p1", 0, 0)
		}),
		under("asked at once", verdict.NotExercised, func(s *checktest.Tape) { s.Shows("p1", 0, 0) }),
		under("asked when it was Paid", verdict.NotExercised, func(s *checktest.Tape) {
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Shows("p1", 1, 0)
		}),
		under("not asked", verdict.Review, func(*checktest.Tape) {}),
		under("the payer came back, and nothing followed until then", verdict.Fail, func(s *checktest.Tape) {
			comes(s)
			s.Pass(time.Second)
			s.Shows("p1", 0, 0)
			s.Shows("p1", 1, 0)
		}),
		under("the payer came back, which is another clause's matter", verdict.NotExercised, func(s *checktest.Tape) { comes(s); s.Shows("p1", 1, 0) }),
		checktest.On(id, "handed over when it was asked for", verdict.Fail, "", func(s *checktest.Tape) { s.Payment("p1"); s.Shows("p1", 1, 0) }),
		checktest.On(id, "read to be under way", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Became("p1", "Pending", "Queued", nil)
			s.Call("getPaymentStatus", 200, checktest.Answers(`{"status":"Queued"}`)).Entities = []string{"p1"}
			s.Pass(time.Second)
			s.Shows("p1", 0, 0)
		}),
		checktest.On(id, "learnt from a report by one that polls", verdict.Pass, "", func(s *checktest.Tape) {
			s.Note("uses", map[string]bool{"polling": true})
			s.Payment("p1")
			s.Became("p1", "Pending", "Processing", nil)
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"paymentRequestId":"P1","status":"Processed"}]}`))
			s.Pass(time.Second)
			s.Shows("p1", 0, 0)
		}),
		checktest.On(id, "never under way", verdict.NotExercised, "", func(s *checktest.Tape) { s.Payment("p1"); s.Shows("p1", 0, 0) }),
	})
}

func TestPartnerLateReturn(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.late-return"
	// returned plays a payment that is returned, which is told.
	returned := func(name string, want verdict.Word, profile string, status int, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), profile, status)
			then(s)
		})
	}
	// polls plays a return for an application that reads states.
	polls := func(name string, want verdict.Word, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Note("uses", map[string]bool{"polling": true})
			s.Payment("p1")
			s.Became("p1", "Paid", "Failed", nil)
			then(s)
		})
	}
	checktest.Whole(t, []checktest.Case{
		returned("taken back 4 s later", verdict.Pass, "", 200, func(s *checktest.Tape) {
			s.Pass(time.Second)
			s.Shows("p1", 1, 0)
			s.Pass(3 * time.Second)
			s.Shows("p1", 1, 1)
		}),
	})
	checktest.Play(t, []checktest.Case{
		returned("taken back", verdict.Pass, "", 200, func(s *checktest.Tape) { s.Shows("p1", 1, 0); s.Pass(time.Second); s.Shows("p1", 1, 1) }),
		returned("never fulfilled", verdict.Pass, "", 200, func(s *checktest.Tape) { s.Shows("p1", 0, 0) }),
		returned("kept", verdict.Fail, "", 200, func(s *checktest.Tape) { s.Pass(5 * time.Second); s.Shows("p1", 1, 0) }),
		returned("kept when the session ends within the patience", verdict.Review, "", 200, func(s *checktest.Tape) { s.Pass(4 * time.Second); s.Shows("p1", 1, 0) }),
		returned("kept, and a call failed just before the last look", verdict.Fail, "", 200, func(s *checktest.Tape) {
			s.Pass(5 * time.Second)
			s.Shows("p1", 1, 0)
			s.Call("listCompanies", 500)
			s.Shows("p1", 1, 0)
		}),
		returned("kept, and what it is was asked for in vain", verdict.Review, "", 200, func(s *checktest.Tape) {
			s.Call("getPaymentStatus", 502)
			s.Pass(6 * time.Second)
			s.Shows("p1", 1, 0)
		}),
		returned("kept, and what it is was never asked for again", verdict.Fail, "", 200, func(s *checktest.Tape) {
			s.Call("getPaymentStatus", 502)
			s.Pass(31 * time.Second)
			s.Shows("p1", 1, 0)
		}),
		returned("kept so far", verdict.Review, "", 200, func(s *checktest.Tape) { s.Shows("p1", 1, 0) }),
		returned("refused", verdict.Fail, "", 400, func(*checktest.Tape) {}),
		returned("nobody knows", verdict.Review, "", 200, func(s *checktest.Tape) { s.Shows("p2", 1, 0) }),
		returned("read instead", verdict.Review, "", 503, func(s *checktest.Tape) { s.Call("getPaymentStatus", 200) }),
		returned("a report read about something else", verdict.NotExercised, "", 0, func(s *checktest.Tape) {
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"paymentRequestId":"p1","status":"Failed"}]}`))
			s.Pass(5 * time.Second)
			s.Shows("p1", 1, 0)
		}),
		returned("not told", verdict.NotExercised, "", 0, func(s *checktest.Tape) { s.Shows("p1", 1, 0) }),
		returned("only forged", verdict.NotExercised, "altered-byte", 401, func(s *checktest.Tape) { s.Shows("p1", 1, 0) }),
		polls("polls, and has not looked yet", verdict.NotExercised, func(s *checktest.Tape) { s.Pass(time.Hour); s.Call("listCompanies", 200) }),
		polls("polls, and never looks again", verdict.Fail, func(s *checktest.Tape) { s.Pass(25 * time.Hour); s.Call("listCompanies", 200) }),
		polls("polls reports, and keeps", verdict.Fail, func(s *checktest.Tape) {
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"paymentRequestId":"p1","status":"Failed"}]}`))
			s.Pass(6 * time.Second)
			s.Shows("p1", 1, 0)
		}),
		polls("polls, and takes back", verdict.Pass, func(s *checktest.Tape) {
			s.Pass(23 * time.Hour)
			s.Call("getPaymentStatus", 200)
			s.Pass(time.Second)
			s.Shows("p1", 1, 1)
		}),
		checktest.On(id, "read while the event is on its way", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Became("p1", "Paid", "Failed", nil)
			s.Call("getPaymentStatus", 200)
			s.Pass(5 * time.Second)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "no return", verdict.NotExercised, "", func(s *checktest.Tape) { s.Attempt(s.Became("p1", "Processing", "Failed", s.Payment("p1")), "", 200) }),
	})
}

package lifecycle_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

func TestPartnerOverLimit(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.over-limit"
	// limited plays an authorisation up to 10.00 that was accepted.
	limited := func(s *checktest.Tape) {
		s.Company()
		ask := s.Call("requestDebitAuthorisation", 200, checktest.At("/User/dana/DebitAuth", ""), checktest.Sends(`{"companyId":"c1","enabled":true,"limit":1000}`))
		s.Becomes("debit-authorisation", "da1", "", "Pending", ask)
		s.Becomes("debit-authorisation", "da1", "Pending", "Accepted", nil)
	}
	ask := func(s *checktest.Tape, payment string, changes ...checktest.With) { s.Payment(payment, changes...) }
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "waits", verdict.Pass, "", func(s *checktest.Tape) {
			limited(s)
			ask(s, "p1", checktest.Keyed("k1"))
			s.Pass(time.Minute)
			s.Calls(1)
		}),
		checktest.On(id, "answered", verdict.Pass, "", func(s *checktest.Tape) {
			limited(s)
			ask(s, "p1", checktest.Keyed("k1"))
			s.Becomes("payment", "p1", "Pending", "Processing", nil)
			ask(s, "p2", checktest.Keyed("k2"))
			s.Becomes("payment", "p2", "Pending", "Denied", nil)
		}),
		checktest.On(id, "asked for again", verdict.Fail, "", func(s *checktest.Tape) {
			limited(s)
			ask(s, "p1", checktest.Keyed("k1"))
			ask(s, "p2", checktest.Keyed("k2"))
		}),
		checktest.On(id, "asked for again without keys", verdict.Fail, "", func(s *checktest.Tape) { limited(s); ask(s, "p1"); ask(s, "p2") }),
		checktest.On(id, "repeated with its key", verdict.Pass, "", func(s *checktest.Tape) {
			limited(s)
			ask(s, "p1", checktest.Keyed("k1"))
			s.Call("createPayment", 200, checktest.Keyed("k1"), checktest.Carries("Idempotent-Replayed", "true"), checktest.Sends(`{"amount":5000,"registrationId":"dana","locationId":"hall"}`), checktest.Answers(`{"paymentRequestId":"p1"}`))
			s.Pass(time.Minute)
			s.Calls(1)
		}),
		checktest.On(id, "two that were announced", verdict.Pass, "", func(s *checktest.Tape) {
			limited(s)
			for i, payment := range []string{"p1", "p2"} {
				s.Task(i+1, "createPayment", map[string]any{"amount": 5000})
				ask(s, payment, checktest.Keyed(payment))
			}
			s.Pass(time.Minute)
			s.Calls(1)
		}),
		checktest.On(id, "asked for again though another was announced", verdict.Fail, "", func(s *checktest.Tape) {
			limited(s)
			for i, amount := range []int{900, 5000} {
				s.Task(i+1, "createPayment", map[string]any{"amount": amount})
			}
			ask(s, "p1", checktest.Keyed("k1"))
			ask(s, "p2", checktest.Keyed("k2"))
		}),
		checktest.On(id, "another purpose", verdict.Pass, "", func(s *checktest.Tape) {
			limited(s)
			ask(s, "p1", checktest.Keyed("k1"))
			ask(s, "p2", checktest.Keyed("k2"), checktest.Sends(`{"amount":5000,"registrationId":"dana","locationId":"hall","shortDescription":"Towels"}`))
			s.Pass(time.Minute)
			s.Calls(1)
		}),
		checktest.On(id, "too early to say", verdict.NotExercised, "", func(s *checktest.Tape) { limited(s); ask(s, "p1", checktest.Keyed("k1")) }),
		checktest.On(id, "within the limit", verdict.NotExercised, "", func(s *checktest.Tape) {
			limited(s)
			for range 2 {
				ask(s, "p1", checktest.Sends(`{"amount":900,"registrationId":"dana","locationId":"hall"}`))
			}
			s.Calls(12)
		}),
		checktest.On(id, "no limit", verdict.NotExercised, "", func(s *checktest.Tape) { s.Company(); ask(s, "p1"); ask(s, "p2"); s.Calls(12) }),
		checktest.On(id, "switched off", verdict.NotExercised, "", func(s *checktest.Tape) {
			limited(s)
			s.Becomes("debit-authorisation", "da1", "Accepted", "Disabled", nil)
			ask(s, "p1")
			ask(s, "p2")
			s.Calls(12)
		}),
	})
}

func TestPartnerCancelConflict(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.cancel-conflict"
	// late plays a payment under way of which the cancellation is refused.
	late := func(name string, want verdict.Word, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Becomes("payment", "p1", "Pending", "Processing", nil)
			s.Call("cancelPayment", 400)
			then(s)
		})
	}
	checktest.Play(t, []checktest.Case{
		late("read", verdict.Pass, func(s *checktest.Tape) { s.Call("getPaymentStatus", 200); s.Calls(12) }),
		late("told", verdict.Pass, func(s *checktest.Tape) { s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200); s.Calls(12) }),
		late("again", verdict.Fail, func(s *checktest.Tape) { s.Call("getPaymentStatus", 200); s.Call("cancelPayment", 409) }),
		late("again by POST", verdict.Fail, func(s *checktest.Tape) { s.Call("cancelPaymentByPost", 400, checktest.At("/Payment/P1/Cancel", "")) }),
		late("again as told", verdict.Pass, func(s *checktest.Tape) {
			s.Call("getPaymentStatus", 200)
			s.Task(1, "cancelPayment", map[string]any{"paymentRequestId": "p1"})
			s.Call("cancelPayment", 400)
			s.Call("getPaymentStatus", 200)
		}),
		checktest.On(id, "again for one task", verdict.Fail, "", func(s *checktest.Tape) {
			s.Becomes("payment", "p1", "Pending", "Processing", s.Payment("p1"))
			s.Task(1, "cancelPayment", map[string]any{"paymentRequestId": "p1"})
			s.Call("cancelPayment", 400)
			s.Call("cancelPayment", 400)
			s.Done(1, uint64(len(s.Entries)-1))
		}),
		late("another one", verdict.Pass, func(s *checktest.Tape) {
			s.Call("getPaymentStatus", 200)
			s.Call("cancelPayment", 200, checktest.At("/Payment/p2/Cancel", ""))
		}),
		late("a report days later", verdict.Fail, func(s *checktest.Tape) {
			s.Pass(72 * time.Hour)
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"id":"p1"}]}`))
		}),
		late("a report days later, of one that lives by the virtual time", verdict.Fail, func(s *checktest.Tape) {
			s.Virtual()
			s.Move(72 * time.Hour)
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"id":"p1"}]}`))
			s.Calls(12)
		}),
		late("nothing", verdict.Fail, func(s *checktest.Tape) { s.Calls(12) }),
		late("too early to say", verdict.NotExercised, func(s *checktest.Tape) { s.Calls(2) }),
		checktest.On(id, "canceled before", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Call("cancelPayment", 200)
			s.Becomes("payment", "p1", "Pending", "Canceled", nil)
			s.Call("cancelPayment", 400)
			s.Calls(12)
		}),
		checktest.On(id, "in time", verdict.NotExercised, "", func(s *checktest.Tape) { s.Payment("p1"); s.Call("cancelPayment", 200); s.Calls(12) }),
		checktest.On(id, "a fault", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Becomes("payment", "p1", "Pending", "Processing", s.Payment("p1"))
			s.Call("cancelPayment", 400, checktest.Faulty("f1: status=400"))
			s.Calls(12)
		}),
	})
}

func TestPartnerPaging(t *testing.T) {
	t.Parallel()
	const id = "partner.paging.complete"
	page := func(s *checktest.Tape, cursor, next string) {
		body, query := `{"hasMore":false,"nextCursor":null}`, "companyId=c1"
		if next != "" {
			body = `{"hasMore":true,"nextCursor":"` + next + `"}`
		}
		if cursor != "" {
			query += "&cursor=" + cursor
		}
		s.Call("reportTransactions", 200, checktest.At("/Transaction/Report", query), checktest.Answers(body))
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "to the end", verdict.Pass, "", func(s *checktest.Tape) { page(s, "", "a/b="); page(s, "a%2Fb%3D", "c"); page(s, "c", ""); s.Calls(12) }),
		checktest.On(id, "the first page only", verdict.Fail, "", func(s *checktest.Tape) { page(s, "", "a"); s.Calls(12) }),
		checktest.On(id, "stops on the way", verdict.Fail, "", func(s *checktest.Tape) { page(s, "", "a"); page(s, "a", "b"); s.Calls(12) }),
		checktest.On(id, "a driven application that has come back", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Virtual()
			page(s, "", "a")
			s.Done(1, 2)
		}),
		checktest.On(id, "a page at the end of the tape", verdict.NotExercised, "", func(s *checktest.Tape) { page(s, "", "a"); s.Calls(2) }),
		checktest.On(id, "one page", verdict.NotExercised, "", func(s *checktest.Tape) { page(s, "", ""); s.Calls(12) }),
		checktest.On(id, "no report", verdict.NotExercised, "", func(s *checktest.Tape) { s.Calls(12) }),
	})
}

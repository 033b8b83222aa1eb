package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
)

func TestPartnerOverLimit(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.over-limit"
	// limited plays an authorisation up to 10.00 that was accepted.
	limited := func(s *spool) {
		s.company()
		ask := s.call("requestDebitAuthorisation", 200, at("/User/dana/DebitAuth", ""), sends(`{"companyId":"c1","enabled":true,"limit":1000}`))
		s.becomes("debit-authorisation", "da1", "", "Pending", ask)
		s.becomes("debit-authorisation", "da1", "Pending", "Accepted", nil)
	}
	ask := func(s *spool, payment string, changes ...with) { s.payment(payment, changes...) }
	playCases(t, []partnerCase{
		{id, "waits", verdict.Pass, "", func(s *spool) { limited(s); ask(s, "p1", keyed("k1")); s.pass(time.Minute); s.calls(1) }},
		{id, "answered", verdict.Pass, "", func(s *spool) {
			limited(s)
			ask(s, "p1", keyed("k1"))
			s.becomes("payment", "p1", "Pending", "Processing", nil)
			ask(s, "p2", keyed("k2"))
			s.becomes("payment", "p2", "Pending", "Denied", nil)
		}},
		{id, "asked for again", verdict.Fail, "", func(s *spool) { limited(s); ask(s, "p1", keyed("k1")); ask(s, "p2", keyed("k2")) }},
		{id, "asked for again without keys", verdict.Fail, "", func(s *spool) { limited(s); ask(s, "p1"); ask(s, "p2") }},
		{id, "repeated with its key", verdict.Pass, "", func(s *spool) {
			limited(s)
			ask(s, "p1", keyed("k1"))
			s.call("createPayment", 200, keyed("k1"), carries("Idempotent-Replayed", "true"), sends(`{"amount":5000,"registrationId":"dana","locationId":"hall"}`), answers(`{"paymentRequestId":"p1"}`))
			s.pass(time.Minute)
			s.calls(1)
		}},
		{id, "two that were announced", verdict.Pass, "", func(s *spool) {
			limited(s)
			for i, payment := range []string{"p1", "p2"} {
				s.note(check.NoteTask, map[string]any{"id": i + 1, "do": "createPayment", "with": map[string]any{"amount": 5000}})
				ask(s, payment, keyed(payment))
			}
			s.pass(time.Minute)
			s.calls(1)
		}},
		{id, "asked for again though another was announced", verdict.Fail, "", func(s *spool) {
			limited(s)
			for i, amount := range []int{900, 5000} {
				s.note(check.NoteTask, map[string]any{"id": i + 1, "do": "createPayment", "with": map[string]any{"amount": amount}})
			}
			ask(s, "p1", keyed("k1"))
			ask(s, "p2", keyed("k2"))
		}},
		{id, "another purpose", verdict.Pass, "", func(s *spool) {
			limited(s)
			ask(s, "p1", keyed("k1"))
			ask(s, "p2", keyed("k2"), sends(`{"amount":5000,"registrationId":"dana","locationId":"hall","shortDescription":"Towels"}`))
			s.pass(time.Minute)
			s.calls(1)
		}},
		{id, "too early to say", verdict.NotExercised, "", func(s *spool) { limited(s); ask(s, "p1", keyed("k1")) }},
		{id, "within the limit", verdict.NotExercised, "", func(s *spool) {
			limited(s)
			for range 2 {
				ask(s, "p1", sends(`{"amount":900,"registrationId":"dana","locationId":"hall"}`))
			}
			s.calls(12)
		}},
		{id, "no limit", verdict.NotExercised, "", func(s *spool) { s.company(); ask(s, "p1"); ask(s, "p2"); s.calls(12) }},
		{id, "switched off", verdict.NotExercised, "", func(s *spool) {
			limited(s)
			s.becomes("debit-authorisation", "da1", "Accepted", "Disabled", nil)
			ask(s, "p1")
			ask(s, "p2")
			s.calls(12)
		}},
	})
}

func TestPartnerCancelConflict(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.cancel-conflict"
	// late plays a payment under way of which the cancellation is refused.
	late := func(name string, want verdict.Word, then func(s *spool)) partnerCase {
		return partnerCase{id, name, want, "", func(s *spool) {
			s.payment("p1")
			s.becomes("payment", "p1", "Pending", "Processing", nil)
			s.call("cancelPayment", 400)
			then(s)
		}}
	}
	playCases(t, []partnerCase{
		late("read", verdict.Pass, func(s *spool) { s.call("getPaymentStatus", 200); s.calls(12) }),
		late("told", verdict.Pass, func(s *spool) { s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200); s.calls(12) }),
		late("again", verdict.Fail, func(s *spool) { s.call("getPaymentStatus", 200); s.call("cancelPayment", 409) }),
		late("again by POST", verdict.Fail, func(s *spool) { s.call("cancelPaymentByPost", 400, at("/Payment/P1/Cancel", "")) }),
		late("again as told", verdict.Pass, func(s *spool) {
			s.call("getPaymentStatus", 200)
			s.note(check.NoteTask, map[string]any{"id": 1, "do": "cancelPayment", "with": map[string]any{"paymentRequestId": "p1"}})
			s.call("cancelPayment", 400)
			s.call("getPaymentStatus", 200)
		}),
		{id, "again for one task", verdict.Fail, "", func(s *spool) {
			s.becomes("payment", "p1", "Pending", "Processing", s.payment("p1"))
			s.note(check.NoteTask, map[string]any{"id": 1, "do": "cancelPayment", "with": map[string]any{"paymentRequestId": "p1"}})
			s.call("cancelPayment", 400)
			s.call("cancelPayment", 400)
			s.note(check.NoteDone, map[string]any{"task": 1, "exchange": len(s.entries) - 1})
		}},
		late("another one", verdict.Pass, func(s *spool) {
			s.call("getPaymentStatus", 200)
			s.call("cancelPayment", 200, at("/Payment/p2/Cancel", ""))
		}),
		late("nothing", verdict.Fail, func(s *spool) { s.calls(12) }),
		late("too early to say", verdict.NotExercised, func(s *spool) { s.calls(2) }),
		{id, "canceled before", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.call("cancelPayment", 200)
			s.becomes("payment", "p1", "Pending", "Canceled", nil)
			s.call("cancelPayment", 400)
			s.calls(12)
		}},
		{id, "in time", verdict.NotExercised, "", func(s *spool) { s.payment("p1"); s.call("cancelPayment", 200); s.calls(12) }},
		{id, "a fault", verdict.NotExercised, "", func(s *spool) {
			s.becomes("payment", "p1", "Pending", "Processing", s.payment("p1"))
			s.call("cancelPayment", 400, faulty("f1: status=400"))
			s.calls(12)
		}},
	})
}

func TestPartnerPaging(t *testing.T) {
	t.Parallel()
	const id = "partner.paging.complete"
	page := func(s *spool, cursor, next string) {
		body, query := `{"hasMore":false,"nextCursor":null}`, "companyId=c1"
		if next != "" {
			body = `{"hasMore":true,"nextCursor":"` + next + `"}`
		}
		if cursor != "" {
			query += "&cursor=" + cursor
		}
		s.call("reportTransactions", 200, at("/Transaction/Report", query), answers(body))
	}
	playCases(t, []partnerCase{
		{id, "to the end", verdict.Pass, "", func(s *spool) { page(s, "", "a/b="); page(s, "a%2Fb%3D", "c"); page(s, "c", ""); s.calls(12) }},
		{id, "the first page only", verdict.Fail, "", func(s *spool) { page(s, "", "a"); s.calls(12) }},
		{id, "stops on the way", verdict.Fail, "", func(s *spool) { page(s, "", "a"); page(s, "a", "b"); s.calls(12) }},
		{id, "a driven application that has come back", verdict.Fail, "manual", func(s *spool) {
			s.note(check.NoteVirtual, map[string]any{})
			page(s, "", "a")
			s.note(check.NoteDone, map[string]any{"task": 1, "exchange": 2})
		}},
		{id, "a page at the end of the tape", verdict.NotExercised, "", func(s *spool) { page(s, "", "a"); s.calls(2) }},
		{id, "one page", verdict.NotExercised, "", func(s *spool) { page(s, "", ""); s.calls(12) }},
		{id, "no report", verdict.NotExercised, "", func(s *spool) { s.calls(12) }},
	})
}

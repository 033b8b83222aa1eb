package check_test

import (
	"strconv"
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// follows plays payments of which some deliveries are forged, and refused, and
// an application that reads the status after those, or after all.
func follows(s *spool, all bool) {
	for i := range 18 {
		id, profile, status := "p"+strconv.Itoa(i), "", 200
		if i%3 == 0 {
			profile, status = "missing-signature", 401
		}
		s.attempt(s.became(id, "Pending", "Processing", s.payment(id)), profile, status)
		if s.pass(20 * time.Millisecond); all || status == 401 {
			s.call("getPaymentStatus", 200, at("/Payment/"+id+"/Status", ""))
		}
		s.pass(100 * time.Millisecond)
	}
}

func TestPartnerFollowUp(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.no-follow-up"
	// forged plays a payment that is Paid after a while, of which a forgery tells.
	forged := func(s *spool, status int) *tape.Entry {
		s.payment("p1")
		s.pass(20 * time.Second)
		e := s.became("p1", "Processing", "Paid", nil)
		s.attempt(e, "altered-byte", status)
		return e
	}
	playCases(t, []partnerCase{
		{id, "nothing follows", verdict.Pass, "", func(s *spool) {
			e := forged(s, 401)
			s.pass(5 * time.Second)
			s.attempt(e, "", 200)
			s.call("getPaymentStatus", 200)
			s.shows("p1", 1, 0)
		}},
		{id, "nothing follows for a while", verdict.Pass, "", func(s *spool) { forged(s, 401); s.pass(6 * time.Second); s.calls(1) }},
		{id, "too early to say", verdict.NotExercised, "", func(s *spool) { forged(s, 401); s.calls(1) }},
		{id, "accepted", verdict.NotExercised, "", func(s *spool) { forged(s, 200); s.call("getPaymentStatus", 200); s.calls(20) }},
		{id, "a read out of silence", verdict.Fail, "", func(s *spool) {
			forged(s, 401)
			s.pass(50 * time.Millisecond)
			s.call("getPaymentStatus", 200)
			s.calls(10)
		}},
		{id, "a read while it is refused", verdict.Fail, "", func(s *spool) {
			s.payment("p1")
			s.pass(20 * time.Second)
			e := s.became("p1", "Processing", "Paid", nil)
			s.call("getPaymentStatus", 200)
			s.pass(300 * time.Millisecond)
			s.attempt(e, "altered-byte", 401, lasted(310*time.Millisecond))
			s.calls(10)
		}},
		{id, "a read before a delivery that is late", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			s.pass(20 * time.Second)
			e := s.became("p1", "Processing", "Paid", nil)
			s.call("getPaymentStatus", 200)
			s.pass(300 * time.Millisecond)
			s.attempt(e, "altered-byte", 401, lasted(time.Millisecond))
			s.calls(10)
		}},
		{id, "a read that may be polling", verdict.NotExercised, "", func(s *spool) { forged(s, 401); s.call("getPaymentStatus", 200) }},
		{id, "a read that was asked for", verdict.Pass, "", func(s *spool) {
			forged(s, 401)
			s.note(check.NoteTask, map[string]any{"id": 1, "do": "getPaymentStatus", "with": map[string]any{"paymentRequestId": "p1"}})
			s.call("getPaymentStatus", 200)
		}},
		{id, "polling goes on", verdict.Pass, "", func(s *spool) {
			s.call("getPaymentStatus", 200)
			forged(s, 401)
			s.call("getPaymentStatus", 200)
			s.pass(6 * time.Second)
			s.calls(1)
		}},
		{id, "polling begins", verdict.Pass, "", func(s *spool) {
			forged(s, 401)
			for range 7 {
				s.call("getPaymentStatus", 200)
				s.pass(time.Second)
			}
		}},
		{id, "a suite in the middle of its work", verdict.Review, "", func(s *spool) {
			s.payment("p1")
			s.attempt(s.became("p1", "Pending", "Processing", nil), "altered-byte", 401)
			s.call("getPaymentStatus", 200)
			s.pass(6 * time.Second)
			s.calls(1)
		}},
		{id, "a read after each of the refused ones", verdict.Fail, "", func(s *spool) { follows(s, false) }},
		{id, "a read after every delivery", verdict.Review, "", func(s *spool) { follows(s, true) }},
		{id, "a refund much later", verdict.Pass, "", func(s *spool) {
			forged(s, 401)
			s.pass(3 * time.Second)
			s.call("refundPayment", 200, sends(`{"amount":5}`))
			s.pass(3 * time.Second)
			s.calls(1)
		}},
		{id, "fulfilled", verdict.Fail, "", func(s *spool) { forged(s, 401); s.shows("p1", 1, 0) }},
		{id, "fulfilled after a read", verdict.Pass, "", func(s *spool) {
			forged(s, 401)
			s.pass(4 * time.Second)
			s.call("getPaymentStatus", 200, answers(`{"id":"p1","status":"Paid"}`))
			s.shows("p1", 1, 0)
			s.pass(4 * time.Second)
			s.calls(1)
		}},
		{id, "fulfilled because of the good one, which is not over yet", verdict.Pass, "", func(s *spool) {
			e := forged(s, 401)
			s.pass(5 * time.Second)
			timer := s.add(tape.Entry{Kind: tape.KindTimer, Timer: &tape.Timer{Name: "delivery"}})
			s.shows("p1", 1, 0)
			s.pass(40 * time.Millisecond)
			s.attempt(e, "", 200, number(2), lasted(42*time.Millisecond)).Cause = timer.Seq
			s.pass(6 * time.Second)
			s.calls(1)
		}},
		{id, "fulfilled before the good one began", verdict.Fail, "", func(s *spool) {
			e := forged(s, 401)
			s.shows("p1", 1, 0)
			s.pass(5 * time.Second)
			s.attempt(e, "", 200, number(2), lasted(42*time.Millisecond)).Cause = e.Seq
		}},
		{id, "the payer comes back", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.pass(20 * time.Second)
			e := s.became("p1", "Processing", "Paid", nil)
			s.note(check.NoteRedirect, map[string]any{"payment": "p1"})
			s.attempt(e, "altered-byte", 401)
			s.call("getPaymentStatus", 200)
			s.pass(6 * time.Second)
			s.calls(1)
		}},
		{id, "driven", verdict.Fail, "manual", func(s *spool) {
			s.note(check.NoteTask, map[string]any{"id": 1, "do": "createPayment", "with": map[string]any{"amount": 5000}})
			s.note(check.NoteDone, map[string]any{"task": 1, "exchange": s.payment("p1").Seq})
			s.attempt(s.became("p1", "Pending", "Processing", nil), "missing-signature", 401)
			s.call("getTransaction", 200)
		}},
	})
}

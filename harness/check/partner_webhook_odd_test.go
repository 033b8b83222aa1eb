package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/verdict"
)

// TestPartnerHooksOdd: receivers that say no for another reason, copies in another
// order, and effects that nobody has seen.
func TestPartnerHooksOdd(t *testing.T) {
	t.Parallel()
	const twice, order = "partner.webhook.duplicate", "partner.webhook.order"
	var cases []partnerCase
	for profile, clause := range forgedWays() {
		for _, status := range []int{429, 502, 503, 504} { // of a gateway, or a receiver that is busy
			cases = append(cases, hookCase(clause, "away", verdict.NotExercised, profile, status))
		}
		cases = append(cases, hookCase(clause, "taken without a word", verdict.Fail, profile, 202))
	}
	for clause, profile := range map[string]string{"raw-bytes": "odd-json", "unknown-event": "unknown-event", "unknown-member": "extra-member"} {
		cases = append(cases,
			hookCase(clause, "taken without a word", verdict.Pass, profile, 204),
			hookCase(clause, "sent elsewhere", verdict.Fail, profile, 301))
	}
	cases = append(cases, hookCase("unknown-event", "nobody found for the name", verdict.Fail, "unknown-event", 404))
	// born plays an odd event that the call has caused which made its payment.
	born := func(name string, want verdict.Word, status int, after time.Duration) partnerCase {
		return partnerCase{"partner.webhook.unknown-member", name, want, "", func(s *spool) {
			s.attempt(s.became("p0", "Pending", "Processing", s.payment("p0")), "", 200)
			call := s.payment("p1")
			e := s.became("p1", "Pending", "Processing", call)
			s.pass(after)
			s.attempt(e, "extra-member", status)
		}}
	}
	// moved plays a receiver that refuses after the clock was moved.
	moved := func(name string, want verdict.Word, then func(s *spool)) partnerCase {
		return partnerCase{"partner.webhook.raw-bytes", name, want, "", func(s *spool) {
			s.attempt(s.became("p0", "Pending", "Processing", s.payment("p0")), "", 200)
			s.move(9 * 24 * time.Hour)
			s.attempt(s.became("p1", "Pending", "Processing", s.payment("p1")), "odd-json", 401)
			then(s)
		}}
	}
	wholeCases(t, []partnerCase{
		born("not known yet", verdict.NotExercised, 404, time.Millisecond),
		born("not known later", verdict.Fail, 404, 2*time.Second),
		born("its form refused at once", verdict.Fail, 400, time.Millisecond),
		born("taken at once", verdict.Pass, 200, time.Millisecond),
		moved("refuses what is not of its own time", verdict.Review, func(s *spool) {
			s.attempt(s.became("p2", "Pending", "Processing", s.payment("p2")), "", 401)
		}),
		moved("takes what else is of another time", verdict.Fail, func(s *spool) {
			s.attempt(s.became("p2", "Pending", "Processing", s.payment("p2")), "", 200)
		}),
	})
	// crossed plays Processing and Paid, and then both again in the other order.
	crossed := func(name string, want verdict.Word, fulfilled int) partnerCase {
		return partnerCase{twice, name, want, "", func(s *spool) {
			s.payment("p1")
			early := s.became("p1", "Pending", "Processing", nil)
			paid := s.became("p1", "Processing", "Paid", nil)
			s.attempt(early, "", 204)
			s.attempt(paid, "", 202)
			s.attempt(paid, "duplicate", 202)
			s.attempt(early, "duplicate", 204)
			s.pass(time.Second)
			s.shows("p1", fulfilled, 0)
		}}
	}
	late := func(then func(s *spool)) func(s *spool) {
		return func(s *spool) {
			s.payment("p1")
			early := s.became("p1", "Pending", "Processing", nil)
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			s.attempt(early, "reorder", 200)
			then(s)
		}
	}
	oddCases(t, append(cases,
		crossed("in another order", verdict.Pass, 1),
		crossed("in another order, twice", verdict.Fail, 2),
		crossed("nothing done yet", verdict.NotExercised, 0),
		partnerCase{twice, "a company's, beside an application that shows its books", verdict.NotExercised, "", func(s *spool) {
			s.company()
			s.decided("Verified", nil, 200)
			s.attempt(s.entries[len(s.entries)-2], "duplicate", 200)
			s.shows("p9", 1, 0)
		}},
		partnerCase{order, "read because of it", verdict.Pass, "", late(func(s *spool) { s.pass(time.Second); s.call("getPaymentStatus", 200) })},
		partnerCase{order, "read much later", verdict.Review, "", late(func(s *spool) { s.pass(time.Minute); s.call("getPaymentStatus", 200) })},
		partnerCase{order, "tried to read, in vain", verdict.Review, "", late(func(s *spool) { s.call("getPaymentStatus", 503) })},
	))
}

// TestPartnerSweeps: an application that looks after all its payments now and then
// also looks after the one that a forgery has told of.
func TestPartnerSweeps(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.no-follow-up"
	// forged plays five payments, a forgery about the third, and what is read then.
	forged := func(read ...string) func(s *spool) {
		return func(s *spool) {
			for _, p := range []string{"p1", "p2", "p3", "p4", "p5"} {
				s.payment(p)
			}
			s.pass(20 * time.Second)
			s.attempt(s.became("p3", "Pending", "Processing", nil), "missing-signature", 401)
			s.pass(300 * time.Millisecond)
			for _, p := range read {
				s.call("getPaymentStatus", 200, at("/Payment/"+p+"/Status", "")).Entities = []string{p}
				s.pass(4 * time.Millisecond)
			}
			s.pass(6 * time.Second)
			s.calls(10)
		}
	}
	oddCases(t, []partnerCase{
		{id, "fulfilled before the forgery", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			s.becomes("payment", "p1", "Pending", "Processing", nil)
			s.shows("p1", 1, 0)
			s.pass(5 * time.Second)
			s.attempt(s.became("p1", "Processing", "Paid", nil), "missing-signature", 401)
			s.shows("p1", 1, 0)
			s.pass(6 * time.Second)
			s.calls(10)
		}},
		{id, "reads them all", verdict.NotExercised, "", forged("p1", "p2", "p3", "p4", "p5")},
		{id, "reads all, this one first", verdict.NotExercised, "", forged("p3", "p1", "p2", "p4", "p5")},
		{id, "reads this one", verdict.Fail, "", forged("p3")},
		{id, "reads this one twice", verdict.Fail, "", forged("p3", "p3")},
		{id, "reads others only", verdict.Pass, "", forged("p1", "p2")},
	})
}

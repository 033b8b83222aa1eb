package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
)

// TestPartnerBooks: what the application says of a payment in the end is what has
// become of it, for what it was told.
func TestPartnerBooks(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.order"
	// ends plays a payment that ends in a state, which is told by a profile and
	// answered, and what the application says of it later.
	ends := func(name string, want verdict.Word, state, profile string, status int, wait time.Duration, counts [2]int) partnerCase {
		return partnerCase{id, name, want, "", func(s *spool) {
			s.payment("p1")
			s.attempt(s.became("p1", "Processing", state, nil), profile, status)
			s.pass(wait)
			s.shows("p1", counts[0], counts[1])
		}}
	}
	const long = 10 * time.Second
	// paid plays a payment that is Paid, which is told, and of which nothing comes.
	paid := func(name string, want verdict.Word, clock string, between func(s *spool)) partnerCase {
		return partnerCase{id, name, want, clock, func(s *spool) {
			s.payment("p1")
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			between(s)
			s.shows("p1", 0, 0)
		}}
	}
	reads := func(status int) func(s *spool) {
		return func(s *spool) {
			s.call("getPaymentStatus", status).Entities = []string{"p1"}
			s.pass(long)
		}
	}
	inOrder := func(s *spool) {
		s.payment("p1")
		early := s.became("p1", "Pending", "Processing", nil)
		s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
		s.attempt(early, "reorder", 200)
		s.shows("p1", 1, 0)
	}
	playCases(t, []partnerCase{
		{id, "right", verdict.Pass, "", inOrder},
		ends("Paid and not fulfilled", verdict.Fail, "Paid", "", 200, long, [2]int{0, 0}),
		ends("Paid and fulfilled", verdict.NotExercised, "Paid", "", 200, long, [2]int{1, 0}),
		ends("Paid and not fulfilled yet", verdict.NotExercised, "Paid", "", 200, time.Second, [2]int{0, 0}),
		ends("Paid and not told", verdict.NotExercised, "Paid", "", 500, long, [2]int{0, 0}),
		ends("Paid under an unknown name", verdict.NotExercised, "Paid", "unknown-event", 200, long, [2]int{0, 0}),
		ends("Canceled and fulfilled", verdict.Fail, "Canceled", "", 200, long, [2]int{1, 0}),
		ends("Canceled and taken back", verdict.NotExercised, "Canceled", "", 200, long, [2]int{1, 1}),
		ends("Scheduled and fulfilled", verdict.NotExercised, "Scheduled", "", 200, long, [2]int{1, 0}),
		paid("read, and nothing came of it", verdict.Fail, "", reads(200)),
		paid("still to be read", verdict.NotExercised, "", reads(503)),
		paid("the clock was moved", verdict.NotExercised, "", func(s *spool) { s.move(time.Hour) }),
		paid("the clock stands still", verdict.NotExercised, "manual", func(s *spool) { s.pass(time.Hour) }),
		paid("driven", verdict.Fail, "manual", func(s *spool) { s.note(check.NoteVirtual, map[string]any{}) }),
		paid("held up", verdict.NotExercised, "", func(s *spool) {
			s.pass(8 * time.Second)
			s.call("getUserStatus", 503)
			s.pass(2 * time.Second)
		}),
		{id, "refunded", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			s.call("refundPayment", 200).Entities = []string{"p1"}
			s.pass(long)
			s.shows("p1", 1, 1)
		}},
		{id, "came twice", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			e := s.became("p1", "Processing", "Paid", nil)
			s.attempt(e, "", 200)
			s.attempt(e, "", 200)
			s.pass(long)
			s.shows("p1", 2, 0)
		}},
		{id, "of two payments", verdict.NotExercised, "", func(s *spool) {
			early := s.became("p1", "Pending", "Processing", s.payment("p1"))
			s.attempt(s.became("p2", "Pending", "Processing", s.payment("p2")), "", 200)
			s.attempt(early, "reorder", 200)
		}},
	})
}

package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestPartnerOrder(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.order"
	// swapped plays Processing and Paid, of which the later one comes first.
	swapped := func(name string, want verdict.Word, status int, then func(s *spool)) partnerCase {
		return partnerCase{id, name, want, "", func(s *spool) {
			s.payment("p1")
			early := s.became("p1", "Pending", "Processing", nil)
			late := s.became("p1", "Processing", "Paid", nil)
			s.attempt(late, "", 200)
			s.attempt(early, "reorder", status)
			then(s)
		}}
	}
	playCases(t, []partnerCase{
		swapped("the same result", verdict.Pass, 200, func(s *spool) { s.shows("p1", 1, 0) }),
		swapped("the same result in the end", verdict.Pass, 200, func(s *spool) { s.shows("p1", 0, 0); s.pass(time.Second); s.shows("p1", 1, 0) }),
		swapped("not fulfilled", verdict.Fail, 200, func(s *spool) { s.pass(time.Second); s.shows("p1", 0, 0) }),
		swapped("not fulfilled yet", verdict.Review, 200, func(s *spool) { s.shows("p1", 0, 0) }),
		swapped("taken back on the way", verdict.Fail, 200, func(s *spool) { s.pass(time.Second); s.shows("p1", 2, 1) }),
		swapped("refused", verdict.Fail, 409, func(*spool) {}),
		swapped("not answered", verdict.NotExercised, 503, func(*spool) {}),
		swapped("nobody knows", verdict.Review, 200, func(s *spool) { s.shows("p2", 0, 0) }),
		swapped("read", verdict.Pass, 200, func(s *spool) { s.call("getPaymentStatus", 200) }),
		swapped("read because it was asked for", verdict.Review, 200, func(s *spool) {
			s.note(check.NoteTask, map[string]any{"id": 1, "do": "getPaymentStatus", "with": map[string]any{"paymentRequestId": "p1"}})
			s.call("getPaymentStatus", 200)
		}),
		swapped("more to come", verdict.Review, 200, func(s *spool) {
			s.became("p1", "Paid", "Failed", nil)
			s.shows("p1", 1, 0)
		}),
		{id, "told of the end a moment ago", verdict.Review, "", func(s *spool) {
			s.payment("p1")
			early := s.became("p1", "Pending", "Scheduled", nil)
			s.attempt(s.became("p1", "Scheduled", "Processing", nil), "", 200)
			s.attempt(early, "reorder", 200)
			s.pass(10 * time.Second)
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			s.shows("p1", 0, 0)
		}},
		{id, "fulfilled after it failed", verdict.Fail, "manual", func(s *spool) {
			s.payment("p1")
			paid := s.became("p1", "Processing", "Paid", nil)
			s.attempt(s.became("p1", "Paid", "Failed", nil), "", 200)
			s.attempt(paid, "reorder", 200)
			s.shows("p1", 1, 0)
		}},
		{id, "in order, and one once more", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			early := s.became("p1", "Pending", "Processing", nil)
			late := s.became("p1", "Processing", "Paid", nil)
			s.attempt(early, "", 200)
			s.attempt(late, "", 200)
			s.attempt(early, "duplicate", 500)
		}},
		{id, "two payments", verdict.NotExercised, "", func(s *spool) {
			early := s.became("p1", "Pending", "Processing", s.payment("p1"))
			s.attempt(s.became("p2", "Pending", "Processing", s.payment("p2")), "", 200)
			s.attempt(early, "", 500)
		}},
	})
}

func TestPartnerQuick(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.quick"
	// burst plays n deliveries, one a second, of which some take long.
	burst := func(name string, want verdict.Word, clock string, n, slow int, took time.Duration, status int) partnerCase {
		return partnerCase{id, name, want, clock, func(s *spool) {
			for i := range n {
				s.pass(time.Second)
				e := s.became("p1", "Pending", "Processing", nil)
				if i < slow {
					s.attempt(e, "burst", status, lasted(took))
					continue
				}
				s.attempt(e, "burst", 200, lasted(20*time.Millisecond))
			}
		}}
	}
	playCases(t, []partnerCase{
		burst("quick", verdict.Pass, "", 12, 0, 0, 200),
		burst("one of twenty", verdict.Pass, "", 20, 1, 4*time.Second, 200),
		burst("one of ten", verdict.Pass, "", 10, 1, 4*time.Second, 200),
		burst("two of ten", verdict.Fail, "", 10, 2, 4*time.Second, 200),
		burst("no answer in time", verdict.Fail, "", 20, 3, 15*time.Second, 0),
		burst("too few", verdict.NotExercised, "", 9, 9, 4*time.Second, 200),
		burst("nobody there", verdict.NotExercised, "", 12, 12, time.Millisecond, 0),
		burst("a clock that stands still", verdict.NotExercised, "manual", 12, 12, 0, 200),
		{id, "over an hour", verdict.NotExercised, "", func(s *spool) {
			for range 12 {
				s.pass(10 * time.Minute)
				s.attempt(s.became("p1", "Pending", "Processing", nil), "", 200, lasted(time.Minute))
			}
		}},
		{id, "the clock was moved", verdict.Pass, "", func(s *spool) {
			for range 12 {
				s.move(10 * time.Minute)
				s.attempt(s.became("p1", "Pending", "Processing", nil), "", 200, lasted(time.Millisecond))
			}
		}},
	})
}

func TestPartnerRotation(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.rotation"
	rotate := func(s *spool) {
		s.control("rotateSecret", `{"secret":"xxx"}`).Entities = []string{"endpoint-1"}
	}
	again := func(at int64) func(a *tape.Attempt) { return func(a *tape.Attempt) { a.Next = at } }
	next := func(s *spool) *tape.Entry { return s.became("p1", "Pending", "Processing", nil) }
	// welcome plays a delivery that is accepted before the change.
	welcome := func(s *spool) {
		s.attempt(next(s), "", 200)
		rotate(s)
	}
	healed := func(s *spool) {
		e := next(s)
		s.attempt(e, "", 401, number(1), again(s.now+5))
		s.pass(5 * time.Second)
		s.attempt(e, "", 200, number(2))
	}
	playCases(t, []partnerCase{
		{id, "accepted", verdict.Pass, "", func(s *spool) { rotate(s); s.attempt(next(s), "", 200) }},
		{id, "healed", verdict.Pass, "", func(s *spool) { welcome(s); healed(s); s.attempt(next(s), "", 200) }},
		{id, "healed twice", verdict.Fail, "", func(s *spool) { welcome(s); s.attempt(next(s), "", 401, again(s.now+5)); healed(s) }},
		{id, "given up", verdict.Fail, "", func(s *spool) { welcome(s); s.attempt(next(s), "", 401) }},
		{id, "refused for long", verdict.Fail, "", func(s *spool) {
			welcome(s)
			s.attempt(next(s), "", 401, again(s.now+5))
			s.pass(2 * time.Minute)
			s.calls(1)
		}},
		{id, "is to be tried again", verdict.NotExercised, "", func(s *spool) { welcome(s); s.attempt(next(s), "", 401, again(s.now+5)) }},
		{id, "never accepted", verdict.NotExercised, "", func(s *spool) { rotate(s); s.attempt(next(s), "", 401); s.attempt(next(s), "", 401) }},
		{id, "unsigned now", verdict.NotExercised, "", func(s *spool) { welcome(s); s.attempt(next(s), "", 401, unsigned) }},
		{id, "a forgery", verdict.NotExercised, "", func(s *spool) { welcome(s); s.attempt(next(s), "wrong-secret", 401) }},
		{id, "before", verdict.NotExercised, "", func(s *spool) { s.attempt(next(s), "", 401); rotate(s) }},
		{id, "refused for another reason", verdict.NotExercised, "", func(s *spool) { welcome(s); s.attempt(next(s), "", 404); s.attempt(next(s), "", 404) }},
		{id, "receiver away", verdict.NotExercised, "", func(s *spool) { welcome(s); s.attempt(next(s), "", 503) }},
		{id, "the first of two changes", verdict.Fail, "", func(s *spool) {
			welcome(s)
			s.attempt(next(s), "", 401)
			rotate(s)
			s.attempt(next(s), "", 200)
		}},
	})
}

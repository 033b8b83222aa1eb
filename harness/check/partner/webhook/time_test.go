package webhook_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestPartnerOrder(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.order"
	// swapped plays Processing and Paid, of which the later one comes first.
	swapped := func(name string, want verdict.Word, status int, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			early := s.Became("p1", "Pending", "Processing", nil)
			late := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(late, "", 200)
			s.Attempt(early, "reorder", status)
			then(s)
		})
	}
	checktest.Whole(t, []checktest.Case{
		checktest.On(id, "wrong until it read the state, told once more by chance", verdict.Pass, "", func(s *checktest.Tape) {
			again := overtakenByReturn(s)
			s.Pass(trail.Patience)
			s.Shows("p1", 1, 0)
			s.Attempt(again, "", 200)
			s.Call("getPaymentStatus", 200)
			s.Pass(time.Second)
			s.Shows("p1", 1, 1)
		}),
	})
	checktest.Play(t, []checktest.Case{
		swapped("the same result, of half of it", verdict.Review, 200, func(s *checktest.Tape) { s.Shows("p1", 1, 0) }),
		swapped("the same result in the end", verdict.Review, 200, func(s *checktest.Tape) { s.Shows("p1", 0, 0); s.Pass(time.Second); s.Shows("p1", 1, 0) }),
		swapped("not fulfilled", verdict.Fail, 200, func(s *checktest.Tape) { s.Pass(trail.Patience); s.Shows("p1", 0, 0) }),
		swapped("not fulfilled yet", verdict.Review, 200, func(s *checktest.Tape) { s.Shows("p1", 0, 0) }),
		swapped("not fulfilled yet, by a slow queue", verdict.Review, 200, func(s *checktest.Tape) { s.Pass(trail.Patience - time.Second); s.Shows("p1", 0, 0) }),
		swapped("taken back on the way", verdict.Fail, 200, func(s *checktest.Tape) { s.Pass(trail.Patience); s.Shows("p1", 2, 1) }),
		swapped("refused", verdict.Fail, 409, func(*checktest.Tape) {}),
		swapped("not answered", verdict.NotExercised, 503, func(*checktest.Tape) {}),
		swapped("nobody knows", verdict.Review, 200, func(s *checktest.Tape) { s.Shows("p2", 0, 0) }),
		swapped("read", verdict.Review, 200, func(s *checktest.Tape) { s.Call("getPaymentStatus", 200) }),
		swapped("read because it was asked for", verdict.Review, 200, func(s *checktest.Tape) {
			s.Task(1, "getPaymentStatus", map[string]any{"paymentRequestId": "p1"})
			s.Call("getPaymentStatus", 200)
		}),
		swapped("more to come", verdict.Review, 200, func(s *checktest.Tape) {
			s.Became("p1", "Paid", "Failed", nil)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "told of the end a moment ago", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			early := s.Became("p1", "Pending", "Scheduled", nil)
			s.Attempt(s.Became("p1", "Scheduled", "Processing", nil), "", 200)
			s.Attempt(early, "reorder", 200)
			s.Pass(10 * time.Second)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Shows("p1", 0, 0)
		}),
		swapped("the same result, and read, of half of it", verdict.Review, 200, func(s *checktest.Tape) { s.Call("getPaymentStatus", 200); s.Shows("p1", 1, 0) }),
		checktest.On(id, "behind its return, and read", verdict.Pass, "", func(s *checktest.Tape) {
			overtakenByReturn(s)
			s.Call("getPaymentStatus", 200)
		}),
		checktest.On(id, "wrong long before a last look that came too soon after a call that failed", verdict.Fail, "", func(s *checktest.Tape) {
			overtakenByReturn(s)
			s.Pass(trail.Patience)
			s.Shows("p1", 1, 0)
			s.Call("listCompanies", 503)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "wrong until the return came once more", verdict.Fail, "", func(s *checktest.Tape) {
			again := overtakenByReturn(s)
			s.Pass(trail.Patience)
			s.Shows("p1", 1, 0)
			s.Attempt(again, "", 200)
			s.Pass(time.Second)
			s.Shows("p1", 1, 1)
		}),
		checktest.On(id, "taken back before it was paid", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			paid := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
			s.Attempt(paid, "reorder", 200)
			s.Shows("p1", 0, 0)
		}),
		checktest.On(id, "read, and its books are wrong all the same", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Became("p1", "Pending", "Processing", nil) // of which nobody was told
			paid := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
			s.Attempt(paid, "reorder", 200)
			s.Call("getPaymentStatus", 200)
			s.Pass(time.Second)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "fulfilled after it failed", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Payment("p1")
			paid := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
			s.Attempt(paid, "reorder", 200)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "in order, and one once more", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			early := s.Became("p1", "Pending", "Processing", nil)
			late := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(early, "", 200)
			s.Attempt(late, "", 200)
			s.Attempt(early, "duplicate", 500)
		}),
		checktest.On(id, "two payments", verdict.NotExercised, "", func(s *checktest.Tape) {
			early := s.Became("p1", "Pending", "Processing", s.Payment("p1"))
			s.Attempt(s.Became("p2", "Pending", "Processing", s.Payment("p2")), "", 200)
			s.Attempt(early, "", 500)
		}),
	})
}

func TestPartnerQuick(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.quick"
	// hindered plays a receiver that asks the service before it answers, twice of twelve for
	// long: what the service answers, and by which fault.
	hindered := func(name string, want verdict.Word, status int, fault string) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			for i := range 12 {
				e := s.Became("p1", "Pending", "Processing", nil)
				took := 20 * time.Millisecond
				if i%6 == 5 {
					took = 14 * time.Second
					s.Pass(time.Second)
					s.Call("getPaymentStatus", status, checktest.Faulty(fault)).Entities = []string{"p1"}
					s.Pass(took - time.Second)
				}
				s.Attempt(e, "", 200, checktest.Lasted(took))
			}
		})
	}
	// burst plays n deliveries, one a second, of which some take long.
	burst := func(name string, want verdict.Word, clock string, n, slow int, took time.Duration, status int) checktest.Case {
		return checktest.On(id, name, want, clock, func(s *checktest.Tape) {
			for i := range n {
				s.Pass(time.Second)
				e := s.Became("p1", "Pending", "Processing", nil)
				if i < slow {
					s.Attempt(e, "burst", status, checktest.Lasted(took))
					continue
				}
				s.Attempt(e, "burst", 200, checktest.Lasted(20*time.Millisecond))
			}
		})
	}
	// seldom sends an event every ten minutes, to a receiver that takes 16 s for one in so many.
	seldom := func(name string, want verdict.Word, slow int) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			for n := range 35 {
				s.Pass(10 * time.Minute)
				took := 100 * time.Millisecond
				if n%slow == 0 {
					took = 16 * time.Second
				}
				s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200, checktest.Lasted(took))
			}
		})
	}
	// paused is a receiver that takes 1.2 s, on a machine that stands still while ten events
	// are delivered at once, which then took so long.
	paused := func(name string, want verdict.Word, took time.Duration) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			for range 12 {
				s.Pass(10 * time.Second)
				s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200, checktest.Lasted(1200*time.Millisecond))
			}
			for range 10 {
				s.Attempt(s.Became("p1", "Pending", "Processing", nil), "burst", 200, checktest.Lasted(took))
			}
			s.Pass(time.Minute)
			for range 10 {
				s.Pass(time.Second)
				s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200, checktest.Lasted(1200*time.Millisecond))
			}
		})
	}
	checktest.Play(t, []checktest.Case{
		paused("a machine that stood still for two seconds", verdict.Pass, 3200*time.Millisecond),
		paused("a burst that takes longer than a stall", verdict.Fail, 3300*time.Millisecond),
		hindered("the service fails a call that the receiver makes", verdict.Pass, 503, "f1: status=503"),
		hindered("the service is slow to answer the receiver", verdict.Pass, 200, "f1: latency=4s"),
		hindered("the service answers at once", verdict.Fail, 200, ""),
		burst("quick", verdict.Pass, "", 12, 0, 0, 200),
		burst("one of twenty", verdict.Pass, "", 20, 1, 4*time.Second, 200),
		burst("one of ten", verdict.Pass, "", 10, 1, 4*time.Second, 200),
		burst("two of ten", verdict.Fail, "", 10, 2, 4*time.Second, 200),
		burst("no answer in time", verdict.Fail, "", 20, 3, 15*time.Second, 0),
		burst("too few", verdict.NotExercised, "", 9, 9, 4*time.Second, 200),
		burst("nobody there", verdict.NotExercised, "", 12, 12, time.Millisecond, 0),
		burst("a clock that stands still", verdict.NotExercised, "manual", 12, 12, 0, 200),
		seldom("seldom, and some slowly", verdict.NotExercised, 3),
		seldom("seldom, and always slowly", verdict.Fail, 1),
		checktest.On(id, "the clock was moved", verdict.Pass, "", func(s *checktest.Tape) {
			for range 12 {
				s.Move(10 * time.Minute)
				s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200, checktest.Lasted(time.Millisecond))
			}
		}),
	})
}

func TestPartnerRotation(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.rotation"
	rotate := func(s *checktest.Tape) {
		s.Control("rotateSecret", `{"secret":"xxx"}`).Entities = []string{"endpoint-1"}
	}
	again := func(at int64) func(a *tape.Attempt) { return func(a *tape.Attempt) { a.Next = at } }
	next := func(s *checktest.Tape) *tape.Entry { return s.Became("p1", "Pending", "Processing", nil) }
	// welcome plays a delivery that is accepted before the change.
	welcome := func(s *checktest.Tape) {
		s.Attempt(next(s), "", 200)
		rotate(s)
	}
	healed := func(s *checktest.Tape) {
		e := next(s)
		s.Attempt(e, "", 401, checktest.Number(1), again(s.Now+5))
		s.Pass(5 * time.Second)
		s.Attempt(e, "", 200, checktest.Number(2))
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "accepted", verdict.Pass, "", func(s *checktest.Tape) { rotate(s); s.Attempt(next(s), "", 200) }),
		checktest.On(id, "healed", verdict.Pass, "", func(s *checktest.Tape) { welcome(s); healed(s); s.Attempt(next(s), "", 200) }),
		checktest.On(id, "healed twice", verdict.Fail, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "", 401, again(s.Now+5)); healed(s) }),
		checktest.On(id, "given up", verdict.Fail, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "", 401) }),
		checktest.On(id, "refused for long", verdict.Fail, "", func(s *checktest.Tape) {
			welcome(s)
			s.Attempt(next(s), "", 401, again(s.Now+5))
			s.Pass(2 * time.Minute)
			s.Calls(1)
		}),
		checktest.On(id, "is to be tried again", verdict.NotExercised, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "", 401, again(s.Now+5)) }),
		checktest.On(id, "never accepted", verdict.NotExercised, "", func(s *checktest.Tape) { rotate(s); s.Attempt(next(s), "", 401); s.Attempt(next(s), "", 401) }),
		checktest.On(id, "unsigned now", verdict.NotExercised, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "", 401, unsignedHooks) }),
		checktest.On(id, "a forgery", verdict.NotExercised, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "wrong-secret", 401) }),
		checktest.On(id, "before", verdict.NotExercised, "", func(s *checktest.Tape) { s.Attempt(next(s), "", 401); rotate(s) }),
		checktest.On(id, "refused for another reason", verdict.NotExercised, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "", 404); s.Attempt(next(s), "", 404) }),
		checktest.On(id, "refused because it was unusual", verdict.Pass, "", func(s *checktest.Tape) {
			welcome(s)
			for _, profile := range []string{"odd-json", "extra-member", "unknown-event"} {
				s.Attempt(next(s), profile, 401)
			}
			s.Attempt(next(s), "", 200)
		}),
		checktest.On(id, "receiver away", verdict.NotExercised, "", func(s *checktest.Tape) { welcome(s); s.Attempt(next(s), "", 503) }),
		checktest.On(id, "the first of two changes", verdict.Fail, "", func(s *checktest.Tape) {
			welcome(s)
			s.Attempt(next(s), "", 401)
			rotate(s)
			s.Attempt(next(s), "", 200)
		}),
	})
}

// overtakenByReturn plays Paid and its return, of which the return comes first, and gives that.
func overtakenByReturn(s *checktest.Tape) *tape.Entry {
	s.Payment("p1")
	paid := s.Became("p1", "Processing", "Paid", nil)
	back := s.Became("p1", "Paid", "Failed", nil)
	s.Attempt(back, "", 200)
	s.Attempt(paid, "reorder", 200)
	return back
}

package retry_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

// one is a payment that fails, with these pauses before each repetition.
func one(pauses ...time.Duration) func(s *checktest.Spool) {
	return func(s *checktest.Spool) { s.Fails(1, pauses...) }
}

// two are two such payments.
func two(first, second []time.Duration) func(s *checktest.Spool) {
	return func(s *checktest.Spool) {
		s.Fails(1, first...)
		s.Fails(2, second...)
	}
}

// at503 is a payment that is put off three times.
func at503(s *checktest.Spool) {
	for range 3 {
		s.Pays(503, "r1", checktest.Key(1), checktest.Carries("Retry-After", "1"))
		s.Pass(time.Second)
	}
	s.Pays(200, "r1", checktest.Key(1))
}

// reads are readings that fail, at a pace.
func reads(s *checktest.Spool, every time.Duration, n int) {
	for range n {
		s.Call("listCompanies", 500)
		s.Pass(every)
	}
	s.Call("getUserStatus", 200)
}

func TestPartnerPause(t *testing.T) {
	t.Parallel()
	const pause = "partner.retry.pause"
	checktest.Play(t, []checktest.Case{
		checktest.On(pause, "no pause at all", verdict.Fail, "", func(s *checktest.Spool) {
			reads(s, time.Millisecond, 5)
			s.Pass(time.Minute)
			s.Call("listCompanies", 200)
		}),
		checktest.On(pause, "no pause in virtual time", verdict.Fail, "manual", func(s *checktest.Spool) {
			s.Virtual()
			reads(s, 0, 5)
			s.Pass(time.Minute)
			s.Call("listCompanies", 200)
		}),
		checktest.On(pause, "none but what Retry-After asks for", verdict.Fail, "", func(s *checktest.Spool) {
			at503(s)
			s.Fails(2, time.Millisecond, time.Millisecond, time.Millisecond)
			s.Fails(3, time.Millisecond, time.Millisecond, time.Millisecond)
		}),
		checktest.On(pause, "no pause, but looks in between", verdict.Fail, "", func(s *checktest.Spool) {
			one(20*time.Millisecond, 14*time.Millisecond, 16*time.Millisecond)(s)
			for range 2 {
				s.Pass(time.Minute)
				reads(s, 3*time.Millisecond, 3)
			}
			s.Pass(time.Minute)
			s.Call("listCompanies", 200)
		}),
		checktest.On(pause, "each is left alone", verdict.Pass, "", func(s *checktest.Spool) {
			s.Pays(500, "r1", checktest.Key(1))
			s.Pass(time.Minute)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(pause, "none, on a busy machine", verdict.Fail, "", one(2*time.Millisecond, 15*time.Millisecond, 3*time.Millisecond, time.Millisecond)),
		checktest.On(pause, "short ones", verdict.Pass, "", one(20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond)),
		checktest.On(pause, "once, at once", verdict.NotExercised, "", one(time.Millisecond)),
		checktest.On(pause, "too seldom to tell", verdict.NotExercised, "", one(2*time.Millisecond, 3*time.Millisecond)),
		checktest.On(pause, "three at once beside others with pauses", verdict.Pass, "", func(s *checktest.Spool) {
			s.Fails(1, time.Millisecond, time.Millisecond, time.Millisecond)
			s.Fails(2, 100*time.Millisecond, 190*time.Millisecond)
		}),
		checktest.On(pause, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Spool) { reads(s, 0, 5) }),
	})
}

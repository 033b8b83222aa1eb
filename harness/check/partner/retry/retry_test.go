package retry_test

import (
	"slices"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

const (
	backoff    = "partner.retry.backoff"
	retryAfter = "partner.retry.after"
	bounded    = "partner.retry.bounded"
)

func TestPartnerBackoff(t *testing.T) {
	t.Parallel()
	checktest.Play(t, []checktest.Case{
		checktest.On(backoff, "growing", verdict.Pass, "", one(110*time.Millisecond, 190*time.Millisecond, 430*time.Millisecond)),
		checktest.On(backoff, "growing in virtual time", verdict.Pass, "manual", one(110*time.Millisecond, 190*time.Millisecond, 430*time.Millisecond)),
		checktest.On(backoff, "full jitter", verdict.Pass, "", two([]time.Duration{90 * time.Millisecond, 40 * time.Millisecond, 350 * time.Millisecond}, []time.Duration{30 * time.Millisecond, 160 * time.Millisecond})),
		checktest.On(backoff, "the transport repeats at once", verdict.Pass, "", one(20*time.Millisecond, 100*time.Millisecond, 240*time.Millisecond)),
		checktest.On(backoff, "after hanging up", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 3 {
				s.Hangup(s.Pays(200, "r1", checktest.Key(1), checktest.Faulty("f1: latency=1m0s")), 6*time.Second)
				s.Pass(time.Duration(n*n+1) * 90 * time.Millisecond)
			}
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(backoff, "several workers", verdict.Pass, "", func(s *checktest.Tape) {
			for _, p := range []time.Duration{100 * time.Millisecond, 210 * time.Millisecond, 390 * time.Millisecond} {
				reads(s, 0, 8)
				s.Pass(p)
			}
			reads(s, 0, 8)
		}),
		checktest.On(backoff, "none", verdict.Fail, "", one(20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond)),
		checktest.On(backoff, "next to none, on a machine that was busy once", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Fails(1, 12*time.Millisecond, 14*time.Millisecond)
			s.Fails(2, 13*time.Millisecond, 15*time.Millisecond)
			s.Fails(3, 160*time.Millisecond, 350*time.Millisecond)
		}),
		checktest.On(backoff, "the same each time", verdict.Fail, "", one(400*time.Millisecond, 400*time.Millisecond, 401*time.Millisecond, 400*time.Millisecond)),
		checktest.On(backoff, "two that lie close by chance", verdict.NotExercised, "", one(506*time.Millisecond, 501*time.Millisecond)),
		checktest.On(backoff, "shrinking", verdict.Fail, "", one(1600*time.Millisecond, 800*time.Millisecond, 400*time.Millisecond, 200*time.Millisecond, 100*time.Millisecond)),
		checktest.On(backoff, "too seldom to tell", verdict.NotExercised, "", one(2*time.Millisecond, 3*time.Millisecond)),
		checktest.On(backoff, "two of 12 ms", verdict.NotExercised, "", one(12*time.Millisecond, 13*time.Millisecond)),
		checktest.On(backoff, "two of 12 ms each, once on a busy machine", verdict.Fail, "", two([]time.Duration{12 * time.Millisecond, 13 * time.Millisecond, 12 * time.Millisecond, 14 * time.Millisecond}, []time.Duration{12 * time.Millisecond, 310 * time.Millisecond, 13 * time.Millisecond})),
		checktest.On(backoff, "no jitter", verdict.Fail, "", two([]time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond}, []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond})),
		checktest.On(backoff, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Tape) { reads(s, 0, 5) }),
		checktest.On(backoff, "once", verdict.NotExercised, "", one(20*time.Millisecond)),
		checktest.On(backoff, "a poll", verdict.NotExercised, "", func(s *checktest.Tape) { reads(s, 10*time.Second, 5) }),
		checktest.On(backoff, "no failure", verdict.NotExercised, "", one()),
		checktest.On(backoff, "what the service asks for", verdict.NotExercised, "", at503),
	})
}

func TestPartnerBounded(t *testing.T) {
	t.Parallel()
	row := func(s *checktest.Tape, n int) {
		for i := range n {
			s.Pays(502, "r1", checktest.Key(1))
			s.Pass(time.Duration(50*(i+1)) * time.Millisecond)
		}
	}
	given := func(s *checktest.Tape) {
		s.Pass(time.Minute)
		s.Call("listCompanies", 200)
	}
	// told plays an event, and then readings of the payment that all fail.
	told := func(name string, want verdict.Word, pauses ...int) checktest.Case {
		return checktest.On(bounded, name, want, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p1", "Processing", "Paid", s.Payment("p1")), "", 200)
			for _, ms := range pauses {
				s.Call("getPaymentStatus", 500, checktest.At("/Payment/p1/Status", ""))
				s.Pass(time.Duration(ms) * time.Millisecond)
			}
			given(s)
		})
	}
	checktest.Play(t, []checktest.Case{
		told("read because of an event, and besides, each six times", verdict.Pass, 300, 600, 1200, 2400, 4800, 30, 300, 600, 1200, 2400, 4800, 30),
		told("read by two at a time, six times each, whose pauses grow", verdict.Pass, 110, 190, 280, 350, 420, 600, 640, 900, 1100, 2300, 2700),
		told("read on and on, once because of an event", verdict.Fail, append([]int{300, 600, 1200}, slices.Repeat([]int{2400}, 22)...)...),
		told("read again by a loop, with three tries each time", verdict.Pass, 300, 700, 1100, 300, 700, 1100, 300, 700, 1100, 300, 700, 1100, 300),
		told("read every one and a half seconds for as long as it fails", verdict.Pass, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500),
		told("read 25 times with pauses by chance", verdict.Fail, 300, 120, 390, 150, 300, 120, 390, 150, 300, 120, 390, 150, 300, 120, 390, 150, 300, 120, 390, 150, 300, 120, 390, 150, 300),
		checktest.On(bounded, "a reading that slows down to the pace of a poll", verdict.NotExercised, "", func(s *checktest.Tape) {
			for _, ms := range []int{300, 600, 1200, 2400, 4800, 6100, 5900, 6000, 6000} {
				s.Call("getPaymentStatus", 500, checktest.At("/Payment/p1/Status", ""))
				s.Pass(time.Duration(ms) * time.Millisecond)
			}
			given(s)
		}),
		checktest.On(bounded, "given up", verdict.Pass, "", func(s *checktest.Tape) { row(s, 4); given(s) }),
		checktest.On(bounded, "given up at the second time", verdict.Pass, "", func(s *checktest.Tape) { row(s, 2); given(s) }),
		checktest.On(bounded, "given up, seen by what it does besides", verdict.Pass, "manual", func(s *checktest.Tape) {
			for range 4 {
				s.Call("getUserStatus", 503)
			}
			s.Calls(10)
		}),
		checktest.On(bounded, "served in the end", verdict.NotExercised, "", func(s *checktest.Tape) { row(s, 3); s.Pays(200, "r1", checktest.Key(1)); given(s) }),
		checktest.On(bounded, "never made again", verdict.NotExercised, "", func(s *checktest.Tape) { row(s, 1); given(s) }),
		checktest.On(bounded, "in a pause when the tape ends", verdict.NotExercised, "", func(s *checktest.Tape) {
			for i := range 4 {
				s.Pays(502, "r1", checktest.Key(1))
				s.Pass(time.Duration(1<<(2*i)) * 100 * time.Millisecond)
			}
			s.Calls(9)
		}),
		checktest.On(bounded, "given up, and served when it came back to it", verdict.Pass, "", func(s *checktest.Tape) {
			row(s, 4)
			s.Pass(5 * time.Second)
			s.Pays(502, "r1", checktest.Key(1))
			s.Pass(5 * time.Second)
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(bounded, "every five seconds for ever", verdict.Fail, "", func(s *checktest.Tape) {
			for range 12 {
				s.Pays(502, "r1", checktest.Key(1))
				s.Pass(5 * time.Second)
			}
		}),
		checktest.On(bounded, "pauses that grow fourfold", verdict.NotExercised, "", func(s *checktest.Tape) {
			for i := range 5 {
				s.Pays(502, "r1", checktest.Key(1))
				s.Pass(time.Duration(1<<(2*i)) * 100 * time.Millisecond)
			}
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(bounded, "told to wait", verdict.NotExercised, "", func(s *checktest.Tape) {
			for range 2 {
				s.Pays(502, "r1", checktest.Key(1))
				s.Pass(100 * time.Millisecond)
			}
			s.Pays(503, "r1", checktest.Key(1), checktest.Carries("Retry-After", "20"))
			s.Pass(20 * time.Second)
			s.Pays(200, "r1", checktest.Key(1))
		}),
		checktest.On(bounded, "again later", verdict.Pass, "", func(s *checktest.Tape) {
			for range 5 {
				row(s, 4)
				given(s)
			}
		}),
		checktest.On(bounded, "a poll", verdict.NotExercised, "", func(s *checktest.Tape) {
			for range 30 {
				s.Call("listCompanies", 503)
				s.Pass(10 * time.Second)
			}
		}),
		checktest.On(bounded, "several workers", verdict.Pass, "", func(s *checktest.Tape) {
			for range 4 {
				for range 8 {
					s.Call("listCompanies", 503)
				}
				s.Pass(300 * time.Millisecond)
			}
			given(s)
		}),
		checktest.On(bounded, "on and on", verdict.Fail, "", func(s *checktest.Tape) { row(s, 9) }),
		checktest.On(bounded, "on and on without a pause", verdict.Fail, "manual", func(s *checktest.Tape) {
			for range 20 {
				s.Call("listCompanies", 503)
			}
		}),
		checktest.On(bounded, "on and on until served", verdict.Fail, "", func(s *checktest.Tape) { row(s, 12); s.Pays(200, "r1", checktest.Key(1)) }),
		checktest.On(bounded, "still failing", verdict.NotExercised, "", func(s *checktest.Tape) { row(s, 3) }),
		checktest.On(bounded, "no failure", verdict.NotExercised, "", given),
	})
}

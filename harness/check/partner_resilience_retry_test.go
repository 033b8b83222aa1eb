package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
)

const (
	backoff    = "partner.retry.backoff"
	retryAfter = "partner.retry.after"
	bounded    = "partner.retry.bounded"
)

const ms = time.Millisecond

// fails requests a payment that fails, and again after each of the pauses; it is
// served in the end.
func (s *spool) fails(n int, pauses ...time.Duration) {
	for _, p := range pauses {
		s.pays(500, fmt.Sprint("r", n), key(n))
		s.pass(p - 20*ms) // which pays lets pass
	}
	s.pays(200, fmt.Sprint("r", n), key(n))
}

func TestPartnerBackoff(t *testing.T) {
	t.Parallel()
	one := func(pauses ...time.Duration) func(s *spool) { return func(s *spool) { s.fails(1, pauses...) } }
	two := func(first, second []time.Duration) func(s *spool) {
		return func(s *spool) {
			s.fails(1, first...)
			s.fails(2, second...)
		}
	}
	at503 := func(s *spool) {
		for range 3 {
			s.pays(503, "r1", key(1), carries("Retry-After", "1"))
			s.pass(time.Second)
		}
		s.pays(200, "r1", key(1))
	}
	reads := func(s *spool, every time.Duration, n int) {
		for range n {
			s.call("listCompanies", 500)
			s.pass(every)
		}
		s.call("getUserStatus", 200)
	}
	playCases(t, []partnerCase{
		{backoff, "growing", verdict.Pass, "", one(110*ms, 190*ms, 430*ms)},
		{backoff, "growing in virtual time", verdict.Pass, "manual", one(110*ms, 190*ms, 430*ms)},
		{backoff, "full jitter", verdict.Pass, "", two([]time.Duration{90 * ms, 40 * ms, 350 * ms}, []time.Duration{30 * ms, 160 * ms})},
		{backoff, "the transport repeats at once", verdict.Pass, "", one(20*ms, 100*ms, 240*ms)},
		{backoff, "after hanging up", verdict.Pass, "", func(s *spool) {
			for n := range 3 {
				s.hangup(s.pays(200, "r1", key(1), faulty("f1: latency=1m0s")), 6*time.Second)
				s.pass(time.Duration(n*n+1) * 90 * ms)
			}
			s.pays(200, "r1", key(1))
		}},
		{backoff, "several workers", verdict.Pass, "", func(s *spool) {
			for _, p := range []time.Duration{100 * ms, 210 * ms, 390 * ms} {
				reads(s, 0, 8)
				s.pass(p)
			}
			reads(s, 0, 8)
		}},
		{backoff, "none", verdict.Fail, "", one(20*ms, 20*ms, 20*ms)},
		{backoff, "no pause at all", verdict.Fail, "", func(s *spool) {
			reads(s, ms, 5)
			s.pass(time.Minute)
			s.call("listCompanies", 200)
		}},
		{backoff, "no pause in virtual time", verdict.Fail, "manual", func(s *spool) {
			s.note(check.NoteVirtual, map[string]any{})
			reads(s, 0, 5)
			s.pass(time.Minute)
			s.call("listCompanies", 200)
		}},
		{backoff, "the same each time", verdict.Fail, "", one(200*ms, 200*ms, 201*ms)},
		{backoff, "the same twice", verdict.Fail, "", one(500*ms, 502*ms)},
		{backoff, "no jitter", verdict.Fail, "", two([]time.Duration{100 * ms, 200 * ms, 400 * ms}, []time.Duration{100 * ms, 200 * ms, 400 * ms})},
		{backoff, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *spool) { reads(s, 0, 5) }},
		{backoff, "once", verdict.NotExercised, "", one(20 * ms)},
		{backoff, "a poll", verdict.NotExercised, "", func(s *spool) { reads(s, 10*time.Second, 5) }},
		{backoff, "no failure", verdict.NotExercised, "", one()},
		{backoff, "what the service asks for", verdict.NotExercised, "", at503},
	})
}

func TestPartnerRetryAfter(t *testing.T) {
	t.Parallel()
	after := func(status int, wait string, gap time.Duration) func(s *spool) {
		return func(s *spool) {
			s.pays(status, "r1", key(1), carries("Retry-After", wait))
			s.pass(gap - 20*ms)
			s.pays(200, "r1", key(1))
		}
	}
	goesOn := func(s *spool) {
		for range 4 {
			s.call("getUserStatus", 200)
		}
	}
	reader := func(gaps ...time.Duration) func(s *spool) {
		return func(s *spool) {
			s.call("listCompanies", 503, carries("Retry-After", "2"))
			for _, g := range gaps {
				s.pass(g)
				s.call("listCompanies", 200)
			}
			goesOn(s)
		}
	}
	// another is a reader that comes while one was put off, and maybe is put off too.
	another := func(status int) func(s *spool) {
		return func(s *spool) {
			s.call("listCompanies", 429, carries("Retry-After", "1"))
			s.pass(500 * ms)
			s.call("listCompanies", status, carries("Retry-After", "1"))
			s.pass(510 * ms)
			s.call("listCompanies", 200)
			s.pass(500 * ms)
			s.call("listCompanies", 200)
			goesOn(s)
		}
	}
	playCases(t, []partnerCase{
		{retryAfter, "a second", verdict.Pass, "", after(503, "1", time.Second)},
		{retryAfter, "a second of virtual time", verdict.Pass, "manual", after(429, "1", 1100*ms)},
		{retryAfter, "a reader beside", verdict.Pass, "", reader(10*ms, 2*time.Second)},
		{retryAfter, "too early", verdict.Fail, "", after(503, "2", time.Second)},
		{retryAfter, "at once", verdict.Fail, "", after(429, "1", 20*ms)},
		{retryAfter, "another reader", verdict.Pass, "", another(200)},
		{retryAfter, "another reader, put off too", verdict.Pass, "", another(429)},
		{retryAfter, "one reading too early", verdict.NotExercised, "", reader(100 * ms)},
		{retryAfter, "readings too early", verdict.Fail, "", func(s *spool) {
			reader(100 * ms)(s)
			s.pass(time.Minute)
			reader(200 * ms)(s)
		}},
		{retryAfter, "readings too early, and later ones for another reason", verdict.Fail, "", func(s *spool) {
			for _, path := range []string{"/Payment/p1/Status", "/Payment/p2/Status"} {
				s.call("getPaymentStatus", 429, at(path, ""), carries("Retry-After", "1"))
				s.pass(80 * ms)
				s.call("getPaymentStatus", 200, at(path, ""))
				s.pass(1600 * ms)
				s.call("getPaymentStatus", 200, at(path, ""))
				s.pass(time.Minute)
			}
		}},
		{retryAfter, "another payment of the same content", verdict.NotExercised, "", func(s *spool) {
			s.pays(429, "", key(1), carries("Retry-After", "1"))
			s.pays(200, "", key(2))
		}},
		{retryAfter, "a reader in a loop", verdict.Fail, "", reader(ms, ms)},
		{retryAfter, "in virtual time", verdict.Fail, "manual", func(s *spool) {
			s.note(check.NoteVirtual, map[string]any{})
			reader(0, 0, 0)(s)
		}},
		{retryAfter, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *spool) {
			s.call("createPayment", 503, carries("Retry-After", "2"))
			s.call("createPayment", 200)
		}},
		{retryAfter, "not made again", verdict.NotExercised, "", reader()},
		{retryAfter, "nothing to obey", verdict.NotExercised, "", func(s *spool) { s.fails(1, 100*ms, 200*ms) }},
	})
}

func TestPartnerBounded(t *testing.T) {
	t.Parallel()
	row := func(s *spool, n int) {
		for i := range n {
			s.pays(502, "r1", key(1))
			s.pass(time.Duration(50*(i+1)) * ms)
		}
	}
	given := func(s *spool) {
		s.pass(time.Minute)
		s.call("listCompanies", 200)
	}
	playCases(t, []partnerCase{
		{bounded, "given up", verdict.Pass, "", func(s *spool) { row(s, 4); given(s) }},
		{bounded, "given up at the second time", verdict.Pass, "", func(s *spool) { row(s, 2); given(s) }},
		{bounded, "given up, seen by what it does besides", verdict.Pass, "manual", func(s *spool) {
			for range 4 {
				s.call("getUserStatus", 503)
			}
			s.calls(10)
		}},
		{bounded, "served in the end", verdict.NotExercised, "", func(s *spool) { row(s, 3); s.pays(200, "r1", key(1)); given(s) }},
		{bounded, "never made again", verdict.NotExercised, "", func(s *spool) { row(s, 1); given(s) }},
		{bounded, "in a pause when the tape ends", verdict.NotExercised, "", func(s *spool) {
			for i := range 4 {
				s.pays(502, "r1", key(1))
				s.pass(time.Duration(1<<(2*i)) * 100 * ms)
			}
			s.calls(9)
		}},
		{bounded, "given up, and served when it came back to it", verdict.Pass, "", func(s *spool) {
			row(s, 4)
			s.pass(5 * time.Second)
			s.pays(502, "r1", key(1))
			s.pass(5 * time.Second)
			s.pays(200, "r1", key(1))
		}},
		{bounded, "every five seconds for ever", verdict.Fail, "", func(s *spool) {
			for range 12 {
				s.pays(502, "r1", key(1))
				s.pass(5 * time.Second)
			}
		}},
		{bounded, "pauses that grow fourfold", verdict.NotExercised, "", func(s *spool) {
			for i := range 5 {
				s.pays(502, "r1", key(1))
				s.pass(time.Duration(1<<(2*i)) * 100 * ms)
			}
			s.pays(200, "r1", key(1))
		}},
		{bounded, "told to wait", verdict.NotExercised, "", func(s *spool) {
			for range 2 {
				s.pays(502, "r1", key(1))
				s.pass(100 * ms)
			}
			s.pays(503, "r1", key(1), carries("Retry-After", "20"))
			s.pass(20 * time.Second)
			s.pays(200, "r1", key(1))
		}},
		{bounded, "again later", verdict.Pass, "", func(s *spool) {
			for range 5 {
				row(s, 4)
				given(s)
			}
		}},
		{bounded, "a poll", verdict.NotExercised, "", func(s *spool) {
			for range 30 {
				s.call("listCompanies", 503)
				s.pass(10 * time.Second)
			}
		}},
		{bounded, "several workers", verdict.Pass, "", func(s *spool) {
			for range 4 {
				for range 8 {
					s.call("listCompanies", 503)
				}
				s.pass(300 * ms)
			}
			given(s)
		}},
		{bounded, "on and on", verdict.Fail, "", func(s *spool) { row(s, 9) }},
		{bounded, "on and on without a pause", verdict.Fail, "manual", func(s *spool) {
			for range 20 {
				s.call("listCompanies", 503)
			}
		}},
		{bounded, "on and on until served", verdict.Fail, "", func(s *spool) { row(s, 12); s.pays(200, "r1", key(1)) }},
		{bounded, "still failing", verdict.NotExercised, "", func(s *spool) { row(s, 3) }},
		{bounded, "no failure", verdict.NotExercised, "", given},
	})
}

package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/mockserver/tape"
)

// busy is a session of about so many entries: payers who come back, payments with their
// changes, events, deliveries, doubled and forged ones among them, failures, refusals,
// reads, late cancellations, notes and moves of the clock.
func busy(entries int) *check.Tape {
	s := newSpool("")
	s.token("token-1")
	for n := 0; len(s.entries) < entries; n++ {
		id, reference := fmt.Sprint("p", n), fmt.Sprint("r", n)
		s.note(check.NoteTask, map[string]any{"id": n, "do": "createPayment"})
		if n%3 == 0 {
			s.pays(500, reference, key(n))
			s.pass(time.Duration(80+n%50) * time.Millisecond)
		}
		if n%5 == 0 {
			s.pays(0, reference, key(n), faulty("f1: commit-then-drop"))
		}
		s.call("registerUser", 200, sends(fmt.Sprintf(`{"redirectUrl":"https://gym.example.com/r/%d","mobileNumber":"+1202555%04d","email":"dana.w%d@hall%d.example.com"}`, n, n, n, n)))
		call := s.pays(200, reference, key(n))
		s.becomes("payment", id, "", "Pending", call)
		s.becomes("payment", id, "Pending", "Paid", nil)
		paid := s.event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"`+id+`","Status":"Paid"}`, nil, id)
		s.attempt(paid, "", 200)
		s.attempt(paid, "duplicate", 200)
		s.attempt(paid, "duplicate", 200)
		s.attempt(paid, "missing-signature", 401)
		s.note(check.NoteRedirect, map[string]any{"payment": id, "status": "Paid"})
		s.status("token-1", tape.AuthValid, id)
		s.call("cancelPayment", 400, at("/Payment/"+id+"/Cancel", ""))
		if n%7 == 0 {
			s.status("token-1", tape.AuthRevoked, id)
			s.move(time.Hour)
		}
		s.call("refundPayment", 400, at("/Payment/Refund/"+id, ""), sends(`{"amount":1}`), keyed(key(n+1_000_000)))
		s.pass(time.Second)
	}
	return s.tape()
}

// BenchmarkIntegration holds sessions of 1,000 and of 10,000 entries to every
// check of the integration catalogue; ratio is how many times longer the ten
// times longer one takes.
func BenchmarkIntegration(b *testing.B) {
	short, long := busy(1000), busy(10_000)
	timed := func(t *check.Tape) time.Duration {
		start := time.Now()
		check.JudgeIntegration(t)
		return time.Since(start)
	}
	timed(short)
	timed(long)
	var one, ten time.Duration
	for b.Loop() {
		one += timed(short)
		ten += timed(long)
	}
	b.ReportMetric(float64(ten)/float64(one), "ratio")
	b.ReportMetric(float64(ten.Nanoseconds())/float64(b.N)/10_000, "ns/entry")
}

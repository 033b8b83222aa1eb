package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// busy is a session of about so many entries: payers who come back, payments with their
// changes, events, deliveries, doubled and forged ones among them, failures, refusals,
// reads, late cancellations, notes and moves of the clock.
func busy(entries int) *trail.Trail {
	s := checktest.New("")
	s.Token("token-1")
	for n := 0; len(s.Entries) < entries; n++ {
		id, reference := fmt.Sprint("p", n), fmt.Sprint("r", n)
		s.Note(trail.NoteTask, map[string]any{"id": n, "do": "createPayment"})
		if n%3 == 0 {
			s.Pays(500, reference, checktest.Key(n))
			s.Pass(time.Duration(80+n%50) * time.Millisecond)
		}
		if n%5 == 0 {
			s.Pays(0, reference, checktest.Key(n), checktest.Faulty("f1: commit-then-drop"))
		}
		s.Call("registerUser", 200, checktest.Sends(fmt.Sprintf(`{"redirectUrl":"https://gym.example.com/r/%d","mobileNumber":"+1202555%04d","email":"dana.w%d@hall%d.example.com"}`, n, n, n, n)))
		call := s.Pays(200, reference, checktest.Key(n))
		s.Becomes("payment", id, "", "Pending", call)
		s.Becomes("payment", id, "Pending", "Paid", nil)
		paid := s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"`+id+`","Status":"Paid"}`, nil, id)
		s.Attempt(paid, "", 200)
		s.Attempt(paid, "duplicate", 200)
		s.Attempt(paid, "duplicate", 200)
		s.Attempt(paid, "missing-signature", 401)
		s.Note(trail.NoteRedirect, map[string]any{"payment": id, "status": "Paid"})
		s.Status("token-1", tape.AuthValid, id)
		s.Call("cancelPayment", 400, checktest.At("/Payment/"+id+"/Cancel", ""))
		if n%7 == 0 {
			s.Status("token-1", tape.AuthRevoked, id)
			s.Move(time.Hour)
		}
		s.Call("refundPayment", 400, checktest.At("/Payment/Refund/"+id, ""), checktest.Sends(`{"amount":1}`), checktest.Keyed(checktest.Key(n+1_000_000)))
		s.Pass(time.Second)
	}
	return s.Trail()
}

// BenchmarkIntegration holds sessions of 1,000 and of 10,000 entries to every
// check of the integration catalogue; ratio is how many times longer the ten
// times longer one takes.
func BenchmarkIntegration(b *testing.B) {
	short, long := busy(1000), busy(10_000)
	timed := func(t *trail.Trail) time.Duration {
		start := time.Now()
		check.Judge(t, check.Integration())
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

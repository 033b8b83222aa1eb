package check_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/check/service"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestAResourceThatTheHarnessDoesNotKnow plays a payment, and again with disputes beside
// it: a resource with a machine and an event of its own, of whose states two have the
// names of a company's and a payment's. No check takes one for these: that the machine is
// not documented is all that is said of it.
func TestAResourceThatTheHarnessDoesNotKnow(t *testing.T) {
	t.Parallel()
	without, with := paidAnd(false), paidAnd(true)
	for _, c := range append(check.Service(service.Options{}), check.Integration()...) {
		want, got := told(c.Judge(without)), told(c.Judge(with))
		if c.ID == "machine.moves" {
			want = append(want, "review; received the machine dispute, which is not documented")
		}
		if c.ID != "tape.ids" { // which is about ids, whosever
			assert.ElementsMatch(t, want, got, c.ID)
		}
	}
}

// told are the different judgements of a check without their evidence, and what is wrong in
// words.
func told(r check.Result) []string {
	var list []string
	for _, j := range r.Judgements {
		if j.Entries = nil; j.Word == verdict.Pass || j.Word == verdict.NotExercised {
			j.Received = ""
		}
		if text := j.Text(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// paidAnd is the tape of a payment that is Paid and fulfilled, with disputes or without.
func paidAnd(disputes bool) *trail.Trail {
	s := checktest.New("")
	dispute := func(id, from, to, profile string, cause *tape.Entry) {
		if disputes {
			s.Becomes("dispute", id, from, to, cause)
			said := s.Event("DISPUTE_STATUS_CHANGED", `{"DisputeId":"`+id+`","PaymentId":"p1","Status":"`+to+`"}`, cause, id, "p1")
			s.Attempt(said, profile, 200)
			if profile != "" {
				s.Attempt(said, profile, 200)
			}
		}
	}
	s.Token("token-1")
	c := s.Company()
	s.Decided("Verified", c, 200)
	s.Registers(`{"mobileNumber":"+12025550142"}`)
	s.Becomes("registration", "dana", "Pending", "Registered", nil)
	p := s.Payment("p1", checktest.Keyed(checktest.Key(1)))
	dispute("d1", "", "Opened", "", p)
	s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200)
	dispute("d1", "Opened", "Rejected", "duplicate", nil) // as a company may be
	s.Pass(time.Second)
	s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
	s.Shows("p1", 1, 0)
	dispute("d2", "", "Opened", "", nil)
	s.Pass(time.Second)
	dispute("d2", "Opened", "Failed", "duplicate", nil) // as a payment may after it was Paid
	s.Pass(time.Minute)
	s.Status("token-1", tape.AuthValid, "p1")
	s.Shows("p1", 1, 0)
	return s.Trail()
}

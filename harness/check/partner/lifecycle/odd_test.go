package lifecycle_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerLifecycleOdd: applications that ask instead of listening, that listen
// instead of asking, and that hear of things late.
func TestPartnerLifecycleOdd(t *testing.T) {
	t.Parallel()
	const first, no, payer = "partner.company.verified-first", "partner.company.rejected", "partner.payer.registered-first"
	const redirect, lateReturn = "partner.payment.redirect", "partner.payment.late-return"
	byLocation := checktest.Sends(`{"amount":1,"locationId":"hall"}`)
	verified := func(s *checktest.Tape) { s.Becomes("company", "c1", "Unverified", "Verified", nil) }
	comes := func(s *checktest.Tape) { s.Redirected("payment", "p1") }
	// listens plays an application that takes events, of which none is about p1.
	listens := func(s *checktest.Tape) {
		s.Attempt(s.Became("p0", "Processing", "Paid", s.Payment("p0")), "", 200)
		s.Payment("p1")
		comes(s)
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(first, "asks until it is Verified", verdict.Pass, "", func(s *checktest.Tape) {
			s.Company()
			for range 3 {
				s.Call("getCompanyStatus", 200)
				s.Pass(time.Hour)
			}
			verified(s)
			s.Call("getCompanyStatus", 200)
			s.Call("createPayment", 200, byLocation)
		}),
		checktest.On(first, "takes a day for a yes", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Pass(25 * time.Hour)
			s.Call("createPayment", 200, byLocation)
		}),
		checktest.On(first, "a plan by the company's own reference", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Call("createRecurring", 200, checktest.Sends(`{"companyReferenceId":"GYM","amount":100}`))
		}),
		checktest.On(first, "a service that decides at once", verdict.NotApplicable, "", func(s *checktest.Tape) {
			s.Meta.Latitude = map[string]string{"kyb-rehearsal": "at-once"}
			s.Decided("Verified", s.Company(), 200)
			s.Call("createPayment", 200, byLocation)
		}),
		checktest.On(first, "tried and refused", verdict.Fail, "", func(s *checktest.Tape) { s.Company(); s.Call("chargeSavedCard", 400, byLocation) }),
		checktest.On(no, "told only when the receiver was back", verdict.Pass, "", func(s *checktest.Tape) {
			s.Company()
			s.Becomes("company", "c1", "Unverified", "Rejected", nil)
			e := s.Event("COMPANY_VERIFICATION_STATUS_CHANGED", `{"CompanyId":"c1","Status":"Rejected"}`, nil, "c1")
			s.Attempt(e, "", 503, checktest.Number(1))
			s.Call("createPayment", 400, byLocation)
			s.Pass(time.Hour)
			timer := s.Add(tape.Entry{Kind: tape.KindTimer, Timer: &tape.Timer{Name: "delivery"}})
			s.Attempt(e, "", 200, checktest.Number(2)).Cause = timer.Seq
			s.Pass(time.Hour)
			s.Calls(2)
		}),
		checktest.On(payer, "asks until Registered", verdict.Pass, "", func(s *checktest.Tape) {
			s.Registers(`{}`)
			s.Call("getUserStatus", 200)
			s.Becomes("registration", "dana", "Pending", "Registered", nil)
			s.Call("getUserStatus", 200)
			s.Call("createPayment", 200, checktest.Sends(`{"amount":5,"registrationId":"DANA"}`))
		}),
		checktest.On(payer, "the amount is no promise of a single payment", verdict.Fail, "", func(s *checktest.Tape) {
			s.Registers(`{"amount":5000,"period":"monthly"}`)
			s.Call("createPayment", 200, checktest.Sends(`{"amount":5000,"registrationId":"dana"}`))
		}),
		checktest.On(redirect, "listens, and nothing has happened yet", verdict.Review, "", func(s *checktest.Tape) { listens(s); s.Calls(12) }),
		checktest.On(redirect, "listens, and refused what happened", verdict.Fail, "", func(s *checktest.Tape) {
			listens(s)
			s.Attempt(s.Became("p1", "Pending", "Denied", nil), "", 401)
			s.Calls(12)
		}),
		checktest.On(redirect, "tried to read, in vain", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			comes(s)
			s.Call("getPaymentStatus", 503)
			s.Calls(12)
		}),
		checktest.On(redirect, "reads all the time", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			for range 5 {
				s.Call("getPaymentStatus", 200)
				s.Pass(2 * time.Second)
			}
			comes(s)
			s.Pass(time.Second)
			s.Call("getPaymentStatus", 200)
			s.Calls(12)
		}),
		checktest.On(redirect, "fulfilled when it was under way", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Becomes("payment", "p1", "Pending", "Processing", nil)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(redirect, "fulfilled when it was Paid", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Shows("p1", 0, 0)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(lateReturn, "asks, and shows its books", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Becomes("payment", "p1", "Processing", "Paid", nil)
			s.Becomes("payment", "p1", "Paid", "Failed", nil)
			s.Call("getPaymentStatus", 200)
			s.Pass(time.Second)
			s.Shows("p1", 1, 1)
		}),
		checktest.On(lateReturn, "asked in vain", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Becomes("payment", "p1", "Processing", "Paid", nil)
			s.Becomes("payment", "p1", "Paid", "Failed", nil)
			s.Call("getPaymentStatus", 503)
			s.Shows("p1", 1, 0)
		}),
	})
}

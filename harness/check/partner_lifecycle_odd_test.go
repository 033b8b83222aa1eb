package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerLifecycleOdd: applications that ask instead of listening, that listen
// instead of asking, and that hear of things late.
func TestPartnerLifecycleOdd(t *testing.T) {
	t.Parallel()
	const first, no, payer = "partner.company.verified-first", "partner.company.rejected", "partner.payer.registered-first"
	const redirect, lateReturn = "partner.payment.redirect", "partner.payment.late-return"
	byLocation := sends(`{"amount":1,"locationId":"hall"}`)
	verified := func(s *spool) { s.becomes("company", "c1", "Unverified", "Verified", nil) }
	comes := func(s *spool) { s.note(check.NoteRedirect, map[string]any{"payment": "p1"}) }
	// listens plays an application that takes events, of which none is about p1.
	listens := func(s *spool) {
		s.attempt(s.became("p0", "Processing", "Paid", s.payment("p0")), "", 200)
		s.payment("p1")
		comes(s)
	}
	oddCases(t, []partnerCase{
		{first, "asks until it is Verified", verdict.Pass, "", func(s *spool) {
			s.company()
			for range 3 {
				s.call("getCompanyStatus", 200)
				s.pass(time.Hour)
			}
			verified(s)
			s.call("getCompanyStatus", 200)
			s.call("createPayment", 200, byLocation)
		}},
		{first, "takes a day for a yes", verdict.Fail, "", func(s *spool) { s.company(); s.pass(25 * time.Hour); s.call("createPayment", 200, byLocation) }},
		{first, "a plan by the company's own reference", verdict.Fail, "", func(s *spool) {
			s.company()
			s.call("createRecurring", 200, sends(`{"companyReferenceId":"GYM","amount":100}`))
		}},
		{first, "a service that decides at once", verdict.NotApplicable, "", func(s *spool) {
			s.meta.Latitude = map[string]string{"kyb-rehearsal": "at-once"}
			s.decided("Verified", s.company(), 200)
			s.call("createPayment", 200, byLocation)
		}},
		{first, "tried and refused", verdict.Fail, "", func(s *spool) { s.company(); s.call("chargeSavedCard", 400, byLocation) }},
		{no, "told only when the receiver was back", verdict.Pass, "", func(s *spool) {
			s.company()
			s.becomes("company", "c1", "Unverified", "Rejected", nil)
			e := s.event("COMPANY_VERIFICATION_STATUS_CHANGED", `{"CompanyId":"c1","Status":"Rejected"}`, nil, "c1")
			s.attempt(e, "", 503, number(1))
			s.call("createPayment", 400, byLocation)
			s.pass(time.Hour)
			timer := s.add(tape.Entry{Kind: tape.KindTimer, Timer: &tape.Timer{Name: "delivery"}})
			s.attempt(e, "", 200, number(2)).Cause = timer.Seq
			s.pass(time.Hour)
			s.calls(2)
		}},
		{payer, "asks until Registered", verdict.Pass, "", func(s *spool) {
			s.registers(`{}`)
			s.call("getUserStatus", 200)
			s.becomes("registration", "dana", "Pending", "Registered", nil)
			s.call("getUserStatus", 200)
			s.call("createPayment", 200, sends(`{"amount":5,"registrationId":"DANA"}`))
		}},
		{payer, "the amount is no promise of a single payment", verdict.Fail, "", func(s *spool) {
			s.registers(`{"amount":5000,"period":"monthly"}`)
			s.call("createPayment", 200, sends(`{"amount":5000,"registrationId":"dana"}`))
		}},
		{redirect, "listens, and nothing has happened yet", verdict.Review, "", func(s *spool) { listens(s); s.calls(12) }},
		{redirect, "listens, and refused what happened", verdict.Fail, "", func(s *spool) {
			listens(s)
			s.attempt(s.became("p1", "Pending", "Denied", nil), "", 401)
			s.calls(12)
		}},
		{redirect, "tried to read, in vain", verdict.Fail, "", func(s *spool) {
			s.payment("p1")
			comes(s)
			s.call("getPaymentStatus", 503)
			s.calls(12)
		}},
		{redirect, "reads all the time", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			for range 5 {
				s.call("getPaymentStatus", 200)
				s.pass(2 * time.Second)
			}
			comes(s)
			s.pass(time.Second)
			s.call("getPaymentStatus", 200)
			s.calls(12)
		}},
		{redirect, "fulfilled before anybody came back", verdict.Fail, "", func(s *spool) {
			s.payment("p1")
			s.payment("p2")
			s.pass(5 * time.Second)
			s.shows("p1", 1, 0)
		}},
		{redirect, "fulfilled when it was under way", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.becomes("payment", "p1", "Pending", "Processing", nil)
			s.shows("p1", 1, 0)
		}},
		{redirect, "fulfilled when it was Paid", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.shows("p1", 0, 0)
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			s.shows("p1", 1, 0)
		}},
		{lateReturn, "asks, and shows its books", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			s.becomes("payment", "p1", "Processing", "Paid", nil)
			s.becomes("payment", "p1", "Paid", "Failed", nil)
			s.call("getPaymentStatus", 200)
			s.pass(time.Second)
			s.shows("p1", 1, 1)
		}},
		{lateReturn, "asked in vain", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.becomes("payment", "p1", "Processing", "Paid", nil)
			s.becomes("payment", "p1", "Paid", "Failed", nil)
			s.call("getPaymentStatus", 503)
			s.shows("p1", 1, 0)
		}},
	})
}

package lifecycle_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestPartnerCompany(t *testing.T) {
	t.Parallel()
	const first, no = "partner.company.verified-first", "partner.company.rejected"
	byLocation := checktest.Sends(`{"amount":1,"locationId":"hall"}`)
	checktest.Play(t, []checktest.Case{
		checktest.On(first, "waits", verdict.Pass, "", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Verified", nil, 200)
			s.Call("createPayment", 200, byLocation)
		}),
		checktest.On(first, "too early", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Call("createPayment", 200, byLocation)
			s.Decided("Verified", nil, 200)
		}),
		checktest.On(first, "too early by reference", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Call("createPlan", 400, checktest.Sends(`{"companyReferenceId":"gym"}`))
		}),
		checktest.On(first, "too early for the default company", verdict.Fail, "", func(s *checktest.Tape) { s.Company(); s.Call("createPayment", 200, checktest.Sends(`{}`)) }),
		checktest.On(first, "too early at a later location", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Call("addLocation", 200, checktest.At("/Company/gym/Locations", ""), checktest.Answers(`{"locationId":"pool"}`))
			s.Call("authoriseCard", 200, checktest.Sends(`{"locationId":"pool"}`))
		}),
		checktest.On(first, "another company", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Company()
			s.Call("createPayment", 200, checktest.Sends(`{"locationId":"elsewhere"}`))
		}),
		checktest.On(first, "verified at once", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Decided("Verified", s.Company(), 200)
			s.Call("createPayment", 200, byLocation)
		}),
		checktest.On(first, "nothing charged", verdict.NotExercised, "", func(s *checktest.Tape) { s.Company(); s.Decided("Verified", nil, 200) }),
		checktest.On(no, "left alone", verdict.Pass, "", func(s *checktest.Tape) { s.Company(); s.Decided("Rejected", nil, 200); s.Pass(time.Hour); s.Calls(2) }),
		checktest.On(no, "read", verdict.Pass, "", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Rejected", nil, 500)
			s.Call("getCompanyStatus", 200)
			s.Calls(2)
		}),
		checktest.On(no, "charged", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Rejected", nil, 200)
			s.Pass(time.Hour)
			s.Call("createPayment", 400, byLocation)
		}),
		checktest.On(no, "charged with a still clock", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Rejected", nil, 200)
			s.Call("createRecurring", 200, checktest.Sends(`{"companyId":"c1"}`))
		}),
		checktest.On(no, "charged while it answers", verdict.Fail, "", func(s *checktest.Tape) {
			s.Company()
			s.Becomes("company", "c1", "Unverified", "Rejected", nil)
			e := s.Event("COMPANY_VERIFICATION_STATUS_CHANGED", `{"CompanyId":"c1","Status":"Rejected"}`, nil, "c1")
			s.Call("createPayment", 200, byLocation)
			s.Attempt(e, "", 200)
		}),
		checktest.On(no, "not told", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Rejected", nil, 500)
			s.Pass(time.Hour)
			s.Call("createPayment", 200, byLocation)
		}),
		checktest.On(no, "verified", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Verified", nil, 200)
			s.Call("createPayment", 200, byLocation)
		}),
	})
}

func TestPartnerPayer(t *testing.T) {
	t.Parallel()
	const id = "partner.payer.registered-first"
	pay := checktest.Sends(`{"amount":5000,"registrationId":"dana"}`)
	done := func(s *checktest.Tape) { s.Becomes("registration", "dana", "Pending", "Registered", nil) }
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "waits", verdict.Pass, "", func(s *checktest.Tape) { s.Registers(`{}`); done(s); s.Call("createPayment", 200, pay) }),
		checktest.On(id, "too early", verdict.Fail, "", func(s *checktest.Tape) { s.Registers(`{}`); s.Call("createPayment", 200, pay); done(s) }),
		checktest.On(id, "too early with a card", verdict.Fail, "", func(s *checktest.Tape) {
			s.Registers(`{"amount":5,"period":"once"}`)
			s.Call("chargeSavedCard", 400, pay)
		}),
		checktest.On(id, "too early for a plan", verdict.Fail, "", func(s *checktest.Tape) {
			s.Registers(`{}`)
			s.Call("createRecurring", 200, checktest.Sends(`{"registrationUserId":"DANA"}`))
		}),
		checktest.On(id, "a single payment", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Registers(`{"amount":5,"period":"once"}`)
			s.Call("createPayment", 200, pay)
		}),
		checktest.On(id, "a payment of one time by one who is not Registered", verdict.Fail, "", func(s *checktest.Tape) {
			s.Registers(`{}`)
			s.Call("createPayment", 200, checktest.Sends(`{"registrationId":"dana","oneTimePayment":true}`))
		}),
		checktest.On(id, "a payer without registration", verdict.NotExercised, "", func(s *checktest.Tape) { s.Call("createPayment", 200, pay) }),
		checktest.On(id, "registration failed", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Call("registerUser", 400, checktest.Answers(`{"registrationId":"dana"}`))
			s.Call("createPayment", 400, pay)
		}),
	})
}

func TestPartnerRedirect(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.redirect"
	comes := func(s *checktest.Tape) { s.Redirected("payment", "p1") }
	registered := func(s *checktest.Tape) {
		s.Registers(`{}`)
		s.Becomes("registration", "dana", "Pending", "Registered", nil)
		s.Redirected("registration", "dana")
	}
	charge := func(s *checktest.Tape) { s.Call("createPayment", 200, checktest.Sends(`{"registrationId":"dana"}`)) }
	const back = "https://gym.partner.test/back"
	// opens requests a payment whose payer comes back, by page or as approves plays it.
	opens := func(s *checktest.Tape) { s.Payment("p1", checktest.Sends(`{"amount":5000,"returnUrl":"`+back+`"}`)) }
	page := func(s *checktest.Tape, to string) {
		x := &tape.Exchange{Method: "POST", Path: "/pages/default/pay/p1", Response: tape.Response{Status: 303, Header: []tape.Header{{Name: "Location", Value: to + "?status=x"}}}}
		s.Add(tape.Entry{Kind: tape.KindPage, Entities: []string{"p1"}, Exchange: x})
	}
	approves := func(s *checktest.Tape) {
		e := s.Control("movePayment", "{}")
		e.Entities, e.Exchange.Path = []string{"p1"}, "/_sandbox/integrations/default/payments/p1/approve"
	}
	completes := func(s *checktest.Tape) {
		e := s.Control("completeRegistration", "{}")
		e.Entities, e.Exchange.Response.Body = []string{"dana"}, []byte(`{"redirectUrl":"`+back+`"}`)
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "read", verdict.Pass, "", func(s *checktest.Tape) { s.Payment("p1"); comes(s); s.Call("getPaymentStatus", 200); s.Calls(12) }),
		checktest.On(id, "read while the payer comes back", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Control("movePayment", "{}").Entities = []string{"p1"}
			s.Call("getTransaction", 200)
			comes(s)
			s.Calls(12)
		}),
		checktest.On(id, "read in a report", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			comes(s)
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"paymentRequestId":"p1"}]}`))
		}),
		checktest.On(id, "not read", verdict.Fail, "", func(s *checktest.Tape) { s.Payment("p1"); comes(s); s.Calls(12) }),
		checktest.On(id, "not read for long", verdict.Fail, "manual", func(s *checktest.Tape) { s.Payment("p1"); comes(s); s.Pass(time.Minute) }),
		checktest.On(id, "not read yet", verdict.NotExercised, "", func(s *checktest.Tape) { s.Payment("p1"); comes(s); s.Calls(3) }),
		checktest.On(id, "the webhook decides, says the probe", verdict.Pass, "", func(s *checktest.Tape) { s.Payment("p1"); comes(s); s.Shows("p1", 0, 0); s.Calls(12) }),
		checktest.On(id, "the webhook may decide", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			comes(s)
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "", 200)
			s.Calls(12)
		}),
		checktest.On(id, "the webhook has told", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			comes(s)
			s.Calls(12)
		}),
		checktest.On(id, "fulfilled too early", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			comes(s)
			s.Call("getPaymentStatus", 200)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "fulfilled when Paid", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			comes(s)
			s.Call("getPaymentStatus", 200)
			s.Became("p1", "Processing", "Paid", nil)
			s.Shows("p1", 1, 0)
			s.Became("p1", "Paid", "Failed", nil)
			s.Shows("p1", 1, 0)
		}),
		checktest.On(id, "a page leads back, read", verdict.Pass, "", func(s *checktest.Tape) { opens(s); page(s, back); s.Call("getPaymentStatus", 200); s.Calls(12) }),
		checktest.On(id, "a page leads back, not read", verdict.Fail, "", func(s *checktest.Tape) { opens(s); page(s, back); s.Calls(12) }),
		checktest.On(id, "a page leads to another", verdict.NotExercised, "", func(s *checktest.Tape) { opens(s); page(s, "/pages/default/bank/1"); s.Calls(12) }),
		checktest.On(id, "the payer is played, read", verdict.Pass, "", func(s *checktest.Tape) {
			opens(s)
			approves(s)
			s.Call("getPaymentStatus", 200).Entities = []string{"p1"}
		}),
		checktest.On(id, "the payer is played, not read", verdict.NotExercised, "", func(s *checktest.Tape) { opens(s); approves(s); s.Calls(12) }),
		checktest.On(id, "the payer of a card is played, read", verdict.Pass, "", func(s *checktest.Tape) {
			s.Becomes("card-authorisation", "p1", "", "Pending", nil)
			e := s.Control("enterCard", "{}")
			e.Entities, e.Exchange.Response.Body = []string{"p1"}, []byte(`{"returnUrl":"`+back+`"}`)
			s.Call("getPaymentStatus", 200).Entities = []string{"p1"}
		}),
		checktest.On(id, "a registration is played, read", verdict.Pass, "", func(s *checktest.Tape) {
			s.Registers(`{}`)
			completes(s)
			s.Call("getUserStatus", 200).Entities = []string{"dana"}
			charge(s)
		}),
		checktest.On(id, "a registration is played, not read", verdict.NotExercised, "", func(s *checktest.Tape) { s.Registers(`{}`); completes(s); charge(s); s.Calls(12) }),
		checktest.On(id, "registration read", verdict.Pass, "", func(s *checktest.Tape) { registered(s); s.Call("getUserStatus", 200); charge(s) }),
		checktest.On(id, "registration trusted", verdict.Fail, "", func(s *checktest.Tape) { registered(s); charge(s); s.Calls(12) }),
		checktest.On(id, "registration trusted, read much later", verdict.Fail, "", func(s *checktest.Tape) { registered(s); charge(s); s.Pass(time.Minute); s.Call("getUserStatus", 200) }),
		checktest.On(id, "registration read while the payer is charged", verdict.Pass, "", func(s *checktest.Tape) { registered(s); charge(s); s.Call("getUserStatus", 200) }),
		checktest.On(id, "registration that nobody waited for", verdict.NotExercised, "", func(s *checktest.Tape) { charge(s); registered(s); charge(s) }),
		checktest.On(id, "registration of no use", verdict.NotExercised, "", func(s *checktest.Tape) { registered(s); s.Calls(12) }),
	})
}

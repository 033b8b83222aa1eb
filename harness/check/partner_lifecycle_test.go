package check_test

import (
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// company is a call that creates one, with a location and the reference gym.
func (s *spool) company() *tape.Entry {
	c := s.call("createCompany", 200, sends(`{"companyReferenceId":"gym","name":"Hillside"}`), answers(`{"companyId":"c1","locationIds":["hall"]}`))
	s.becomes("company", "c1", "", "Unverified", c)
	return c
}

// decided is the outcome of a company's verification, which is told.
func (s *spool) decided(state string, cause *tape.Entry, status int) {
	s.becomes("company", "c1", "Unverified", state, cause)
	s.attempt(s.event("COMPANY_VERIFICATION_STATUS_CHANGED", `{"CompanyId":"c1","Status":"`+state+`"}`, cause, "c1"), "", status)
}

func TestPartnerCompany(t *testing.T) {
	t.Parallel()
	const first, no = "partner.company.verified-first", "partner.company.rejected"
	byLocation := sends(`{"amount":1,"locationId":"hall"}`)
	playCases(t, []partnerCase{
		{first, "waits", verdict.Pass, "", func(s *spool) { s.company(); s.decided("Verified", nil, 200); s.call("createPayment", 200, byLocation) }},
		{first, "too early", verdict.Fail, "", func(s *spool) { s.company(); s.call("createPayment", 200, byLocation); s.decided("Verified", nil, 200) }},
		{first, "too early by reference", verdict.Fail, "", func(s *spool) {
			s.company()
			s.call("createPlan", 400, sends(`{"companyReferenceId":"gym"}`))
		}},
		{first, "too early for the default company", verdict.Fail, "", func(s *spool) { s.company(); s.call("createPayment", 200, sends(`{}`)) }},
		{first, "too early at a later location", verdict.Fail, "", func(s *spool) {
			s.company()
			s.call("addLocation", 200, at("/Company/gym/Locations", ""), answers(`{"locationId":"pool"}`))
			s.call("authoriseCard", 200, sends(`{"locationId":"pool"}`))
		}},
		{first, "another company", verdict.NotExercised, "", func(s *spool) { s.company(); s.call("createPayment", 200, sends(`{"locationId":"elsewhere"}`)) }},
		{first, "verified at once", verdict.NotExercised, "", func(s *spool) { s.decided("Verified", s.company(), 200); s.call("createPayment", 200, byLocation) }},
		{first, "nothing charged", verdict.NotExercised, "", func(s *spool) { s.company(); s.decided("Verified", nil, 200) }},
		{no, "left alone", verdict.Pass, "", func(s *spool) { s.company(); s.decided("Rejected", nil, 200); s.pass(time.Hour); s.calls(2) }},
		{no, "read", verdict.Pass, "", func(s *spool) {
			s.company()
			s.decided("Rejected", nil, 500)
			s.call("getCompanyStatus", 200)
			s.calls(2)
		}},
		{no, "charged", verdict.Fail, "", func(s *spool) {
			s.company()
			s.decided("Rejected", nil, 200)
			s.pass(time.Hour)
			s.call("createPayment", 400, byLocation)
		}},
		{no, "charged with a still clock", verdict.Fail, "manual", func(s *spool) {
			s.company()
			s.decided("Rejected", nil, 200)
			s.call("createRecurring", 200, sends(`{"companyId":"c1"}`))
		}},
		{no, "charged while it answers", verdict.Fail, "", func(s *spool) {
			s.company()
			s.becomes("company", "c1", "Unverified", "Rejected", nil)
			e := s.event("COMPANY_VERIFICATION_STATUS_CHANGED", `{"CompanyId":"c1","Status":"Rejected"}`, nil, "c1")
			s.call("createPayment", 200, byLocation)
			s.attempt(e, "", 200)
		}},
		{no, "not told", verdict.NotExercised, "", func(s *spool) {
			s.company()
			s.decided("Rejected", nil, 500)
			s.pass(time.Hour)
			s.call("createPayment", 200, byLocation)
		}},
		{no, "verified", verdict.NotExercised, "", func(s *spool) { s.company(); s.decided("Verified", nil, 200); s.call("createPayment", 200, byLocation) }},
	})
}

// registers is a call that registers a payer, dana.
func (s *spool) registers(body string) {
	c := s.call("registerUser", 200, sends(body), answers(`{"registrationId":"dana"}`))
	s.becomes("registration", "dana", "", "Pending", c)
}

func TestPartnerPayer(t *testing.T) {
	t.Parallel()
	const id = "partner.payer.registered-first"
	pay := sends(`{"amount":5000,"registrationId":"dana"}`)
	done := func(s *spool) { s.becomes("registration", "dana", "Pending", "Registered", nil) }
	playCases(t, []partnerCase{
		{id, "waits", verdict.Pass, "", func(s *spool) { s.registers(`{}`); done(s); s.call("createPayment", 200, pay) }},
		{id, "too early", verdict.Fail, "", func(s *spool) { s.registers(`{}`); s.call("createPayment", 200, pay); done(s) }},
		{id, "too early with a card", verdict.Fail, "", func(s *spool) { s.registers(`{"amount":5,"period":"once"}`); s.call("chargeSavedCard", 400, pay) }},
		{id, "too early for a plan", verdict.Fail, "", func(s *spool) {
			s.registers(`{}`)
			s.call("createRecurring", 200, sends(`{"registrationUserId":"DANA"}`))
		}},
		{id, "a single payment", verdict.NotExercised, "", func(s *spool) { s.registers(`{"amount":5,"period":"once"}`); s.call("createPayment", 200, pay) }},
		{id, "a payment of one time", verdict.NotExercised, "", func(s *spool) {
			s.registers(`{}`)
			s.call("createPayment", 200, sends(`{"registrationId":"dana","oneTimePayment":true}`))
		}},
		{id, "a payer without registration", verdict.NotExercised, "", func(s *spool) { s.call("createPayment", 200, pay) }},
		{id, "registration failed", verdict.NotExercised, "", func(s *spool) {
			s.call("registerUser", 400, answers(`{"registrationId":"dana"}`))
			s.call("createPayment", 400, pay)
		}},
	})
}

func TestPartnerRedirect(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.redirect"
	comes := func(s *spool) { s.note(check.NoteRedirect, map[string]any{"payment": "p1"}) }
	registered := func(s *spool) {
		s.registers(`{}`)
		s.becomes("registration", "dana", "Pending", "Registered", nil)
		s.note(check.NoteRedirect, map[string]any{"registration": "dana"})
	}
	charge := func(s *spool) { s.call("createPayment", 200, sends(`{"registrationId":"dana"}`)) }
	const back = "https://gym.partner.test/back"
	// opens requests a payment whose payer comes back, by page or as approves plays it.
	opens := func(s *spool) { s.payment("p1", sends(`{"amount":5000,"returnUrl":"`+back+`"}`)) }
	page := func(s *spool, to string) {
		x := &tape.Exchange{Method: "POST", Path: "/pages/default/pay/p1", Response: tape.Response{Status: 303, Header: []tape.Header{{Name: "Location", Value: to + "?status=x"}}}}
		s.add(tape.Entry{Kind: tape.KindPage, Entities: []string{"p1"}, Exchange: x})
	}
	approves := func(s *spool) {
		e := s.control("movePayment", "{}")
		e.Entities, e.Exchange.Path = []string{"p1"}, "/_sandbox/integrations/default/payments/p1/approve"
	}
	completes := func(s *spool) {
		e := s.control("completeRegistration", "{}")
		e.Entities, e.Exchange.Response.Body = []string{"dana"}, []byte(`{"redirectUrl":"`+back+`"}`)
	}
	playCases(t, []partnerCase{
		{id, "read", verdict.Pass, "", func(s *spool) { s.payment("p1"); comes(s); s.call("getPaymentStatus", 200); s.calls(12) }},
		{id, "read while the payer comes back", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			s.control("movePayment", "{}").Entities = []string{"p1"}
			s.call("getTransaction", 200)
			comes(s)
			s.calls(12)
		}},
		{id, "read in a report", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			comes(s)
			s.call("reportTransactions", 200, answers(`{"transactions":[{"paymentRequestId":"p1"}]}`))
		}},
		{id, "not read", verdict.Fail, "", func(s *spool) { s.payment("p1"); comes(s); s.calls(12) }},
		{id, "not read for long", verdict.Fail, "manual", func(s *spool) { s.payment("p1"); comes(s); s.pass(time.Minute) }},
		{id, "not read yet", verdict.NotExercised, "", func(s *spool) { s.payment("p1"); comes(s); s.calls(3) }},
		{id, "the webhook decides, says the probe", verdict.Pass, "", func(s *spool) { s.payment("p1"); comes(s); s.shows("p1", 0, 0); s.calls(12) }},
		{id, "the webhook may decide", verdict.Review, "", func(s *spool) {
			s.payment("p1")
			comes(s)
			s.attempt(s.became("p1", "Pending", "Processing", nil), "", 200)
			s.calls(12)
		}},
		{id, "the webhook has told", verdict.NotExercised, "", func(s *spool) {
			s.payment("p1")
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			comes(s)
			s.calls(12)
		}},
		{id, "fulfilled too early", verdict.Fail, "", func(s *spool) { s.payment("p1"); comes(s); s.call("getPaymentStatus", 200); s.shows("p1", 1, 0) }},
		{id, "fulfilled when Paid", verdict.Pass, "", func(s *spool) {
			s.payment("p1")
			comes(s)
			s.call("getPaymentStatus", 200)
			s.became("p1", "Processing", "Paid", nil)
			s.shows("p1", 1, 0)
			s.became("p1", "Paid", "Failed", nil)
			s.shows("p1", 1, 0)
		}},
		{id, "a page leads back, read", verdict.Pass, "", func(s *spool) { opens(s); page(s, back); s.call("getPaymentStatus", 200); s.calls(12) }},
		{id, "a page leads back, not read", verdict.Fail, "", func(s *spool) { opens(s); page(s, back); s.calls(12) }},
		{id, "a page leads to another", verdict.NotExercised, "", func(s *spool) { opens(s); page(s, "/pages/default/bank/1"); s.calls(12) }},
		{id, "the payer is played, read", verdict.Pass, "", func(s *spool) {
			opens(s)
			approves(s)
			s.call("getPaymentStatus", 200).Entities = []string{"p1"}
		}},
		{id, "the payer is played, not read", verdict.NotExercised, "", func(s *spool) { opens(s); approves(s); s.calls(12) }},
		{id, "the payer is played, fulfilled too early", verdict.Fail, "", func(s *spool) {
			opens(s)
			approves(s)
			s.attempt(s.became("p1", "Pending", "Denied", nil), "", 200)
			s.pass(time.Minute)
			s.shows("p1", 1, 0)
		}},
		{id, "the payer of a card is played, read", verdict.Pass, "", func(s *spool) {
			s.becomes("card-authorisation", "p1", "", "Pending", nil)
			e := s.control("enterCard", "{}")
			e.Entities, e.Exchange.Response.Body = []string{"p1"}, []byte(`{"returnUrl":"`+back+`"}`)
			s.call("getPaymentStatus", 200).Entities = []string{"p1"}
		}},
		{id, "a registration is played, read", verdict.Pass, "", func(s *spool) {
			s.registers(`{}`)
			completes(s)
			s.call("getUserStatus", 200).Entities = []string{"dana"}
			charge(s)
		}},
		{id, "a registration is played, not read", verdict.NotExercised, "", func(s *spool) { s.registers(`{}`); completes(s); charge(s); s.calls(12) }},
		{id, "registration read", verdict.Pass, "", func(s *spool) { registered(s); s.call("getUserStatus", 200); charge(s) }},
		{id, "registration trusted", verdict.Fail, "", func(s *spool) { registered(s); charge(s); s.calls(12) }},
		{id, "registration trusted, read much later", verdict.Fail, "", func(s *spool) { registered(s); charge(s); s.pass(time.Minute); s.call("getUserStatus", 200) }},
		{id, "registration read while the payer is charged", verdict.Pass, "", func(s *spool) { registered(s); charge(s); s.call("getUserStatus", 200) }},
		{id, "registration that nobody waited for", verdict.NotExercised, "", func(s *spool) { charge(s); registered(s); charge(s) }},
		{id, "registration of no use", verdict.NotExercised, "", func(s *spool) { registered(s); s.calls(12) }},
	})
}

func TestPartnerLateReturn(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.late-return"
	// returned plays a payment that is returned, which is told.
	returned := func(name string, want verdict.Word, profile string, status int, then func(s *spool)) partnerCase {
		return partnerCase{id, name, want, "", func(s *spool) {
			s.payment("p1")
			s.attempt(s.became("p1", "Processing", "Paid", nil), "", 200)
			s.attempt(s.became("p1", "Paid", "Failed", nil), profile, status)
			then(s)
		}}
	}
	playCases(t, []partnerCase{
		returned("taken back", verdict.Pass, "", 200, func(s *spool) { s.shows("p1", 1, 0); s.pass(time.Second); s.shows("p1", 1, 1) }),
		returned("never fulfilled", verdict.Pass, "", 200, func(s *spool) { s.shows("p1", 0, 0) }),
		returned("kept", verdict.Fail, "", 200, func(s *spool) { s.pass(time.Second); s.shows("p1", 1, 0) }),
		returned("kept, and a call failed just before the last look", verdict.Fail, "", 200, func(s *spool) {
			s.pass(time.Second)
			s.shows("p1", 1, 0)
			s.call("listCompanies", 500)
			s.shows("p1", 1, 0)
		}),
		returned("kept so far", verdict.Review, "", 200, func(s *spool) { s.shows("p1", 1, 0) }),
		returned("refused", verdict.Fail, "", 400, func(*spool) {}),
		returned("nobody knows", verdict.Review, "", 200, func(s *spool) { s.shows("p2", 1, 0) }),
		returned("read instead", verdict.Review, "", 503, func(s *spool) { s.call("getPaymentStatus", 200) }),
		returned("not told", verdict.NotExercised, "", 0, func(s *spool) { s.shows("p1", 1, 0) }),
		returned("only forged", verdict.NotExercised, "altered-byte", 401, func(s *spool) { s.shows("p1", 1, 0) }),
		{id, "no return", verdict.NotExercised, "", func(s *spool) { s.attempt(s.became("p1", "Processing", "Failed", s.payment("p1")), "", 200) }},
	})
}

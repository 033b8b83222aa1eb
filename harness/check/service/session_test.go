package service_test

import (
	"fmt"
	"testing"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/world"
)

// rich plays a session that has something for every check: a company with its
// payers, payments on every path, refunds, cards, plans over three months with
// month ends, webhooks with a failing receiver, faults, and every sort of refusal.
func rich(tb testing.TB) *stage {
	tb.Helper()
	s := newStage(tb, mocktest.Options{Seed: 7, Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured)})
	s.listen("/good", "whsec-good-receiver", "")
	s.login()
	company := s.api(200, "POST", "/Company/Create", payload(tb, "company-create"))
	location := company["locationIds"].([]any)[0].(string)
	s.api(200, "GET", "/Company/loc-001/Status", "")
	s.api(200, "GET", "/company/status", "")
	s.api(200, "GET", "/Company/List", "")
	payer := s.payer("")
	s.payments(payer, location)
	s.cards(payer, location)
	s.receivers(payer, location)
	s.plans(payer, company["companyId"].(string))
	s.refusals(payer, location)
	return s
}

// payer registers a payer and completes the registration.
func (s *stage) payer(persona string) string {
	s.tb.Helper()
	id := s.api(200, "POST", "/User/Register", payload(s.tb, "user-register", "amount", nil, "period", nil))["registrationId"].(string)
	s.ctl("/registrations/"+id+"/complete", `{"persona":"`+persona+`"}`)
	s.api(200, "GET", "/User/"+id+"/Status", "")
	return id
}

// pay creates a payment request and takes it along a path of events.
func (s *stage) pay(payer, location string, path ...string) string {
	s.tb.Helper()
	id := s.api(200, "POST", "/Payment/Create",
		payload(s.tb, "payment-create", "registrationId", payer, "locationId", location))["paymentRequestId"].(string)
	for _, event := range path {
		s.ctl("/payments/"+id+"/"+event, "{}")
	}
	return id
}

func (s *stage) payments(payer, location string) {
	s.tb.Helper()
	for _, path := range [][]string{
		{"deny"},
		{"cancel"},
		{"queue", "process"},
		{"queue", "cancel"},
		{"review", "process"},
		{"review", "deny"},
		{"review", "cancel"},
		{"approve", "fail"},
		{"approve", "pay", "return"},
		{"schedule", "process"},
		{"schedule", "cancel"},
	} {
		s.pay(payer, location, path...)
	}
	paid := s.pay(payer, location, "approve", "pay")
	refund := func(amount int, want int) {
		s.api(want, "POST", "/Payment/Refund/"+paid, payload(s.tb, "refund", "amount", amount))
	}
	refund(2000, 200)
	refund(4000, 400)
	refund(3000, 200)
	refund(1, 400)
	s.advance("96h")
	canceled := s.pay(payer, location)
	s.api(200, "PUT", "/Payment/"+canceled+"/Cancel", "")
	s.api(400, "PUT", "/Payment/"+canceled+"/Cancel", "")
	s.api(200, "GET", "/Payment/"+paid+"/Status", "")
	body := payload(s.tb, "payment-create", "registrationId", payer, "locationId", location, "amount", 777)
	for range 2 {
		s.api(200, "POST", "/Payment/Create", body, "Idempotency-Key", "order-1")
	}
	s.api(422, "POST", "/Payment/Create", payload(s.tb, "payment-create", "registrationId", payer, "locationId", location), "Idempotency-Key", "order-1")
	late := s.payer("unauthorised-late-return")
	s.pay(late, location, "approve")
	s.advance("1440h")
}

func (s *stage) cards(payer, location string) {
	s.tb.Helper()
	for _, card := range []string{"approved", "insufficient-funds"} {
		saved := s.ctl("/payment-methods", `{"registrationId":"`+payer+`","card":"`+card+`"}`)["id"].(string)
		s.api(200, "POST", "/Payment/ChargeSavedCard", payload(s.tb, "charge-saved-card",
			"registrationId", payer, "locationId", location, "paymentMethodId", saved))
	}
	auth := s.api(200, "POST", "/Payment/Card/Auth", payload(s.tb, "card-auth", "registrationId", payer, "locationId", location))
	s.ctl("/cards/"+auth["paymentRequestId"].(string)+"/authorise", `{"number":"approved"}`)
	for _, status := range []string{"Pending", "Succeeded", "Failed"} {
		s.api(200, "POST", "/CardPayment", payload(s.tb, "card-payment", "transactionStatus", status))
	}
}

// receivers tries a receiver that fails for a while, one that has gone, and
// deliveries that are spoilt on purpose.
func (s *stage) receivers(payer, location string) {
	s.tb.Helper()
	s.status.Store(500)
	s.pay(payer, location, "deny")
	s.advance("10m")
	s.status.Store(200)
	s.advance("72h")
	s.status.Store(503)
	s.pay(payer, location, "deny")
	s.advance("96h")
	s.status.Store(200)
	gone := s.listen("/gone", "whsec-gone", "")
	s.status.Store(410)
	s.pay(payer, location, "cancel")
	s.advance("1m")
	s.status.Store(200)
	for _, id := range []string{gone, s.first()} {
		s.ctl("/webhooks/"+id+"/enable", "{}")
	}
	s.listen("/odd", "whsec-odd", "wrong-secret")
	s.listen("/altered", "whsec-altered", "altered-byte")
	s.listen("/twice", "whsec-twice", "duplicate")
	s.pay(payer, location, "approve")
	s.advance("1m")
}

// first is the endpoint that was registered first.
func (s *stage) first() string {
	for id, secrets := range s.secrets {
		if secrets[0] == "whsec-good-receiver" {
			return id
		}
	}
	return ""
}

// plans runs a plan over the end of the shortest month, one with a pause, and
// one that needs the payer each time.
func (s *stage) plans(payer, company string) {
	s.tb.Helper()
	s.api(200, "POST", "/User/"+payer+"/DebitAuth", payload(s.tb, "debit-auth", "companyId", company, "limit", 10000))
	for e := range s.transitions("debit-authorisation", "create") {
		s.ctl("/debit-authorisations/"+e+"/accept", "{}")
	}
	for _, unit := range []string{"Month", "Week"} {
		plan := s.api(200, "POST", "/PaymentPlan/Create", payload(s.tb, "plan-create",
			"startDate", "2026-12-31", "intervalUnit", unit, "occurrences", 4))["paymentPlanId"].(string)
		consent := s.api(200, "POST", "/PaymentPlan/"+plan+"/Payers", `{"registrationId":"`+payer+`"}`)["consentId"].(string)
		s.ctl("/consents/"+consent+"/accept", "{}")
		s.api(200, "PUT", "/PaymentPlan/"+plan+"/Activate", "")
		if unit == "Week" {
			s.advance("5760h")
			s.api(200, "PUT", "/PaymentPlan/"+plan+"/Pause", "")
			s.advance("192h")
			s.api(200, "PUT", "/PaymentPlan/"+plan+"/Activate", "")
		}
	}
	s.advance("2400h")
}

// transitions gives the entities that took a step.
func (s *stage) transitions(machine, event string) map[string]bool {
	found := map[string]bool{}
	for _, e := range s.tape().Entries {
		if t := e.Transition; t != nil && t.Machine == machine && t.Event == event {
			found[t.Entity] = true
		}
	}
	return found
}

// refusals brings about every sort of refusal, and two faults.
func (s *stage) refusals(payer, location string) {
	s.tb.Helper()
	url := s.sandbox.URL
	s.api(405, "PATCH", "/Company/Create", "")
	s.api(404, "GET", "/Company/Nothing/At/All", "")
	s.api(404, "GET", "/User/00000000-1111-4222-8333-444444444444/Status", "")
	s.api(400, "POST", "/Company/Create", payload(s.tb, "company-create", "zipCode", "9001", "state", "Cal"))
	s.api(415, "POST", "/User/Register", "redirectUrl=x", "Content-Type", "text/plain")
	s.api(400, "POST", "/User/Register", "{")
	s.send("POST", url+"/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"wrong"}`)
	s.send("GET", url+"/Company/List", "")
	s.send("GET", url+"/Company/List", "", "Authorization", "Bearer x.y.z")
	for i, effect := range []string{`{"status":503,"retryAfter":30}`, `{"cutConnection":"start"}`} {
		s.ctl("/faults", fmt.Sprintf(`{"name":"fault-%d","match":{"operation":"listCompanies"},"effect":%s}`, i, effect))
		s.send("GET", url+"/Company/List", "", "Authorization", "Bearer "+s.token)
	}
	s.ctl("/tokens/revoke", "{}")
	s.api(401, "GET", "/Company/List", "")
	s.login()
	s.pay(payer, location)
	s.ctl("/clock/advance", `{"by":"2h"}`)
	s.api(401, "GET", "/Company/List", "")
}

// rehearsal plays companies that wait for their verification.
func rehearsal(tb testing.TB) *stage {
	tb.Helper()
	s := newStage(tb, mocktest.Options{Seed: 8, Environment: world.Rehearsal})
	s.listen("/good", "whsec-good-receiver", "")
	s.login()
	for i, name := range []string{"Hillside", "KYB REJECT Fitness", "KYB SLOW Fitness"} {
		s.api(200, "POST", "/Company/Create", payload(tb, "company-create", "name", name, "companyReferenceId", fmt.Sprintf("loc-%03d", i+1)))
	}
	s.api(200, "GET", "/Company/loc-001/Status", "")
	s.advance("25h")
	return s
}

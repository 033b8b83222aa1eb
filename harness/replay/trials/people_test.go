package trials_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// The stories of lists, consents, and calls that are made again.
var peopleStories = []story{
	innocent("consent-declined", func(r *recording) {
		plan, payer := r.plan(), r.payer("")
		told := r.call("POST", "/PaymentPlan/"+plan+"/Payers", fmt.Sprintf(`{"registrationId":%q}`, payer))
		consent, _ := told["consentId"].(string)
		require.NotEmpty(r.t, consent, r.last().Answer)
		r.call("GET", "/Consent/List?planId="+plan, "")
		r.wait(time.Minute)
		r.control("consents/"+consent+"/decline", "{}")
		r.call("GET", "/Consent/List?planId="+plan, "")
		r.Expect.Moves = []string{"registration.complete", "consent.decline"}
	}),
	innocent("consent-accepted", func(r *recording) {
		plan, payer := r.plan(), r.payer("")
		told := r.call("POST", "/PaymentPlan/"+plan+"/Payers", fmt.Sprintf(`{"registrationId":%q}`, payer))
		consent, _ := told["consentId"].(string)
		require.NotEmpty(r.t, consent, r.last().Answer)
		r.wait(time.Minute)
		r.control("consents/"+consent+"/accept", "{}")
		r.call("GET", "/Consent/List", "")
		r.call("PUT", "/PaymentPlan/"+plan+"/Activate", "")
		r.call("GET", "/PaymentPlan/"+plan, "")
		r.Expect.Moves = []string{"registration.complete", "consent.accept"}
	}),
	innocent("token-renewed", func(r *recording) {
		payer := r.payer("")
		r.wait(70 * time.Minute)
		r.call("GET", "/User/"+payer+"/Status", "")
		r.token = ""
		told := r.call("POST", "/Authentication/Token", fmt.Sprintf(`{"clientId":"%s","clientSecret":"%s"}`, r.sandbox.ClientID, r.sandbox.ClientSecret))
		r.token, _ = told["accessToken"].(string)
		r.call("GET", "/User/"+payer+"/Status", "")
		r.Expect.Moves = []string{"registration.complete"}
	}),
	innocent("same-key", func(r *recording) {
		payer := r.payer("")
		body := fmt.Sprintf(`{"amount":4100,"registrationId":%q,"reference":"inv-41"}`, payer)
		r.call("POST", "/Payment/Create", body, [2]string{"Idempotency-Key", "inv-41-first"})
		e := r.last()
		e.Status, e.Answer, e.Answered = 0, "", nil
		told := r.call("POST", "/Payment/Create", body, [2]string{"Idempotency-Key", "inv-41-first"})
		r.call("GET", fmt.Sprintf("/Payment/%v/Status", told["paymentRequestId"]), "")
		r.Expect.Moves = []string{"registration.complete"}
	}),
	innocent("refunded-in-parts", func(r *recording) {
		id := r.paid(r.payer(""), 9000)
		r.call("POST", "/Payment/Refund/"+id, `{"amount":4000,"description":"part"}`)
		r.call("POST", "/Payment/Refund/"+id, `{"amount":5000,"description":"rest"}`)
		r.Expect.Moves = []string{"registration.complete", "payment.approve"}
	}),
	innocent("due-later", func(r *recording) {
		told := r.call("POST", "/Payment/Create", fmt.Sprintf(`{"amount":4100,"registrationId":%q,"reference":"inv-77","dueDate":"2026-04-20"}`, r.payer("")))
		id := fmt.Sprint(told["paymentRequestId"])
		r.wait(time.Minute)
		r.control("payments/"+id+"/approve", "{}")
		r.call("GET", "/Payment/"+id+"/Status", "")
		r.Expect.Moves = []string{"registration.complete", "payment.schedule"}
	}),
	innocent("reported", func(r *recording) {
		r.paid(r.payer(""), 2300)
		r.pay(r.payer(""), 2400)
		r.call("GET", "/Transaction/Report?dateFrom=2026-03-01&dateTo=2026-03-05", "")
		r.Expect.Moves = []string{"registration.complete", "payment.approve", "registration.complete"}
	}),
	service("one-company-not-listed", []string{"company.list"}, func(r *recording) {
		r.call("POST", "/Company/Create", r.companyBody("site-2nd", "maria.alvarez@", "m.alvarez2@", "office@hillside", "office2@hillside"))
		r.call("GET", "/Company/List", "")
		r.call("GET", "/Company/List", "")
		before, after, _ := strings.Cut(r.last().Answer, "},{")
		_ = after
		r.answered(200, before+"}]}")
	}),
	service("location-not-listed", []string{"location.list"}, func(r *recording) {
		r.call("POST", "/Company/"+r.reference+"/Locations", `{"name":"North","streetNumberAndName":"1 Elm","apartmentNumber":"2","zipCode":"90012","city":"LA","state":"CA"}`)
		r.call("GET", "/Company/"+r.reference+"/Locations", "")
		r.answered(200, `{"locations":[]}`)
	}),
	service("plan-not-listed", []string{"plan.list"}, func(r *recording) {
		r.plan()
		r.call("GET", "/PaymentPlan/List", "")
		r.answered(200, `{"plans":[]}`)
	}),
	{"key-reused", func(r *recording) {
		r.login()
		payer := r.payer("")
		r.call("POST", "/Payment/Create", fmt.Sprintf(`{"amount":4100,"registrationId":%q,"reference":"inv-41"}`, payer), [2]string{"Idempotency-Key", "monthly"})
		r.call("POST", "/Payment/Create", fmt.Sprintf(`{"amount":5200,"registrationId":%q,"reference":"inv-42"}`, payer), [2]string{"Idempotency-Key", "monthly"})
		r.blame("partner", "partner.idempotency.fresh-key")
	}},
}

// plan makes one.
func (r *recording) plan() string {
	told := r.call("POST", "/PaymentPlan/Create", fmt.Sprintf(`{"companyReferenceId":%q,"name":"Monthly membership","amount":5000,"startDate":"2026-05-31","intervalValue":1,"intervalUnit":"Month"}`, r.reference))
	id, _ := told["paymentPlanId"].(string)
	require.NotEmpty(r.t, id, r.last().Answer)
	return id
}

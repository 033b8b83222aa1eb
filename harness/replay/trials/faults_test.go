package trials_test

import (
	"fmt"
	"strings"
	"time"
)

// story is one thing that goes wrong, or none.
type story struct {
	name string
	tell func(*recording)
}

// bad tells of a call that is refused by what its body says.
func bad(name, method, path, body string, clauses ...string) story {
	return story{name, func(r *recording) {
		r.login()
		r.idle()
		if strings.Contains(body, "{payer}") {
			body := strings.ReplaceAll(body, "{payer}", r.payer(""))
			r.call(method, strings.ReplaceAll(path, "{ref}", r.reference), body)
		} else {
			r.call(method, strings.ReplaceAll(path, "{ref}", r.reference), strings.ReplaceAll(body, "{ref}", r.reference))
		}
		r.blame("partner", clauses...)
		r.plain()
		r.idle()
	}}
}

// badCompany tells of a company that is refused.
func badCompany(name, was, is string, clauses ...string) story {
	return story{name, func(r *recording) {
		r.login()
		r.idle()
		r.call("POST", "/Company/Create", r.companyBody("site-2nd", was, is))
		r.blame("partner", clauses...)
		r.plain()
	}}
}

// plain lets a refusal be told in another service's words, in half of the recordings.
func (r *recording) plain() {
	e := r.last()
	if e.Status < 400 || r.rng.IntN(2) == 0 {
		return
	}
	body := fmt.Sprintf(`{"title":"One or more validation errors occurred.","status":%d,"traceId":"00-%016x-01"}`, e.Status, r.rng.Uint64())
	e.Answer, e.Answered = body, set(e.Answered, [2]string{"Content-Length", fmt.Sprint(len(body))})
}

// innocent tells of a payment with which nothing is wrong.
func innocent(name string, tell func(*recording)) story {
	return story{name, func(r *recording) {
		r.login()
		r.idle()
		tell(r)
		r.idle()
		r.Expect = expect{Side: "nobody", Moves: r.Expect.Moves}
	}}
}

// service tells of an answer that the service must not give.
func service(name string, clauses []string, tell func(*recording)) story {
	return story{name, func(r *recording) {
		r.login()
		r.idle()
		tell(r)
		place := max(r.Expect.Place, r.Expect.Differs)
		r.blame("service", clauses...)
		r.Expect.Place = place
		r.idle()
	}}
}

var stories = []story{
	bad("phone", "POST", "/Payment/Create", `{"amount":4200,"contactNumber":"12345","reference":"r-1"}`, "payment.create.contact-number", "partner.phone.e164"),
	bad("amount-text", "POST", "/Payment/Create", `{"amount":"4200","registrationId":"{payer}","reference":"r-1"}`, "request.type", "partner.amount.cents"),
	bad("amount-fraction", "POST", "/Payment/Create", `{"amount":42.5,"registrationId":"{payer}","reference":"r-1"}`, "request.integer", "partner.amount.cents"),
	bad("amount-negative", "POST", "/Payment/Create", `{"amount":-100,"registrationId":"{payer}","reference":"r-1"}`, "payment.create.amount-range", "partner.amount.cents"),
	bad("redirect-missing", "POST", "/User/Register", `{"mobileNumber":"+12025550151"}`, "user.register.redirect-url"),
	bad("due-date", "POST", "/Payment/Create", `{"amount":4200,"registrationId":"{payer}","reference":"r-1","dueDate":"05.04.2026"}`, "payment.create.due-date"),
	bad("location-unknown", "POST", "/Payment/Create", `{"amount":4200,"registrationId":"{payer}","reference":"r-1","locationId":"5d1a2a8e-4f61-4b0e-9d0e-0e8a4f8b2c11"}`, "payment.create.location-id-known"),
	bad("broken-json", "POST", "/Payment/Create", `{"amount":4200,"registrationId":"{payer}","reference":"r-1",}`, "request.json"),
	bad("location-zip", "POST", "/Company/{ref}/Locations", `{"name":"North","streetNumberAndName":"1 Elm","apartmentNumber":"2","zipCode":"9001","city":"LA","state":"CA"}`, "location.zip"),
	bad("path", "POST", "/Payments/Create", `{"amount":4200,"contactNumber":"+12025550142","reference":"r-1"}`, "error.unknown-path"),
	bad("method", "PUT", "/Payment/Create", `{"amount":4200,"contactNumber":"+12025550142","reference":"r-1"}`, "error.method"),
	bad("card-unknown", "POST", "/Payment/ChargeSavedCard", `{"amount":4200,"registrationId":"{payer}","paymentMethodId":"7c9a2a8e-4f61-4b0e-9d0e-0e8a4f8b2c11"}`, "payment.saved-card.payment-method-known"),
	bad("charge-member", "POST", "/Payment/ChargeSavedCard", `{"amount":4200,"registrationId":"{payer}","paymentMethodId":"7c9a2a8e-4f61-4b0e-9d0e-0e8a4f8b2c11","currency":"USD"}`, "charge.unknown-member", "payment.saved-card.payment-method-known"),
	badCompany("ssn", `"6789"`, `"123-45-6789"`, "company.create.owner-ssn"),
	badCompany("state", `"CA"`, `"Calif."`, "company.create.state"),
	badCompany("zip", `"90012"`, `"9001"`, "company.create.zip"),
	badCompany("company-email", `"office@hillside-fitness.example.com"`, `"office.hillside"`, "company.create.email"),
	badCompany("owner-email", `"maria.alvarez@example.com"`, `"sam.whitfield@example.com"`, "company.create.owner-email-unique"),
	badCompany("company-type", `"ForProfit"`, `"Ltd"`, "company.create.type"),
	{"reference-twice", func(r *recording) {
		r.login()
		r.idle()
		r.call("GET", "/Company/"+r.reference+"/Status", "")
		r.call("POST", "/Company/Create", r.companyBody(r.reference))
		r.blame("partner", "company.create.reference-unique", "partner.reference.unique")
		r.plain()
	}},
	{"refund-early", func(r *recording) {
		r.login()
		id := r.pay(r.payer(""), 7500)
		r.call("GET", "/Payment/"+id+"/Status", "")
		r.call("POST", "/Payment/Refund/"+id, `{"amount":7500,"description":"cancelled order"}`)
		r.blame("partner", "payment.refund.after-paid", "partner.payment.paid-first")
		r.plain()
	}},
	{"refund-more", func(r *recording) {
		r.login()
		r.idle()
		id := r.paid(r.payer(""), 7500)
		r.call("POST", "/Payment/Refund/"+id, `{"amount":5000,"description":"part"}`)
		r.call("POST", "/Payment/Refund/"+id, `{"amount":5000,"description":"rest"}`)
		r.blame("partner", "payment.refund.amount-left")
		r.plain()
	}},
	{"cancel-paid", func(r *recording) {
		r.login()
		id := r.paid(r.payer(""), 3300)
		r.idle()
		r.call("PUT", "/Payment/"+id+"/Cancel", "")
		r.blame("partner", "payment.cancel.refused", "partner.payment.cancel-conflict")
		r.plain()
	}},
	{"token-missing", func(r *recording) {
		r.login()
		r.idle()
		r.call("GET", "/Company/List", "", [2]string{"Authorization", ""})
		r.blame("partner", "auth.bearer", "auth.unauthorised")
		r.plain()
	}},
	{"token-broken", func(r *recording) {
		r.login()
		r.idle()
		r.call("GET", "/Company/"+r.reference+"/Status", "", [2]string{"Authorization", "Bearer undefined"})
		r.blame("partner", "auth.bearer.broken", "auth.bearer", "auth.unauthorised")
		r.plain()
	}},
	{"token-expired", func(r *recording) {
		r.login()
		payer := r.payer("")
		r.wait(65 * time.Minute)
		r.call("POST", "/Payment/Create", `{"amount":2500,"registrationId":"`+payer+`","reference":"late-1"}`)
		r.blame("partner", "partner.token.refresh", "partner.token.recover", "auth.unauthorised", "auth.token.lifetime")
		r.plain()
	}},
	{"secret-wrong", func(r *recording) {
		r.call("POST", "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secrt"}`)
		r.blame("partner", "auth.token.refused")
		r.plain()
	}},
	{"paid-twice", func(r *recording) {
		r.login()
		payer := r.payer("")
		for range 2 {
			r.call("POST", "/Payment/Create", `{"amount":8800,"registrationId":"`+payer+`","reference":"order-77"}`)
			if r.Expect.Place == 0 {
				r.Expect.Place = len(r.Exchanges)
				e := r.last()
				e.Status, e.Answer, e.Answered = 0, "", nil
			}
		}
		r.Expect = expect{Side: "partner", Clause: []string{"partner.idempotency.same-key", "partner.payment.twice", "partner.outcome.resolved", "partner.reference.unique"}, AnyMoves: true}
	}},
	service("error-500", []string{"error.status", "payment.create"}, func(r *recording) {
		r.pay(r.payer(""), 6100)
		r.answered(500, `{"title":"An error occurred while processing your request.","status":500}`)
		r.last().Took = 3 * time.Second
	}),
	service("paid-pending", []string{"payment.status.machine", "payment.status"}, func(r *recording) {
		id := r.paid(r.payer(""), 6100)
		r.call("GET", "/Payment/"+id+"/Status", "")
		r.answered(200, strings.ReplaceAll(r.last().Answer, "Paid", "Pending"))
		r.Expect.Place, r.Expect.Differs = r.Expect.Differs, 0 // a contradiction is no difference
	}),
	service("valid-refused", []string{"user.register", "error.status"}, func(r *recording) {
		r.call("POST", "/User/Register", `{"redirectUrl":"https://northgym.example/welcome","mobileNumber":"+12025550161"}`)
		r.answered(400, `{"title":"Bad Request","status":400}`)
	}),
	service("id-missing", []string{"wire.payment", "payment.create"}, func(r *recording) {
		payer := r.payer("")
		r.pay(payer, 900)
		r.answered(200, `{"accountMask":"****1111","url":"https://pages.pay.example/p/1","registrationPersonId":"`+payer+`"}`)
	}),
	service("company-not-listed", []string{"company.list"}, func(r *recording) {
		r.call("GET", "/Company/List", "")
		r.call("GET", "/Company/List", "")
		r.answered(200, `{"companies":[]}`)
	}),
	service("payer-vanishes", []string{"user.status", "user.status.unknown"}, func(r *recording) {
		id := r.payer("")
		r.call("GET", "/User/"+id+"/Status", "")
		r.answered(404, `{"title":"Not Found","status":404}`)
	}),
	service("fresh-token-refused", []string{"auth.bearer", "auth.unauthorised", "auth.token.lifetime", "auth.token", "error.status"}, func(r *recording) {
		r.call("GET", "/Company/List", "")
		r.answered(401, `{"title":"Unauthorized","status":401}`)
		r.blame("service")
		r.call("GET", "/Company/"+r.reference+"/Status", "") // the same token is taken again
	}),
	innocent("paid", func(r *recording) {
		r.paid(r.payer(""), 5000)
		r.Expect.Moves = []string{"registration.complete", "payment.approve"}
	}),
	innocent("failed", func(r *recording) {
		id := r.pay(r.payer("000000010001"), 5000)
		r.wait(time.Minute)
		r.control("payments/"+id+"/approve", "{}")
		r.wait(5 * 24 * time.Hour)
		r.token = ""
		told := r.call("POST", "/Authentication/Token", fmt.Sprintf(`{"clientId":"%s","clientSecret":"%s"}`, r.sandbox.ClientID, r.sandbox.ClientSecret))
		r.token, _ = told["accessToken"].(string)
		r.call("GET", "/Payment/"+id+"/Status", "")
		r.Expect.Moves = []string{"registration.complete", "payment.approve", "payment.fail"}
	}),
	innocent("denied", func(r *recording) {
		id := r.pay(r.payer(""), 5000)
		r.wait(time.Minute)
		r.control("payments/"+id+"/deny", "{}")
		r.call("GET", "/Payment/"+id+"/Status", "")
		r.Expect.Moves = []string{"registration.complete", "payment.deny"}
	}),
	innocent("cancelled", func(r *recording) {
		id := r.pay(r.payer(""), 5000)
		r.call("PUT", "/Payment/"+id+"/Cancel", "")
		r.call("GET", "/Payment/"+id+"/Status", "")
		r.Expect.Moves = []string{"registration.complete"}
	}),
	innocent("refunded", func(r *recording) {
		id := r.paid(r.payer(""), 9000)
		r.call("POST", "/Payment/Refund/"+id, `{"amount":1500,"description":"goodwill"}`)
		r.Expect.Moves = []string{"registration.complete", "payment.approve"}
	}),
	innocent("looked-up", func(r *recording) {
		r.call("GET", "/Company/List", "")
		r.call("POST", "/Company/"+r.reference+"/Locations", `{"name":"North","streetNumberAndName":"1 Elm","apartmentNumber":"2","zipCode":"90012","city":"LA","state":"CA"}`)
		r.call("GET", "/Company/"+r.reference+"/Locations", "")
	}),
	{"unknown-payment", func(r *recording) {
		r.login()
		r.idle()
		r.call("GET", "/Payment/"+r.uuid()+"/Status", "")
		r.blame("partner", "payment.status.unknown") // the file begins with the token: nothing was made before
		r.plain()
	}},
}

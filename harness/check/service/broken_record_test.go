package service_test

import (
	"slices"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/mockserver/tape"
)

// brokenTape are mutants whose record is wrong, or says too much.
func brokenTape(f film) []mutant {
	secret := f.opts.Secrets[0]
	note := func(text string) func(r *reel) {
		return func(r *reel) {
			x := r.call(0, "createPayment", 200)
			x.Request.Body = r.reword(x.Request.Body, `"invoice-1001"`, text)
		}
	}
	leaks := []string{"tape.secrets"}
	return []mutant{
		{"a secret in an answer", []string{"tape.secrets", "wire.conform"}, func(r *reel) { r.call(0, "cancelPayment", 200).Response.Body = []byte(secret) }},
		{"a secret in a request", leaks, note(`"` + secret + `"`)},
		{"a secret in a header", leaks, func(r *reel) {
			x := r.call(0, "cancelPayment", 200)
			x.Response.Header = append(x.Response.Header, tape.Header{Name: "X-Debug", Value: "for " + secret})
		}},
		{"a token on the tape", leaks, note(`"eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl"`)},
		{"an SSN kept from a request", leaks, func(r *reel) {
			x := r.call(0, "createCompany", 200)
			x.Request.Body = r.reword(x.Request.Body, `"ssn":"1111"`, `"ssn":"6789"`)
		}},
		{"an SSN in an answer", []string{"tape.secrets", "wire.conform"}, func(r *reel) {
			x := r.call(0, "createCompany", 200)
			x.Response.Body = r.reword(x.Response.Body, `{`, `{"ssn":"1111",`)
		}},
		{"an SSN in a message", leaks, func(r *reel) {
			m := r.find(0, func(e *tape.Entry) bool { return e.Message != nil }).Message
			m.Text = `{"ssn": 6789}`
		}},
		{"a client secret that is not masked", leaks, func(r *reel) {
			x := r.call(0, "createToken", 200)
			x.Request.Body = []byte(`{"clientId":"a","clientSecret":"quite another"}`)
		}},
		{"time goes back", []string{"tape.time"}, func(r *reel) {
			e := r.find(0, func(e *tape.Entry) bool { return e.Message != nil })
			e.At -= int64(time.Hour)
		}},
		{"an answer with another time", []string{"tape.time"}, func(r *reel) {
			x := r.call(0, "listCompanies", 200)
			x.Response.Header = append(checktest.Drop(x.Response.Header, "Sandbox-Time"), tape.Header{Name: "Sandbox-Time", Value: "2026-03-02T17:00:01Z"})
		}},
		{"an answer without a time", []string{"tape.time"}, func(r *reel) {
			x := r.call(0, "listCompanies", 200)
			x.Response.Header = checktest.Drop(x.Response.Header, "Sandbox-Time")
		}},
		{"the clock moves back", []string{"tape.time"}, func(r *reel) {
			c := r.find(0, func(e *tape.Entry) bool { return e.Clock != nil }).Clock
			c.From, c.To = c.To, c.From
		}},
		{"an entry is missing", []string{"tape.sequence"}, func(r *reel) {
			r.entries = slices.DeleteFunc(r.entries, func(e tape.Entry) bool { return e.Message != nil })
		}},
		{"an answer with another number", []string{"tape.sequence"}, func(r *reel) {
			x := r.call(0, "listCompanies", 200)
			x.Response.Header = append(checktest.Drop(x.Response.Header, "Sandbox-Exchange"), tape.Header{Name: "Sandbox-Exchange", Value: "1"})
		}},
		{"a message's id is no uuid", []string{"tape.ids"}, func(r *reel) {
			id := "42"
			old := r.move(0, "card-payment", "create").Transition.Entity
			for i := range r.entries {
				if m := r.entries[i].Transition; m != nil && m.Entity == old {
					m.Entity = id
				}
			}
		}},
		{"an id is given twice", []string{"tape.ids"}, func(r *reel) {
			first, second := r.call(0, "registerUser", 200), r.call(1, "registerUser", 200)
			second.Response.Body = slices.Clone(first.Response.Body)
		}},
	}
}

package service_test

import (
	"net/http"
	"slices"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/mockserver/tape"
)

// brokenEvents are mutants that tell or deliver wrongly.
func brokenEvents(f film) []mutant {
	denied := func(r *reel) *tape.Entry { return r.eventOf(r.move(0, "payment", "deny")) }
	retell := func(old, to string) func(r *reel) {
		return func(r *reel) { r.retell(denied(r), old, to, resign(f)) }
	}
	failed := func(a *tape.Attempt) bool { return a.Status == http.StatusInternalServerError }
	return []mutant{
		{"an unsigned event", []string{"delivery.signed"}, func(r *reel) {
			a := r.attempt(0, func(*tape.Attempt) bool { return true }).Attempt
			a.Header = checktest.Drop(a.Header, "X-HMAC-Signature")
		}},
		{"an altered body", []string{"delivery.bytes", "delivery.signed"}, func(r *reel) {
			a := r.attempt(0, func(*tape.Attempt) bool { return true }).Attempt
			a.Body = r.reword(a.Body, "Verified", "Rejected")
		}},
		{"an altered body that is signed", []string{"delivery.bytes"}, func(r *reel) {
			a := r.attempt(0, func(*tape.Attempt) bool { return true }).Attempt
			a.Body = r.reword(a.Body, "Verified", "Rejected")
			resign(f)(a)
		}},
		{"a missing event", []string{"event.each"}, func(r *reel) {
			gone := r.eventOf(r.move(-1, "payment", "approve"))
			id := gone.Event.ID
			r.remove(func(e *tape.Entry) bool { return e.Seq == gone.Seq || e.Attempt != nil && e.Attempt.Event == id })
		}},
		{"an event twice", []string{"event.each"}, func(r *reel) {
			e := *denied(r)
			again := *e.Event
			again.ID = "00000000-1111-4222-8333-444444444444"
			twice := e
			twice.Event = &again
			r.insert(&e, twice)
		}},
		{"an event before its change", []string{"event.each"}, func(r *reel) {
			e := denied(r)
			i := slices.IndexFunc(r.entries, func(o tape.Entry) bool { return o.Seq == e.Seq })
			r.entries[i-1], r.entries[i] = r.entries[i], r.entries[i-1]
			r.number()
		}},
		{"an event of another name", []string{"event.each"}, func(r *reel) {
			e := denied(r)
			e.Event.Name = "PAYMENT_CHANGED"
		}},
		{"another status in an event", []string{"event.content"}, retell(`"Denied"`, `"Canceled"`)},
		{"another time in an event", []string{"event.content"}, retell(`T17:00:00Z`, `T17:00:01Z`)},
		{"a live event", []string{"event.content"}, retell(`"Live":false`, `"Live":true`)},
		{"wrong casing in an event", []string{"event.content"}, retell(`"Status"`, `"status"`)},
		{"another amount in an event", []string{"money.event"}, retell(`"Amount":5000`, `"Amount":500`)},
		{"an amount as text", []string{"money.event"}, retell(`"Amount":5000`, `"Amount":"5000"`)},
		{"a retry too early", []string{"delivery.retry"}, func(r *reel) {
			a := r.attempt(1, failed).Attempt
			a.Next -= int64(time.Minute)
		}},
		{"an attempt before its time", []string{"delivery.retry"}, func(r *reel) {
			first := r.attempt(0, failed)
			first.Attempt.ResponseHeader = []tape.Header{{Name: "Retry-After", Value: "60"}}
			first.Attempt.Next = first.At + int64(time.Minute)
		}},
		{"a retry after success", []string{"delivery.retry"}, func(r *reel) {
			e := r.attempt(0, func(a *tape.Attempt) bool { return a.Status == http.StatusOK })
			e.Attempt.Next = e.At + int64(5*time.Second)
		}},
		{"no retry", []string{"delivery.retry"}, func(r *reel) {
			first := r.attempt(0, failed)
			id := first.Attempt.Delivery
			first.Attempt.Next = 0
			r.remove(func(e *tape.Entry) bool { return e.Attempt != nil && e.Attempt.Delivery == id && e.Attempt.Number > 1 })
		}},
		{"a ninth attempt", []string{"delivery.retry"}, func(r *reel) {
			eighth := r.attempt(0, func(a *tape.Attempt) bool { return a.Number == 8 })
			eighth.Attempt.Next = eighth.At + int64(10*time.Hour)
		}},
		{"a delivery of nothing", []string{"delivery.bytes"}, func(r *reel) {
			r.attempt(0, func(*tape.Attempt) bool { return true }).Attempt.Event = "00000000-1111-4222-8333-444444444444"
		}},
		{"a delivery that begins with attempt 2", []string{"delivery.retry"}, func(r *reel) {
			r.attempt(0, func(*tape.Attempt) bool { return true }).Attempt.Number = 2
		}},
		{"an attempt is left out", []string{"delivery.retry"}, func(r *reel) { r.attempt(1, failed).Attempt.Number = 3 }},
		{"410 does not disable", []string{"delivery.retry"}, func(r *reel) {
			gone := map[string]bool{}
			for i := range r.entries {
				if a := r.entries[i].Attempt; a != nil && a.Status == http.StatusGone {
					gone[a.Endpoint] = true
				}
			}
			r.remove(func(e *tape.Entry) bool {
				return e.Transition != nil && gone[e.Transition.Entity] && e.Transition.From != ""
			})
		}},
		{"events out of order", []string{"delivery.order"}, func(r *reel) {
			paid := r.eventOf(r.move(0, "payment", "pay"))
			approved := r.find(0, func(e *tape.Entry) bool { return e.Event != nil && e.Entities[0] == paid.Entities[0] })
			first := r.attempt(0, func(a *tape.Attempt) bool { return a.Event == approved.Event.ID })
			second := r.attempt(0, func(a *tape.Attempt) bool { return a.Event == paid.Event.ID })
			first.Attempt, second.Attempt = second.Attempt, first.Attempt
		}},
	}
}

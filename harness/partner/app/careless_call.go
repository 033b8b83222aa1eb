package app

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
)

// What careless variants put in the place of a careful decision about calls.

// careless is the clause to break.
func (a *App) careless() Carelessness { return a.o.Careless }

// untilWhen is when a token is replaced: in time, or, by an application that does
// not keep it, as soon as the calls of the same moment are made.
func (a *App) untilWhen(end time.Time) time.Time {
	switch {
	case !a.careless().fetchesTokenForEachCall():
		return end
	case a.o.Manual:
		return a.now()
	default:
		return a.now().Add(50 * time.Millisecond)
	}
}

// asNew makes a call another one: nothing tells that it was tried before.
func (a *App) asNew(r *request) {
	r.key = a.newKey(r.body)
	if _, has := r.body["reference"]; has {
		r.body = maps.Clone(r.body)
		r.body["reference"] = a.newReference("")
	}
}

// lookFirst is for variants whose repetition is not safe: they look for the
// payment in the report, and repeat only what is not there. Of other calls than
// payments they cannot tell, so a lost answer is left to people.
func (a *App) lookFirst(ctx context.Context, r *request, lost error, into any) (bool, error) {
	if reference, has := r.body["reference"].(string); has {
		lines, err := a.report(ctx, nil)
		for _, line := range lines {
			if line.Reference == reference && err == nil {
				return true, read([]byte(`{"paymentRequestId":"`+line.PaymentRequestID+`"}`), into)
			}
		}
	} else if lost != nil {
		return true, fmt.Errorf("%w: what became of %s %s is left to people", errNever, r.method, r.path)
	}
	if a.careless().drawsKeyForEachAttempt() {
		r.key = a.newKey(r.body)
	}
	return false, nil
}

// newKey draws an idempotency key: random, and nothing else.
func (a *App) newKey(body object) string {
	if a.careless().is("idempotency.opaque") {
		return "payment-" + strconv.FormatInt(a.counted.Add(1), 10) + "-" + shown(body["amount"])
	}
	return a.chance.id()
}

// newReference draws the reference of a payment: unique, short enough for a bank
// statement, and silent about the payer.
func (a *App) newReference(email string) string {
	id := strings.ToUpper(strings.ReplaceAll(a.chance.id(), "-", ""))[:12]
	switch {
	case a.careless().is("reference.unique"):
		return "membership"
	case a.careless().is("privacy.references"):
		return email + " " + id
	}
	return "INV-" + id
}

// tidy is the last look at a payment before it is sent. A careful application has
// nothing to do here.
func (a *App) tidy(body object, p payer) object {
	switch c := a.careless(); {
	case c.is("amount.cents"):
		if cents, err := strconv.ParseInt(shown(body["amount"]), 10, 64); err == nil && cents%100 != 0 {
			body["amount"] = float64(cents) / 100
		}
	case c.is("body.known-members"):
		body["currency"] = "USD"
	case c.is("body.known-values"):
		body["feePayer"] = "customer"
	case c.is("reference.present"):
		delete(body, "reference")
	case c.is("privacy.free-text"):
		body["shortDescription"] = shown(body["shortDescription"]) + " for " + or(p.email, shown(body["contactNumber"]))
	}
	return body
}

// onPaper writes a mobile number as people in the country do.
func (a *App) onPaper(number string) string {
	if a.careless().is("phone.e164") && len(number) == len("+12025550123") {
		return "(" + number[2:5] + ") " + number[5:8] + "-" + number[8:]
	}
	return number
}

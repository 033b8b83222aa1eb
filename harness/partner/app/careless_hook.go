package app

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// What careless variants put in the place of a careful decision about deliveries.

// asSigned gives the bytes over which the signature is checked: those that came.
func (a *App) asSigned(body []byte) []byte {
	var tidy bytes.Buffer
	if a.careless().is("webhook.raw-bytes") && json.Compact(&tidy, body) == nil {
		return tidy.Bytes()
	}
	return body
}

// forgives accepts a delivery whose signature does not fit. A careless receiver
// hardly knows in what way it does not; these do, so that each of them breaks no
// more than one clause.
func (a *App) forgives(body []byte, signature string) bool {
	c := a.careless()
	switch {
	case !c.is("webhook.altered", "webhook.unsigned", "webhook.wrong-secret", "webhook.stale-signature"):
		return false
	case signature == "":
		return c.is("webhook.unsigned")
	case a.fitsAnother(signature, earlier(body)):
		return c.is("webhook.stale-signature")
	case a.fitsAnother(signature, neighbours(body)), a.beginsRight(signature, body):
		return c.is("webhook.altered")
	default:
		return c.is("webhook.wrong-secret")
	}
}

// fitsAnother says whether the signature is one of another body.
func (a *App) fitsAnother(signature string, bodies [][]byte) bool {
	for _, secret := range a.secrets.all {
		for _, b := range bodies {
			if signedWith(secret, b, signature) {
				return true
			}
		}
	}
	return false
}

// beginsRight says whether a signature begins like the right one.
func (a *App) beginsRight(signature string, body []byte) bool {
	return slices.ContainsFunc(a.secrets.all, func(secret string) bool {
		right := signatureOf(secret, body)
		return len(signature) == len(right) && strings.EqualFold(signature[:len(signature)/2], right[:len(right)/2])
	})
}

// earlier is the body as it was an hour ago.
func earlier(body []byte) [][]byte {
	var e event
	if json.Unmarshal(body, &e) != nil || e.at().IsZero() {
		return nil
	}
	before := e.at().Add(-time.Hour).Format(time.RFC3339)
	return [][]byte{bytes.Replace(body, []byte(e.Data.Timestamp), []byte(before), 1)}
}

// neighbours are the bodies that differ in one digit.
func neighbours(body []byte) [][]byte {
	var all [][]byte
	for i, b := range body {
		for digit := byte('0'); b >= '0' && b <= '9' && digit <= '9'; digit++ {
			other := bytes.Clone(body)
			other[i] = digit
			all = append(all, other)
		}
	}
	return all
}

// welcome says whether an event is taken: one that has not come before.
func (a *App) welcome(was passage) bool {
	return was == outside || was == within && a.careless().letsTwinsIn() || was == inside && a.careless().repeatsEffects()
}

// lookUp is the time that a careless receiver takes between looking whether an
// event is new and noting that it came.
func (a *App) lookUp() {
	if a.careless().letsTwinsIn() || a.careless().repeatsEffects() {
		a.idle(50 * time.Millisecond)
	}
}

// dawdle makes every tenth delivery wait for something slow.
func (a *App) dawdle() {
	if a.careless().is("webhook.quick") && a.counted.Add(1)%10 == 5 {
		a.idle(3200 * time.Millisecond)
	}
}

// idle lets wall time pass, also where the application's time is another one.
func (a *App) idle(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-a.stopped:
	}
}

// followUp does what a delivery says that was refused.
func (a *App) followUp(body []byte) {
	var e event
	if a.careless().refusesAndBelieves() && json.Unmarshal(body, &e) == nil {
		a.inbox.put(letter{event: e, suspect: true})
	}
}

// believe takes a payer's coming back for a proof.
func (a *App) believe(p place) {
	if p.payment != "" {
		a.book.payment(p.payment, func(known *payment) { known.become(paid, a.careless()) })
	}
	if p.registration != "" {
		a.book.payer(p.registration, payer{status: registered})
		a.kept.hurry(p.registration)
	}
}

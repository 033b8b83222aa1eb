package app

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paysandbox/harness/partner"
)

// What careless applications put before their careful receiver.

func carelessReceivers() []Variant {
	return []Variant{
		{Name: "webhook.altered", What: "It accepts an event of which a digit was changed.", spoil: forgives("webhook.altered")},
		{Name: "webhook.unsigned", What: "It accepts events without a signature.", spoil: forgives("webhook.unsigned")},
		{Name: "webhook.wrong-secret", What: "It accepts a signature made with any secret.", spoil: forgives("webhook.wrong-secret")},
		{Name: "webhook.stale-signature", What: "It accepts a signature of the same event at an earlier time.", spoil: forgives("webhook.stale-signature")},
		{Name: "webhook.no-follow-up", What: "It refuses a bad delivery, and yet looks at what it tells of.", spoil: receives(refusesAndLooks)},
		{Name: "webhook.raw-bytes", What: "It checks the signature over the JSON as it would write it.", spoil: receives(compacts)},
		{Name: "webhook.unknown-event", What: "It refuses events whose name it does not know.", spoil: refuses(http.StatusBadRequest, func(_ *App, e *event, _ []byte) bool {
			return e.Event != eventCompany && e.Event != eventPayment
		})},
		{Name: "webhook.unknown-member", What: "It refuses events with members that it does not know.", spoil: refuses(http.StatusBadRequest, func(_ *App, _ *event, body []byte) bool {
			strict := json.NewDecoder(bytes.NewReader(body))
			strict.DisallowUnknownFields()
			return strict.Decode(&event{}) != nil
		})},
		{Name: "webhook.duplicate", What: "An event that comes again has its effect again.", spoil: receives(repeatsEffects(taken))},
		{Name: "webhook.parallel-duplicate", What: "Two copies of an event at the same moment have their effect twice.", spoil: receives(repeatsEffects(beingTaken))},
		{Name: "webhook.order", What: "The event that comes last is the truth.", spoil: func(a *App) {
			a.policy.weigh = func(payment, string, time.Time) weight { return news }
			a.policy.lost = func(status string) bool { return status != paid }
		}},
		{Name: "webhook.before-response", What: "It refuses events of payments that it does not know yet.", spoil: refuses(http.StatusNotFound, func(a *App, e *event, _ []byte) bool {
			return e.Event == eventPayment && !a.book.knowsPayment(e.Data.PaymentID)
		})},
		{Name: "webhook.quick", What: "Some deliveries wait long for their answer.", spoil: receives(dawdles)},
		{Name: "webhook.rotation", What: "It learns a new secret too late.", spoil: receives(learnsLate)},
	}
}

// receiver takes in a delivery and gives the status to answer.
type receiver = func(body []byte, signature string) int

// receives puts something before the careful receiver.
func receives(otherwise func(a *App, careful receiver) receiver) func(*App) {
	return func(a *App) { a.policy.receive = otherwise(a, a.policy.receive) }
}

// refuses answers with a status to genuine events that have something about them.
func refuses(status int, odd func(a *App, e *event, body []byte) bool) func(*App) {
	return receives(func(a *App, careful receiver) receiver {
		return func(body []byte, signature string) int {
			if e, err := readEvent(body); err == nil && a.secrets.genuine(body, signature) && odd(a, &e, body) {
				return status
			}
			return careful(body, signature)
		}
	})
}

// forgives accepts deliveries whose signature does not fit in one way. A careless
// receiver hardly knows in what way it does not; these do, so that each of them
// breaks no more than one clause.
func forgives(flaw Carelessness) func(*App) {
	return receives(func(a *App, careful receiver) receiver {
		return func(body []byte, signature string) int {
			if secrets := a.secrets.accepted(); !a.secrets.genuine(body, signature) && flawOf(secrets, body, signature) == flaw {
				signature = signatureOf(secrets[0], body)
			}
			return careful(body, signature)
		}
	})
}

// flawOf says what is wrong with a signature.
func flawOf(secrets []string, body []byte, signature string) Carelessness {
	switch {
	case signature == "":
		return "webhook.unsigned"
	case fitsAnother(secrets, signature, earlier(body)):
		return "webhook.stale-signature"
	case fitsAnother(secrets, signature, neighbours(body)), beginsRight(secrets, signature, body):
		return "webhook.altered"
	default:
		return "webhook.wrong-secret"
	}
}

// fitsAnother says whether the signature is one of another body.
func fitsAnother(secrets []string, signature string, bodies [][]byte) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool {
		return slices.ContainsFunc(bodies, func(body []byte) bool { return signedWith(secret, body, signature) })
	})
}

// beginsRight says whether a signature begins like the right one.
func beginsRight(secrets []string, signature string, body []byte) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool {
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

func refusesAndLooks(a *App, careful receiver) receiver {
	return func(body []byte, signature string) int {
		status := careful(body, signature)
		if e, err := readEvent(body); err == nil && e.Event == eventPayment && status == http.StatusUnauthorized {
			if !a.o.Manual { // at once, whatever the inbox waits for
				_, _ = a.readPayment(context.Background(), e.Data.PaymentID)
				return status
			}
			a.inbox.put(letter{order: e.key() + " refused", work: func(ctx context.Context) error {
				return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", e.Data.PaymentID)
			}})
		}
		return status
	}
}

// compacts looks at what a library would have made of the bytes.
func compacts(_ *App, careful receiver) receiver {
	return func(body []byte, signature string) int {
		var tidy bytes.Buffer
		if json.Compact(&tidy, body) == nil {
			body = tidy.Bytes()
		}
		return careful(body, signature)
	}
}

// passage is how far an event has come.
type passage int

const (
	outside    passage = iota // it has not come before
	beingTaken                // another delivery of it is being taken right now
	taken
)

// repeatsEffects lets an event that has come so far have its effect once more. It
// takes its time between looking whether an event is new and noting that it came.
func repeatsEffects(far passage) func(*App, receiver) receiver {
	var mu sync.Mutex
	seen := map[string]passage{}
	note := func(key string, at passage) (was passage) {
		mu.Lock()
		defer mu.Unlock()
		was = seen[key]
		seen[key] = max(was, at)
		return was
	}
	return func(a *App, careful receiver) receiver {
		return func(body []byte, signature string) int {
			e, err := readEvent(body)
			if err != nil || e.Event != eventPayment || !a.secrets.genuine(body, signature) {
				return careful(body, signature)
			}
			was := note(e.key(), beingTaken)
			a.idle(50 * time.Millisecond)
			defer note(e.key(), taken)
			status := careful(body, signature)
			if was == far {
				a.inbox.put(letter{order: e.key(), work: func(context.Context) error {
					a.book.payment(e.Data.PaymentID, func(p *payment) { p.again(e.Data.Status) })
					return nil
				}})
			}
			return status
		}
	}
}

// handsOverAgain looks after each event that tells Paid, and forgets that it was told.
func handsOverAgain(a *App, careful receiver) receiver {
	return func(body []byte, signature string) int {
		status := careful(body, signature)
		if e, err := readEvent(body); err == nil && e.Event == eventPayment && status < http.StatusBadRequest && e.Data.Status == paid {
			a.inbox.put(letter{order: e.key(), work: func(context.Context) error {
				a.book.payment(e.Data.PaymentID, func(p *payment) { p.again(paid) })
				return nil
			}})
		}
		return status
	}
}

// again repeats the effect of an event that came before.
func (p *payment) again(status string) {
	switch status {
	case paid:
		p.fulfilled++
	case failed:
		p.reversed++
	}
}

// dawdles makes every tenth delivery wait for something slow.
func dawdles(a *App, careful receiver) receiver {
	var count atomic.Int64
	return func(body []byte, signature string) int {
		if a.secrets.genuine(body, signature) && count.Add(1)%10 == 5 {
			a.idle(3200 * time.Millisecond)
		}
		return careful(body, signature)
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

// learnsLate refuses the first two deliveries that only the newest secret fits.
func learnsLate(a *App, careful receiver) receiver {
	var mu sync.Mutex
	refused := map[string]int{}
	return func(body []byte, signature string) int {
		secrets := a.secrets.accepted()
		mu.Lock()
		defer mu.Unlock()
		if len(secrets) == 2 && signedWith(secrets[0], body, signature) && refused[secrets[0]] < 2 {
			refused[secrets[0]]++
			return http.StatusUnauthorized
		}
		return careful(body, signature)
	}
}

package app

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// payment is a payment that the application made, or was told of by an event.
type payment struct {
	status string
	// at is the time of the newest event that was believed.
	at time.Time
	// fulfilled and reversed count what the application did about it: it handed
	// out what was paid for, it took it back.
	fulfilled, reversed int
	// asked is set once its state was read from the service.
	asked bool
	// read is when it is read again.
	read reading
}

// rank orders the states of a payment: none leads back to one before it.
// 0 is a state that this version does not know.
func rank(status string) int {
	switch status {
	case "", "Pending":
		return 1
	case "Scheduled", "Queued", "InReview":
		return 2
	case "Processing":
		return 3
	case paid:
		return 4
	case failed, "Denied", "Canceled":
		return 5
	default:
		return 0
	}
}

// won says whether a state means that the money has come: only Paid does.
func won(status string) bool { return status == paid }

// lost says whether a state means that what was paid is gone: the money went back
// after it had come.
func lost(status string) bool { return status == failed }

// become takes over a state and does what has to be done about it: hand out once
// when Paid, take back once when that is lost.
func (a *App) become(p *payment, status string) {
	p.status = status
	switch {
	case a.policy.won(status) && p.fulfilled == p.reversed:
		p.fulfilled++
	case a.policy.lost(status) && p.fulfilled > p.reversed:
		p.reversed++
	}
}

// weight is what an event is worth.
type weight int

const (
	old      weight = iota // something newer is known
	news                   // it goes on from what is known
	doubtful               // it contradicts what is known: only the service can tell
)

// weigh holds an event against what is known of a payment. Events come in any
// order: neither the time nor the state of an older one counts.
func weigh(known payment, status string, at time.Time) weight {
	switch {
	case rank(status) == 0:
		return doubtful
	case !at.Before(known.at) && rank(status) >= rank(known.status):
		return news
	case !at.After(known.at) && rank(status) <= rank(known.status):
		return old
	default:
		return doubtful
	}
}

// payment lets do look at, and change, a payment, which becomes known if it is
// not yet.
func (b *book) payment(id string, do func(*payment)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.payments[id]
	if p == nil {
		p = &payment{}
		b.payments[id] = p
		b.order = append(b.order, id)
	}
	do(p)
}

func (b *book) knowsPayment(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.payments[id] != nil
}

// Known is what the application knows of a payment: its state, and whether it has
// read that from the service.
type Known struct {
	Status string
	Asked  bool
}

// Payment is what the application knows of a payment.
func (a *App) Payment(id string) (known Known) {
	a.book.payment(id, func(p *payment) { known = Known{p.status, p.asked} })
	return known
}

// State is what the state probe answers.
type State struct {
	// Payments are in the order in which they became known.
	Payments []PaymentState `json:"payments"`
}

// PaymentState is what the application did about a payment.
type PaymentState struct {
	PaymentRequestID string `json:"paymentRequestId"`
	// Fulfilled and Reversed count how often it handed out what was paid for, and
	// took it back.
	Fulfilled int `json:"fulfilled"`
	Reversed  int `json:"reversed"`
}

func (b *book) state() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := State{Payments: make([]PaymentState, 0, len(b.order))}
	for _, id := range b.order {
		s.Payments = append(s.Payments, PaymentState{id, b.payments[id].fulfilled, b.payments[id].reversed})
	}
	return s
}

// How a call is repeated.
const (
	// firstPause is the middle of the first pause; each further one is twice as
	// long.
	firstPause = 100 * time.Millisecond
	// spread is by how much a pause can be shorter or longer. It is small enough
	// for pauses always to grow.
	spread = 0.25
	// maxRetryAfter is the longest wait that a caller is made to suffer.
	maxRetryAfter = time.Minute
)

// pauseAfter decides whether a call that failed is made again, and after which
// pause. What was refused with 4xx is not: it would be refused again.
func (a *App) pauseAfter(got answer, err error, try int, r request) (time.Duration, bool) {
	busy := got.status == http.StatusTooManyRequests || got.status >= http.StatusInternalServerError
	if err == nil && !busy || r.once || try >= a.policy.attempts {
		return 0, false
	}
	pause := a.policy.backoff(try)
	if wait := a.retryAfter(got.header); err == nil && wait > pause {
		return wait, wait <= maxRetryAfter
	}
	return pause, true
}

// backoff is the pause after so many attempts: it doubles, and chance spreads
// callers that failed at the same moment.
func (a *App) backoff(try int) time.Duration {
	middle := firstPause << min(try-1, 3)
	return time.Duration(float64(middle) * (1 - spread + 2*spread*a.chance.fraction()))
}

// retryAfter reads the header of that name, seconds or a date; 0 is none.
func (a *App) retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if text == "" {
		return 0
	}
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return at.Sub(a.Now())
}

// repeatUnchanged lets the same request go out again, with the same key and
// reference: a service that honours keys tells what became of the first one.
func repeatUnchanged(context.Context, *request, error, any) (done bool, err error) { return false, nil }

// lookFirst is for services that ignore keys. It looks in the report for a payment
// whose answer was lost, and lets it be asked for again only when it is not there. Of
// other calls that move money the report does not tell, so they are left to people.
func (a *App) lookFirst(ctx context.Context, r *request, lost error, into any) (done bool, err error) {
	if r.key == "" || lost == nil {
		return false, nil
	}
	reference, has := r.body["reference"].(string)
	if !has {
		return true, fmt.Errorf("%w: what became of %s %s is left to people", errNever, r.method, r.path)
	}
	lines, err := a.report(ctx, nil)
	if err != nil {
		return true, fmt.Errorf("%w: %w", errLost, err)
	}
	for _, line := range lines {
		if line.Reference == reference {
			return true, read([]byte(`{"paymentRequestId":"`+line.PaymentRequestID+`"}`), into)
		}
	}
	return false, nil
}

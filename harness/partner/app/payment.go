package app

import "time"

// payment is a payment that the application made, or was told of by an event.
type payment struct {
	status string
	// at is the time of the newest event that was believed, heard the one that
	// came last.
	at    time.Time
	heard string
	// fulfilled and reversed count what the application did about it: it handed
	// out what was paid for, it took it back.
	fulfilled, reversed int
	// word and key are those of the job that has made it.
	word, key string
	// asked is set once its state was read from the service.
	asked bool
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

// become takes over a state and does what has to be done about it: hand out once
// when Paid, take back once when it Failed after that.
func (p *payment) become(status string, c Carelessness) {
	p.status = status
	lost := status == failed && !c.keepsReturned()
	if c.believesLastEvent() {
		lost = status != paid
	}
	switch {
	case status == paid && p.fulfilled == p.reversed:
		p.fulfilled++
	case lost && p.fulfilled > p.reversed:
		p.reversed++
	}
}

// hear takes in an event. doubt is true when it contradicts what is known: then
// only the service can tell.
func (p *payment) hear(status string, at time.Time, c Carelessness) (doubt bool) {
	switch {
	case c.believesLastEvent():
	case rank(status) == 0:
		return true
	case !at.Before(p.at) && rank(status) >= rank(p.status):
	case !at.After(p.at) && rank(status) <= rank(p.status):
		return false // old news
	default:
		return true
	}
	p.at = at
	p.become(status, c)
	return false
}

// again repeats the effect of an event that came before: the mistake that
// careless receivers make.
func (p *payment) again(status string) {
	switch status {
	case paid:
		p.fulfilled++
	case failed:
		p.reversed++
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

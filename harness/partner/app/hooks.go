package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// maxEvent bounds what is read of a delivery, in bytes.
const maxEvent = 1 << 20

// The events that the application knows. It ignores others.
const (
	eventCompany = "COMPANY_VERIFICATION_STATUS_CHANGED"
	eventPayment = "PAYMENT_STATUS_CHANGED"
)

// event is a delivery's content, as far as the application needs it: it says
// what has changed, and when.
type event struct {
	Live  bool
	Event string
	Data  struct {
		CompanyID      string `json:"CompanyId"`
		PaymentID      string `json:"PaymentId"`
		RegistrationID string `json:"RegistrationId"`
		Status         string
		Timestamp      string
		// What the documentation has besides.
		Amount                        json.RawMessage
		Currency, AccountNumberMasked string
	}
}

// key is the same for all deliveries of one event: events have no id.
func (e *event) key() string {
	return e.Data.Timestamp + " " + e.Event + " " + e.entity() + " " + e.Data.Status
}

func (e *event) entity() string { return or(e.Data.PaymentID, e.Data.CompanyID) }

// at is the time of the event; the zero time when it cannot be read.
func (e *event) at() time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.Data.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// hook receives a delivery. It looks at the signature before anything else, and
// answers before any work is done: the work waits in the inbox.
func (a *App) hook(w http.ResponseWriter, r *http.Request) {
	a.last.Store(a.o.Now().UnixNano())
	body, err := io.ReadAll(io.LimitReader(r.Body, maxEvent))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !a.genuine(body, r.Header.Get("X-HMAC-Signature")) {
		a.followUp(body)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	a.dawdle()
	w.WriteHeader(a.take(body))
}

// take puts a genuine event into the inbox, once, and gives the status to answer.
func (a *App) take(body []byte) int {
	e, err := a.readEvent(body)
	if err != nil {
		return http.StatusBadRequest
	}
	if e.Event != eventCompany && e.Event != eventPayment {
		if a.careless().knowsEventsOnly() {
			return http.StatusBadRequest
		}
		return http.StatusOK // a later version of the service knows more
	}
	if a.careless().refusesUnknownPayments() && e.Event == eventPayment && !a.book.knowsPayment(e.Data.PaymentID) {
		return http.StatusNotFound
	}
	was := a.door.enter(e.key())
	defer a.door.leave(e.key())
	a.lookUp()
	if a.welcome(was) {
		a.inbox.put(letter{event: e})
	}
	return http.StatusOK
}

// readEvent decodes an event; members that it does not know are passed over.
func (a *App) readEvent(body []byte) (event, error) {
	var e event
	d := json.NewDecoder(bytes.NewReader(body))
	if a.careless().knowsMembersOnly() {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(&e); err != nil {
		return e, fmt.Errorf("read an event: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return e, errors.New("read an event: something follows it")
	}
	return e, nil
}

// door lets each event in once, however often and at what moment it comes.
type door struct {
	mu   sync.Mutex
	seen map[string]passage
}

// passage is how far an event has come.
type passage int

const (
	outside passage = iota // it has not come before
	within                 // another delivery of it is being taken right now
	inside                 // it was taken
)

// enter notes the event in one step, and says how far it was.
func (d *door) enter(key string) passage {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.seen[key]
	d.seen[key] = max(was, within)
	return was
}

func (d *door) leave(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[key] = inside
}

// letter is something that came in and waits to be worked on: an event, or a
// payer who came back with the word of the return address.
type letter struct {
	event event
	word  string
	// suspect is an event that was refused; only a careless application has it.
	suspect bool
}

// inbox keeps letters in the order in which they came.
type inbox struct {
	mu      sync.Mutex
	letters []letter
	news    chan struct{}
}

func newInbox() *inbox { return &inbox{news: make(chan struct{}, 1)} }

func (i *inbox) put(l letter) {
	i.mu.Lock()
	i.letters = append(i.letters, l)
	i.mu.Unlock()
	i.wake()
}

// wake tells the worker that there is something to do.
func (i *inbox) wake() {
	select {
	case i.news <- struct{}{}:
	default:
	}
}

func (i *inbox) take() []letter {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.letters
	i.letters = nil
	return all
}

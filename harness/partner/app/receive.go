package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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
	return e.Data.Timestamp + " " + e.Event + " " + or(e.Data.PaymentID, e.Data.CompanyID) + " " + e.Data.Status
}

// at is the time of the event; the zero time when it cannot be read.
func (e *event) at() time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.Data.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// hook receives a delivery.
func (a *App) hook(w http.ResponseWriter, r *http.Request) {
	a.heard.Store(a.o.Now().UnixNano())
	body, err := io.ReadAll(io.LimitReader(r.Body, maxEvent))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(a.policy.receive(body, r.Header.Get("X-HMAC-Signature")))
}

// receive takes a delivery in, and gives the status to answer. It looks at the
// signature before anything else, and answers before any work is done: the work
// waits in the inbox.
func (a *App) receive(body []byte, signature string) int {
	if !a.secrets.genuine(body, signature) {
		return http.StatusUnauthorized
	}
	e, err := readEvent(body)
	if err != nil {
		return http.StatusBadRequest
	}
	if e.Event == eventCompany || e.Event == eventPayment { // a later version of the service knows more
		a.inbox.put(letter{order: e.key(), once: true, work: func(ctx context.Context) error { return a.hear(ctx, &e) }})
	}
	return http.StatusOK
}

// readEvent decodes an event; members that it does not know are passed over.
func readEvent(body []byte) (event, error) {
	var e event
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&e); err != nil {
		return e, fmt.Errorf("read an event: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return e, errors.New("read an event: something follows it")
	}
	return e, nil
}

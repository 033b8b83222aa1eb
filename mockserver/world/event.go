package world

import (
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// CompanyEvent is the payload of a webhook about a company's verification.
// Specification, Events.
type CompanyEvent struct {
	Live  bool             `json:"Live" required:"true" example:"false"`
	Event string           `json:"Event" required:"true" enum:"COMPANY_VERIFICATION_STATUS_CHANGED" example:"COMPANY_VERIFICATION_STATUS_CHANGED"`
	Data  CompanyEventData `json:"Data" required:"true"`
}

// CompanyEventData says which company has which status since when.
type CompanyEventData struct {
	CompanyID string `json:"CompanyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	Status    string `json:"Status" required:"true" enum:"Verified,Rejected" example:"Verified"`
	Timestamp string `json:"Timestamp,omitempty" format:"date-time" required:"true" example:"2026-01-02T15:04:05Z"`
}

// PaymentEvent is the payload of a webhook about a payment. Latitude,
// payment-event.
type PaymentEvent struct {
	Live  bool             `json:"Live" required:"true" example:"false"`
	Event string           `json:"Event" required:"true" enum:"PAYMENT_STATUS_CHANGED" example:"PAYMENT_STATUS_CHANGED"`
	Data  PaymentEventData `json:"Data" required:"true"`
}

// PaymentEventData says which payment has which status since when.
type PaymentEventData struct {
	PaymentID           string  `json:"PaymentId" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	RegistrationID      string  `json:"RegistrationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	Amount              int64   `json:"Amount" required:"true" example:"5000"`
	Currency            string  `json:"Currency" required:"true" enum:"USD" example:"USD"`
	Status              string  `json:"Status" required:"true" enum:"Scheduled,Queued,InReview,Processing,Paid,Failed,Denied,Canceled" example:"Paid"`
	Timestamp           string  `json:"Timestamp,omitempty" format:"date-time" required:"true" example:"2026-01-02T15:04:05Z"`
	AccountNumberMasked *string `json:"AccountNumberMasked" required:"true" nullable:"true" example:"*1111"`
}

// How the events are written.
var (
	companyEventJSON = kernel.NewJSON[CompanyEvent]()
	paymentEventJSON = kernel.NewJSON[PaymentEvent]()
)

// stamp is when an event happened; "" where the ledger says that events do not tell.
func (w *World) stamp() string {
	if w.is(latitude.EventTimestampAbsent) {
		return ""
	}
	return w.timeText(w.core.Now())
}

// live is what every event says of where it comes from.
func (w *World) live() bool { return w.is(latitude.LiveTrue) }

// emit records a webhook event about an entity with its exact body, and queues
// it for every endpoint that listens.
func (w *World) emit(name string, entity uuid.UUID, status string, body []byte) {
	w.body = body
	e := delivery.Event{ID: w.core.NewID("event"), Name: name, Entity: entity, Status: status, Body: append([]byte(nil), body...)}
	w.core.Record(kernel.Record{Kind: kernel.RecordEvent, Entity: entity, Name: name, ID: e.ID, Body: e.Body})
	w.hooks.Deliver(e)
}

const wholeSeconds = "2006-01-02T15:04:05Z"

// timeLayout is ISO 8601 UTC; whole seconds, or milliseconds where the ledger
// says so.
func (w *World) timeLayout() string {
	if w.is(latitude.DatesMillis) {
		return "2006-01-02T15:04:05.000Z"
	}
	return wholeSeconds
}

// timeText writes a moment as the API does.
func (w *World) timeText(t int64) string {
	at, layout := time.Unix(0, t).UTC(), w.timeLayout()
	if layout == wholeSeconds {
		layout = time.RFC3339 // the same of a time in UTC, and package time is quick at it
	}
	return at.Format(layout)
}

package world

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// DeliveryView is what a sender needs for an attempt.
type DeliveryView struct {
	// ID is the delivery's own, EventID the event's; Entity is what the event
	// is about.
	ID, Endpoint, EventID, Entity uuid.UUID
	// URL and Secret are the endpoint's present ones; no secret, no signature.
	URL, Secret string
	// Event is the event's name, and Body its exact JSON; it must not be changed.
	Event string
	Body  []byte
	// Attempt is the number of this attempt, from 1.
	Attempt int
	// Created is when the event happened, in nanoseconds since 1970 UTC of
	// virtual time, and Cause its number on the tape.
	Created int64
	Cause   uint64
	// Profile is how the attempt is to go wrong, names between commas. Applied
	// are those that decided when, or that, it goes out; nil for none.
	Profile string
	Applied []string
	// Twin is true for the second of two attempts that go out at the same moment.
	// Its number is the first one's and one more.
	Twin bool
}

// Delivery tells a sender about a pending delivery; false when there is none
// any more.
func (w *World) Delivery(id uuid.UUID) (DeliveryView, bool) {
	n := w.webhooks.index[id]
	if n == 0 {
		return DeliveryView{}, false
	}
	d := w.webhooks.delivery(n)
	e := w.webhooks.endpoint(d.endpoint)
	return DeliveryView{
		ID: d.id, Endpoint: e.id, EventID: d.event, Entity: d.entity, URL: e.url, Secret: e.secret,
		Event: d.name, Body: d.body, Attempt: int(d.attempts) + 1, Created: d.created, Cause: d.cause,
		Profile: w.profileOf(d).String(), Applied: d.applied.names(),
	}, true
}

// PendingDelivery is a delivery that is not finished, as the control API shows
// it.
type PendingDelivery struct {
	ID       string `json:"id" format:"uuid" required:"true"`
	Endpoint string `json:"endpoint" format:"uuid" required:"true"`
	Event    string `json:"event" required:"true" example:"PAYMENT_STATUS_CHANGED"`
	EventID  string `json:"eventId" format:"uuid" required:"true"`
	// Entity is what the event is about.
	Entity string `json:"entity" format:"uuid" required:"true"`
	// Attempts is how many have failed.
	Attempts int `json:"attempts" required:"true" example:"2"`
	// Stage says what it waits for: a profile (held), an earlier event of its
	// entity (queued), its time (scheduled) or the receiver (in-flight).
	Stage string `json:"stage" required:"true" enum:"held,queued,scheduled,in-flight" example:"scheduled"`
	// Due is when it goes on, null when no time is set.
	Due *string `json:"due" format:"date-time" required:"true" example:"2026-03-01T09:35:00Z"`
	// Created is when the event happened, and Cause its number on the tape.
	Created string `json:"created" format:"date-time" required:"true" example:"2026-03-01T09:30:00Z"`
	Cause   uint64 `json:"cause" required:"true" example:"17"`
}

// PendingDeliveries lists what is not finished, oldest first.
func (w *World) PendingDeliveries() []PendingDelivery {
	h := &w.webhooks
	slots := make([]*delivery, 0, h.live)
	for i := range h.rows {
		if h.rows[i].stage != stageFree {
			slots = append(slots, &h.rows[i])
		}
	}
	slices.SortFunc(slots, func(a, b *delivery) int { return cmp.Compare(a.order, b.order) })
	list := make([]PendingDelivery, 0, len(slots))
	for _, d := range slots {
		list = append(list, w.pendingDelivery(d))
	}
	return list
}

func (w *World) pendingDelivery(d *delivery) PendingDelivery {
	p := PendingDelivery{
		ID: d.id.String(), Endpoint: w.webhooks.endpoint(d.endpoint).id.String(), Event: d.name, EventID: d.event.String(),
		Entity: d.entity.String(), Attempts: int(d.attempts), Stage: stageNames[d.stage], Created: w.timeText(d.created), Cause: d.cause,
	}
	if d.wake != 0 {
		due := w.timeText(d.wake)
		p.Due = &due
	}
	return p
}

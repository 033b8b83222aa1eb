package control

import (
	"encoding/json"
	"strconv"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Resend is the body that sends an event once more.
type Resend struct {
	// Endpoint is where to; the delivery's own endpoint, or the only one that
	// there is, when it is left out.
	Endpoint string `json:"endpoint" format:"uuid" example:"3f1d2c4b-5a69-4788-9c0d-1e2f3a4b5c6d"`
	// Body is sent instead of the event's own, byte for byte, signed like any other;
	// at most 65,536 bytes. Left out, the event goes out as it was.
	Body string `json:"body" maxLength:"65536" example:"{\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Live\":false,\"Data\":{}}"`
}

// maxEdited bounds a body that somebody has written, in bytes.
const maxEdited = 64 << 10

// Resent is the new delivery.
type Resent struct {
	ID       string `json:"id" required:"true" format:"uuid" example:"9b6f9e0d-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	Endpoint string `json:"endpoint" required:"true" format:"uuid" example:"3f1d2c4b-5a69-4788-9c0d-1e2f3a4b5c6d"`
	Event    string `json:"event" required:"true" example:"PAYMENT_STATUS_CHANGED"`
	EventID  string `json:"eventId" required:"true" format:"uuid" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
}

// oldEvent is what is to be sent once more.
type oldEvent struct {
	endpoint string
	event    delivery.Event
}

// findEvent looks for the event on the tape, before the world is asked.
func findEvent(x *exchange, body any) error {
	id := x.Param("id")
	if n := len(door.As[Resend](body).Body); n > maxEdited {
		return invalid(wrong("/body", "control.resend.body", strconv.Itoa(n)+" bytes", "at most 65536 bytes", "send a shorter body"))
	}
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return missingEvent(door.Clip(id), false)
	}
	id = parsed.String()
	e := &oldEvent{endpoint: door.As[Resend](body).Endpoint}
	event := id
	if endpoint, of := x.deliveryOf(parsed); of != "" {
		event = of
		if e.endpoint == "" {
			e.endpoint = endpoint
		}
	}
	if !e.find(x.On, event) {
		return missingEvent(id, dropped(x.On))
	}
	if e.endpoint == "" {
		if err := x.onlyEndpoint(e); err != nil {
			return err
		}
	}
	x.memo = e
	return nil
}

// deliveryOf finds the endpoint and the event of a delivery, pending or tried.
func (x *exchange) deliveryOf(id uuid.UUID) (endpoint, event string) {
	x.Look(x.On, func(w *world.World) {
		if d, ok := w.Webhooks().View(id); ok {
			endpoint, event = d.Endpoint.String(), d.EventID.String()
		}
	})
	if event != "" {
		return endpoint, event
	}
	f := tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}, Entity: id.String()}
	x.On.Look(f, func(e tape.Entry) bool {
		if e.Attempt == nil || e.Attempt.Delivery != id.String() {
			return true
		}
		endpoint, event = e.Attempt.Endpoint, e.Attempt.Event
		return false
	})
	return endpoint, event
}

// find takes the event from the tape.
func (o *oldEvent) find(i *integration.Integration, event string) bool {
	found := false
	i.Look(tape.Filter{Kinds: []tape.Kind{tape.KindEvent}}, func(e tape.Entry) bool {
		if e.Event == nil || e.Event.ID != event || len(e.Entities) == 0 {
			return true
		}
		entity, err := uuid.Parse(e.Entities[0])
		id, idErr := uuid.Parse(event)
		var told struct{ Data struct{ Status string } }
		found = err == nil && idErr == nil && json.Unmarshal(e.Event.Body, &told) == nil
		o.event = delivery.Event{ID: id, Name: e.Event.Name, Entity: entity, Status: told.Data.Status, Body: e.Event.Body}
		return false
	})
	return found
}

// onlyEndpoint chooses the endpoint for an event that is asked for by its own id.
func (x *exchange) onlyEndpoint(e *oldEvent) error {
	var endpoints []delivery.EndpointView
	x.Look(x.On, func(w *world.World) { endpoints = w.Webhooks().List() })
	if len(endpoints) != 1 {
		return invalid(wrong("/endpoint", "control.resend.endpoint", "", "the id of an endpoint: there are "+strconv.Itoa(len(endpoints)),
			"say which endpoint the event is to be sent to"))
	}
	e.endpoint = endpoints[0].ID
	return nil
}

// dropped says whether the tape has lost its oldest entries.
func dropped(i *integration.Integration) bool {
	entries, _, _ := i.Size()
	_, first := i.Entry(1)
	return entries > 0 && !first
}

// missingEvent says that there is nothing to send; it never claims that there
// has been nothing.
func missingEvent(id string, dropped bool) *kernel.Error {
	detail := "no delivery and no event " + id + " on the tape"
	if dropped {
		detail += "; the tape's oldest entries have been dropped, and it may have been among them:" +
			" give the integration a longer tape (tapeEntries, tapeBytes)"
	}
	return &kernel.Error{Code: kernel.NotFound, Detail: detail}
}

func resend(w *world.World, x *exchange, req *Resend) (Resent, error) {
	e, _ := x.memo.(*oldEvent)
	if req.Body != "" {
		e.event.Body = []byte(req.Body)
	}
	id, err := w.Webhooks().Resend(e.endpoint, e.event)
	if err != nil {
		return Resent{}, err
	}
	x.about(id.String(), e.event.ID.String(), e.endpoint)
	return Resent{ID: id.String(), Endpoint: e.endpoint, Event: e.event.Name, EventID: e.event.ID.String()}, nil
}

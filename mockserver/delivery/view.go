package delivery

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// View is what a sender needs for an attempt.
type View struct {
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
	// Profile is how the attempt is to go wrong. Applied are those profiles that
	// decided when, or that, it goes out.
	Profile, Applied Profile
	// Second is true for the second of two attempts that go out at the same moment.
	// Its number is the first one's and one more.
	Second bool
}

// View tells a sender about a pending delivery; false when there is none
// any more.
func (l *Ledger) View(id uuid.UUID) (View, bool) {
	n := l.index[id]
	if n == 0 {
		return View{}, false
	}
	d := l.delivery(n)
	e := l.endpoint(d.endpoint)
	return View{
		ID: d.id, Endpoint: e.id, EventID: d.ID, Entity: d.Entity, URL: e.url, Secret: e.secret,
		Event: d.Name, Body: d.Body, Attempt: int(d.attempts) + 1, Created: d.created, Cause: d.cause,
		Profile: l.profileOf(d), Applied: d.applied,
	}, true
}

// Pending is a delivery that is not finished, as the control API shows
// it.
type Pending struct {
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

// stages are the states of a delivery as the control API tells them.
var stages = [...]string{
	gathered: "held", late: "held", queued: "queued", scheduled: "scheduled",
	inFlight: "in-flight", inFlightTwice: "in-flight", halfDelivered: "in-flight", repeated: "in-flight",
}

// OnTheirWay is how many deliveries are not finished.
func (l *Ledger) OnTheirWay() int { return l.live }

// Pending lists what is not finished, oldest first.
func (l *Ledger) Pending() []Pending {
	slots := make([]*delivery, 0, l.live)
	for i := range l.rows {
		if l.rows[i].state != 0 {
			slots = append(slots, &l.rows[i])
		}
	}
	slices.SortFunc(slots, func(a, b *delivery) int { return cmp.Compare(a.order, b.order) })
	list := make([]Pending, 0, len(slots))
	for _, d := range slots {
		list = append(list, l.pending(d))
	}
	return list
}

func (l *Ledger) pending(d *delivery) Pending {
	p := Pending{
		ID: d.id.String(), Endpoint: l.endpoint(d.endpoint).id.String(), Event: d.Name, EventID: d.ID.String(),
		Entity: d.Entity.String(), Attempts: int(d.attempts), Stage: stages[d.state], Created: l.timeText(d.created), Cause: d.cause,
	}
	if d.wake != 0 {
		p.Due = new(l.timeText(d.wake))
	}
	return p
}

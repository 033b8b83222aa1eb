package delivery

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// Config is what a Ledger is made from.
type Config struct {
	// Core numbers and records what happens, and fires Timer for the deliveries.
	Core  *kernel.Core
	Timer kernel.TimerKind
	// Settings are the choices where the specification is silent.
	Settings latitude.Settings
	// Events are the names of all events, and Statuses those that they tell.
	Events, Statuses []string
	// Secret signs deliveries to endpoints that bring no secret of their own;
	// empty draws one for each.
	Secret string
	// TimeLayout is how a moment is written.
	TimeLayout string
}

// Event is what is delivered.
type Event struct {
	ID uuid.UUID
	// Name is one of the Config's, and Entity what the event is about.
	Name   string
	Entity uuid.UUID
	// Status is the one that the event tells.
	Status string
	// Body is its exact JSON; it must not be changed.
	Body []byte
}

// Ledger holds the webhook endpoints of an integration and what is still to be
// delivered to them. Slots of both are reused, so that memory follows what is
// there now and not what has been. What is finished, the tape remembers alone.
type Ledger struct {
	cfg  Config
	core *kernel.Core

	endpoints []endpoint
	freed     []uint32
	listed    []uint32 // slots of endpoints in the order of their creation
	byID      map[uuid.UUID]uint32
	changes   uint64 // of endpoints and their secrets
	deliveries
}

// deliveries are what is not finished.
type deliveries struct {
	rows  []delivery
	spare []uint32
	index map[uuid.UUID]uint32
	// lines are the last deliveries in line, by endpoint and entity.
	lines map[line]uint32
	order uint64
	live  int
}

// line is where the events about an entity wait for one endpoint: they arrive
// in the order in which they happened.
type line struct {
	endpoint uint32
	entity   uuid.UUID
}

// delivery is one event on its way to one endpoint. The body is shared between
// endpoints.
type delivery struct {
	Event
	id           uuid.UUID
	order, cause uint64
	created      int64
	// due is when it may go out; wake is when its timer fires, 0 for none.
	due, wake int64
	endpoint  uint32
	next      uint32 // of its line, or of what is gathered for a burst
	applied   Profile
	// shape is how the attempt under way goes wrong; settled when that was so
	// already as the event happened.
	shape    Profile
	state    kernel.State
	attempts uint8
	settled  bool
	// outOfLine is true of an old event that is sent again: it waits for nobody.
	outOfLine bool
	// sameEntity says that profile reorder holds it until the next event about the
	// same entity has gone, not just any event.
	sameEntity bool
}

// New makes an empty ledger.
func New(cfg Config) *Ledger { return &Ledger{cfg: cfg, core: cfg.Core} }

func (l *Ledger) is(c latitude.Choice) bool { return l.cfg.Settings.Is(c) }

func (l *Ledger) timeText(t int64) string { return time.Unix(0, t).UTC().Format(l.cfg.TimeLayout) }

// Deliver queues an event for every endpoint that listens.
func (l *Ledger) Deliver(e Event) {
	if len(l.listed) == 0 {
		return
	}
	bit := l.bit(e.Name)
	for _, n := range l.listed {
		if to := l.endpoint(n); to.state == Enabled && to.events&bit != 0 {
			l.admit(l.keep(delivery{Event: e, id: l.core.DerivedID("delivery", e.ID, to.id), endpoint: n}))
		}
	}
}

// keep keeps a new delivery and gives its slot.
func (l *Ledger) keep(d delivery) uint32 {
	if l.index == nil {
		l.index, l.lines = map[uuid.UUID]uint32{}, map[line]uint32{}
	}
	l.order++
	d.order, d.cause, d.created = l.order, l.core.Seq(), l.core.Now()
	d.step(create)
	var n uint32
	if spare := len(l.spare); spare > 0 {
		n, l.spare = l.spare[spare-1], l.spare[:spare-1]
		*l.delivery(n) = d
	} else {
		l.rows = append(l.rows, d)
		n = uint32(len(l.rows)) //nolint:gosec // G115: what is pending fits into memory.
	}
	l.index[d.id] = n
	l.live++
	l.endpoint(d.endpoint).pending++
	return n
}

// delivery gives the delivery in a slot, counted from 1. The pointer is good
// until the next one is kept.
func (l *Ledger) delivery(n uint32) *delivery { return &l.rows[n-1] }

// Resend queues an old event once more for an endpoint, at once and out of
// line, as a delivery of its own; profiles do not hold it. The answer is the
// new delivery's id. A disabled endpoint is IllegalTransition.
func (l *Ledger) Resend(endpointID string, e Event) (uuid.UUID, error) {
	n, err := l.find(endpointID)
	if err != nil {
		return uuid.Nil, err
	}
	if to := l.endpoint(n); to.state != Enabled {
		return uuid.Nil, EndpointMachine.Refusal(to.id, to.state, "resend")
	}
	e.Body = slices.Clone(e.Body)
	slot := l.keep(delivery{Event: e, id: l.core.NewID("delivery"), endpoint: n, outOfLine: true})
	id := l.delivery(slot).id
	l.launch(slot)
	return id, nil
}

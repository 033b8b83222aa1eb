package world

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// deliveryStage says what a delivery waits for.
type deliveryStage uint8

const (
	stageFree   deliveryStage = iota
	stageHeld                 // a profile holds it
	stageQueued               // an earlier event of its entity has to go first
	stageTimed                // a timer is set
	stageFlying               // an attempt is under way
)

var stageNames = [...]string{"", "held", "queued", "scheduled", "in-flight"}

// deliveries are what is not finished. What is, the tape remembers alone.
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
	id, event, entity uuid.UUID
	name              string
	body              []byte
	order, cause      uint64
	created           int64
	// due is when it may go out; wake is when its timer fires, 0 for none.
	due, wake int64
	endpoint  uint32
	next      uint32 // of its line, or of what is gathered for a burst
	applied   profile
	// shape is how the attempt under way goes wrong; reserved when that was
	// settled already as the event happened.
	shape    profile
	attempts uint8
	flying   uint8 // attempts under way: two by profile parallel-duplicate
	stage    deliveryStage
	reserved bool
	// again is true once it was delivered and goes out a second time; resent
	// when it is an old event that stands in no line; landed when the first of
	// two attempts at the same moment has arrived well.
	again, resent, landed bool
	// kin says that profile reorder holds it until the next event about the same
	// entity has gone, not just any event.
	kin bool
}

// deliver queues an event for every endpoint that listens.
func (w *World) deliver(name string, event, entity uuid.UUID, body []byte) {
	h := &w.webhooks
	if len(h.listed) == 0 {
		return
	}
	bit := h.bit(name)
	for _, n := range h.listed {
		if e := h.endpoint(n); e.state == EndpointEnabled && e.events&bit != 0 {
			w.admit(w.newDelivery(delivery{event: event, entity: entity, name: name, body: body, endpoint: n}))
		}
	}
}

// newDelivery keeps a delivery under a new id and gives its slot.
func (w *World) newDelivery(d delivery) uint32 {
	h := &w.webhooks
	if h.index == nil {
		h.index, h.lines = map[uuid.UUID]uint32{}, map[line]uint32{}
	}
	h.order++
	d.id, d.order, d.cause, d.created = w.core.NewID(), h.order, w.core.Seq(), w.core.Now()
	var n uint32
	if spare := len(h.spare); spare > 0 {
		n, h.spare = h.spare[spare-1], h.spare[:spare-1]
		*h.delivery(n) = d
	} else {
		h.rows = append(h.rows, d)
		n = uint32(len(h.rows)) //nolint:gosec // G115: what is pending fits into memory.
	}
	h.index[d.id] = n
	h.live++
	h.endpoint(d.endpoint).pending++
	return n
}

// delivery gives the delivery in a slot, counted from 1. The pointer is good
// until the next one is kept.
func (h *webhooks) delivery(n uint32) *delivery { return &h.rows[n-1] }

// line puts a delivery behind the earlier events of its entity.
func (w *World) line(n uint32) {
	h := &w.webhooks
	d := h.delivery(n)
	key := line{d.endpoint, d.entity}
	last := h.lines[key]
	h.lines[key] = n
	if last != 0 {
		h.delivery(last).next = n
		d.stage = stageQueued
		return
	}
	w.launch(n)
}

// launch sends a delivery whose turn it is, now or when it is due.
func (w *World) launch(n uint32) {
	d := w.webhooks.delivery(n)
	if d.due > w.core.Now() {
		d.stage = stageTimed
		w.wake(n, d.due)
		return
	}
	d.stage, d.flying, d.landed = stageFlying, 1, false
	w.settleShape(d)
	w.core.Effect(kernel.Effect{Kind: kernel.SendDelivery, ID: d.id})
	if d.shape.has(profileParallel) && !d.again {
		d.flying = 2
		d.applied |= profileParallel
		w.core.Effect(kernel.Effect{Kind: kernel.SendDelivery, ID: d.id, Twin: true})
	}
}

// wake sets the timer of a delivery; an earlier one loses its meaning.
func (w *World) wake(n uint32, at int64) {
	d := w.webhooks.delivery(n)
	d.wake = at
	w.core.Schedule(timerDelivery, time.Unix(0, at), d.id, 0)
}

// deliveryTimer goes on with a delivery that was held or is due.
func (w *World) deliveryTimer(t kernel.Timer) bool {
	n := w.webhooks.index[t.ID]
	if n == 0 {
		return false
	}
	d := w.webhooks.delivery(n)
	if d.wake != t.Due {
		return false
	}
	d.wake = 0
	switch {
	case d.stage == stageTimed:
		w.launch(n)
	case w.webhooks.endpoint(d.endpoint).late == n:
		w.release(d.endpoint)
	default:
		w.scatter(d.endpoint)
	}
	return true
}

// DeliveryAttempted is the input that tells what became of an attempt asked for
// by the effect SendDelivery. Of two attempts at the same moment the one that
// is told last decides what follows. An unknown delivery, also one whose endpoint
// has been removed, is NotFound; one that is not in flight IllegalTransition.
func (w *World) DeliveryAttempted(id uuid.UUID, r AttemptResult) (AttemptOutcome, error) {
	n := w.webhooks.index[id]
	if n == 0 {
		return AttemptOutcome{}, kernel.NoSuch("pending delivery", id.String())
	}
	d := w.webhooks.delivery(n)
	if d.stage != stageFlying {
		return AttemptOutcome{}, &kernel.Error{
			Code:   kernel.IllegalTransition,
			Detail: "the delivery " + id.String() + " is " + stageNames[d.stage] + ": no attempt of it is under way",
		}
	}
	d.attempts++
	if d.flying--; d.flying > 0 {
		return w.judgeFirst(n, &r), nil
	}
	d.applied = 0
	return w.judge(n, &r), nil
}

// finish forgets a delivery and lets go what waited for it.
func (w *World) finish(n uint32, reason string) AttemptOutcome {
	h := &w.webhooks
	d := *h.delivery(n)
	h.drop(n)
	key := line{d.endpoint, d.entity}
	switch {
	case d.resent:
	case d.next != 0:
		w.launch(d.next)
	default:
		delete(h.lines, key)
	}
	if h.endpoint(d.endpoint).overtaker == n {
		w.release(d.endpoint)
	}
	h.shrink()
	return AttemptOutcome{Done: true, Reason: reason}
}

// drop empties a slot.
func (h *webhooks) drop(n uint32) {
	d := h.delivery(n)
	h.endpoint(d.endpoint).pending--
	delete(h.index, d.id)
	*d = delivery{}
	h.spare = append(h.spare, n)
	h.live--
}

// shrink gives back the memory of a great crowd once all of it has gone.
func (h *webhooks) shrink() {
	if h.live == 0 && len(h.rows) > 1024 {
		h.deliveries = deliveries{order: h.order}
	}
}

// abandon gives up what waits for an endpoint, and says how much that was.
// Attempts that are under way may end, unless the endpoint is removed.
func (h *webhooks) abandon(n uint32, removed bool) int {
	e := h.endpoint(n)
	e.late, e.overtaker, e.firstGathered, e.lastGathered, e.gathered = 0, 0, 0, 0, 0
	waiting := 0
	flying := []uint32{}
	for i := range h.rows {
		d := &h.rows[i]
		if d.stage == stageFree || d.endpoint != n {
			continue
		}
		slot := uint32(i + 1)
		if !d.resent {
			delete(h.lines, line{d.endpoint, d.entity})
		}
		if d.stage == stageFlying && !removed {
			d.next = 0
			flying = append(flying, slot)
			continue
		}
		h.drop(slot)
		waiting++
	}
	for _, slot := range flying {
		if d := h.delivery(slot); !d.resent {
			h.lines[line{d.endpoint, d.entity}] = slot
		}
	}
	h.shrink()
	return waiting
}

// Resend queues an old event once more for an endpoint, at once and out of
// line, as a delivery of its own; profiles do not hold it. The answer is the
// new delivery's id. A disabled endpoint is IllegalTransition.
func (w *World) Resend(endpointID, name string, event, entity uuid.UUID, body []byte) (uuid.UUID, error) {
	n, err := w.findEndpoint(endpointID)
	if err != nil {
		return uuid.Nil, err
	}
	if e := w.webhooks.endpoint(n); e.state != EndpointEnabled {
		return uuid.Nil, EndpointMachine.Refusal(e.id, e.state, "resend")
	}
	slot := w.newDelivery(delivery{event: event, entity: entity, name: name, body: slices.Clone(body), endpoint: n, resent: true})
	id := w.webhooks.delivery(slot).id
	w.launch(slot)
	return id, nil
}

package delivery

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// What slots refer to. Slots are used again, so that a chain runs in any order.
const (
	toEndpoint = 16 + iota
	toDelivery
)

// Pack lists everything that lasts from input to input; what a ledger was made from
// stays.
func (l *Ledger) Pack(k *kernel.Codec) {
	kernel.PackList(k, &l.endpoints)
	kernel.PackNums(k, &l.freed)
	kernel.PackEach(k, &l.listed, 1, func(n *uint32) { k.Rows(toEndpoint, n) })
	k.Num(&l.changes)
	l.deliveries.Pack(k)
	k.Bound(toEndpoint, uint32(len(l.endpoints))) //nolint:gosec // G115: at most maxEndpoints.
	if k.Reading() && k.Sound() {
		l.restore(k)
	}
}

// Pack lists the fields of an endpoint.
func (e *endpoint) Pack(k *kernel.Codec) {
	k.ID(&e.id)
	k.Strs(&e.url, &e.secret, &e.forStatus)
	k.Num(&e.events)
	k.Ints(&e.created)
	e.profile.Pack(k)
	k.State(&e.state, &EndpointMachine)
	k.Num32s(&e.pending, &e.left)
	k.Rows(toDelivery, &e.late, &e.overtaker, &e.firstGathered, &e.lastGathered)
	k.Num32s(&e.gathered)
}

// Pack lists what is not finished.
func (d *deliveries) Pack(k *kernel.Codec) {
	kernel.PackList(k, &d.rows)
	kernel.PackEach(k, &d.spare, 1, func(n *uint32) { k.Rows(toDelivery, n) })
	kernel.PackMap(k, &d.lines, line.compare, func(l *line, n *uint32) {
		k.Rows(toEndpoint, &l.endpoint)
		k.ID(&l.entity)
		k.Rows(toDelivery, n)
	})
	k.Num(&d.order)
	k.Bound(toDelivery, uint32(len(d.rows))) //nolint:gosec // G115: what is pending fits into memory.
}

func (l line) compare(o line) int {
	return cmp.Or(cmp.Compare(l.endpoint, o.endpoint), bytes.Compare(l.entity[:], o.entity[:]))
}

// Pack lists the fields of a delivery.
func (d *delivery) Pack(k *kernel.Codec) {
	d.Event.Pack(k)
	k.ID(&d.id)
	k.Num(&d.order)
	k.Num(&d.cause)
	k.Ints(&d.created, &d.due, &d.wake)
	k.Rows(toEndpoint, &d.endpoint)
	k.Rows(toDelivery, &d.next)
	d.applied.Pack(k)
	d.shape.Pack(k)
	k.State(&d.state, &DeliveryMachine)
	k.Num8s(&d.attempts)
	k.Bools(&d.settled, &d.outOfLine, &d.sameEntity)
}

// Pack lists the fields of an event.
func (e *Event) Pack(k *kernel.Codec) {
	k.IDs(&e.ID, &e.Entity)
	k.Strs(&e.Name, &e.Status)
	k.Blob(&e.Body)
}

// Pack lists the fields of what a sender needs, for an attempt that is under way.
func (v *View) Pack(k *kernel.Codec) {
	k.IDs(&v.ID, &v.Endpoint, &v.EventID, &v.Entity)
	k.Strs(&v.URL, &v.Secret, &v.Event)
	k.Blob(&v.Body)
	k.Int(&v.Attempt)
	k.Ints(&v.Created)
	k.Num(&v.Cause)
	v.Profile.Pack(k)
	v.Applied.Pack(k)
	k.Bools(&v.Second)
}

// Pack writes or reads a set of profiles.
func (p *Profile) Pack(k *kernel.Codec) {
	k.Num32s((*uint32)(p))
	k.Require(*p>>len(profileNames) == 0, "profiles that there are")
}

// restore finds what follows from the slots, and refuses slots that cannot be.
func (l *Ledger) restore(k *kernel.Codec) {
	l.byID, l.index, l.live = nil, nil, 0
	k.Require(!slices.Contains(l.listed, 0) && !slices.Contains(l.freed, 0) && !slices.Contains(l.spare, 0), "slots that are there")
	k.Require(l.chainsEnd(), "lines that end")
	if !k.Sound() {
		return
	}
	if len(l.listed) > 0 {
		l.byID = make(map[uuid.UUID]uint32, len(l.listed))
	}
	for _, n := range l.listed {
		l.byID[l.endpoint(n).id] = n
	}
	for i := range l.rows {
		d := &l.rows[i]
		if d.state == 0 {
			continue
		}
		if l.index == nil {
			l.index = map[uuid.UUID]uint32{}
		}
		l.index[d.id] = uint32(i + 1)
		l.live++
		k.Require(d.endpoint != 0, "the endpoint of a delivery")
	}
	if l.index != nil && l.lines == nil {
		l.lines = map[line]uint32{}
	}
	k.Require(len(l.byID) == len(l.listed) && len(l.index) == l.live, "ids that differ")
}

// chainsEnd says whether what waits for another, waits for something that is next.
func (l *Ledger) chainsEnd() bool {
	ends := make([]bool, len(l.rows)+1)
	ends[0] = true
	for i := range l.rows {
		first := uint32(i + 1)
		n, steps := first, 0
		for ; !ends[n]; n, steps = l.delivery(n).next, steps+1 {
			if steps > len(l.rows) {
				return false
			}
		}
		for n = first; !ends[n]; n = l.delivery(n).next {
			ends[n] = true
		}
	}
	return true
}

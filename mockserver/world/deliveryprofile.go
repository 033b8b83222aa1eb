package world

import (
	"slices"
	"strings"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// profile is a set of the ways in which deliveries to an endpoint go wrong on
// purpose.
type profile uint32

// The profiles by which the world decides when, and how often, an attempt goes
// out. The others shape an attempt and are read by the sender alone.
const (
	profileDuplicate profile = 1 << iota // after a success the delivery goes out once more
	profileReorder                       // an event is held until the next one has gone
	profileDelay                         // the first attempt waits 1 to 60 minutes
	profileBurst                         // events are gathered and released together
)

// profileParallel is read by the world too: the delivery goes out twice at the
// same moment.
const profileParallel profile = 1 << 15 // its place in profileNames

// profilesHolding are those that decide, when an event happens, when it goes out.
const profilesHolding = profileReorder | profileDelay | profileBurst

// profileNames are the names of the profiles, by their bits.
var profileNames = [...]string{
	"duplicate", "reorder", "delay", "burst", "before-response", "stale-timestamp", "wrong-secret",
	"missing-signature", "altered-byte", "odd-json", "unknown-event", "extra-member", "slow-read", "cut-connection",
	"stale-signature", "parallel-duplicate", "altered-signature", "empty-secret",
}

const (
	holdFor    = 60 * time.Second // the longest that reorder and burst hold an event
	burstSize  = 10               // how many events make a burst
	delaySpan  = 60               // minutes; the longest wait of a delayed event
	secondsMin = 60
)

// ProfileNames lists the delivery profiles in their documented order.
func ProfileNames() []string { return slices.Clone(profileNames[:]) }

// profile reads names between commas, in any case and order.
func (c *check) profile(s string) profile {
	var p profile
	var unknown []string
	for name := range strings.SplitSeq(s, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if i := slices.Index(profileNames[:], name); i >= 0 {
			p |= 1 << i
		} else if name != "" {
			unknown = append(unknown, name)
		}
	}
	if unknown != nil {
		r := ruleEndpointProfile
		r.Expected += ": " + strings.Join(profileNames[:], ", ")
		c.refuse("/profile", kernel.Quote(strings.Join(unknown, ",")), r)
	}
	return p
}

// ledgerProfile is what the ledger's choice of event-order does to every endpoint.
func (w *World) ledgerProfile() profile {
	switch {
	case w.is(latitude.EventOrderShuffled):
		return profileReorder
	case w.is(latitude.EventOrderDuplicated):
		return profileDuplicate
	default:
		return 0
	}
}

// has says whether one of the profiles is in the set.
func (p profile) has(q profile) bool { return p&q != 0 }

// names lists the profiles of a set; nil when it is empty.
func (p profile) names() []string {
	var names []string
	for i, name := range profileNames {
		if p.has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String writes the set as the names between commas.
func (p profile) String() string { return strings.Join(p.names(), ",") }

// admit takes a new delivery through the profiles of its endpoint that decide
// when it goes out: burst, then reorder, then delay.
func (w *World) admit(n uint32) {
	d := w.webhooks.delivery(n)
	d.kin = w.webhooks.endpoint(d.endpoint).told != ""
	w.reserve(d)
	p := w.profileOf(d)
	if p.has(profileDelay) {
		seconds := secondsMin + w.core.Draw((delaySpan-1)*60+1)
		d.due = w.core.Now() + int64(seconds)*int64(time.Second) //nolint:gosec // G115: at most an hour.
		d.applied |= profileDelay
	}
	if p.has(profileBurst) {
		w.gather(n)
		return
	}
	w.pass(n)
}

// gather holds a delivery until a burst of them is complete.
func (w *World) gather(n uint32) {
	d := w.webhooks.delivery(n)
	e := w.webhooks.endpoint(d.endpoint)
	if e.gathered == 0 {
		e.firstGathered = n
	} else {
		w.webhooks.delivery(e.lastGathered).next = n
	}
	e.lastGathered = n
	e.gathered++
	d.applied |= profileBurst
	d.stage = stageHeld
	switch e.gathered {
	case 1:
		w.wake(n, w.core.Now()+int64(holdFor))
	case burstSize:
		w.scatter(d.endpoint)
	}
}

// scatter releases what an endpoint has gathered, in order.
func (w *World) scatter(endpoint uint32) {
	e := w.webhooks.endpoint(endpoint)
	n := e.firstGathered
	e.firstGathered, e.lastGathered, e.gathered = 0, 0, 0
	for n != 0 {
		d := w.webhooks.delivery(n)
		next := d.next
		d.next, d.wake = 0, 0
		w.pass(n)
		n = next
	}
}

// pass lets a delivery by, or holds it so that the endpoint's next one goes
// first. A held one is not in line: the next event of its entity overtakes it
// too.
func (w *World) pass(n uint32) {
	d := w.webhooks.delivery(n)
	e := w.webhooks.endpoint(d.endpoint)
	if w.profileOf(d).has(profileReorder) && e.late == 0 {
		e.late = n
		d.applied |= profileReorder
		d.stage = stageHeld
		w.wake(n, w.core.Now()+int64(holdFor))
		return
	}
	if e.late != 0 && e.overtaker == 0 && overtakes(d, w.webhooks.delivery(e.late)) {
		e.overtaker = n
	}
	w.line(n)
}

// overtakes says whether a delivery is the one that a late one waits for.
func overtakes(d, late *delivery) bool { return !late.kin || late.entity == d.entity }

// release lets the late delivery of an endpoint go.
func (w *World) release(endpoint uint32) {
	e := w.webhooks.endpoint(endpoint)
	late := e.late
	e.late, e.overtaker = 0, 0
	if late != 0 {
		w.webhooks.delivery(late).wake = 0
		w.line(late)
	}
}

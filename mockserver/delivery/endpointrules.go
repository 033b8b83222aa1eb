package delivery

import (
	"math"
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
)

// NewEndpoint is the body that registers a webhook address.
type NewEndpoint struct {
	// URL is absolute, http or https, at most 2,048 bytes, without user
	// information and without a fragment.
	URL string `json:"url" required:"true" format:"uri" example:"https://partner.example.com/hooks"`
	// Secret signs the deliveries. Absent: one is drawn; empty: they go out
	// unsigned.
	Secret *string `json:"secret" mask:"true" example:"whsec_2f4b8c6e7d90"`
	// Events are the names to listen to; none means all.
	Events []string `json:"events" example:"[\"PAYMENT_STATUS_CHANGED\"]"`
	// Profile names, between commas, the ways in which deliveries go wrong.
	Profile string `json:"profile" example:"duplicate,delay"`
}

// NewProfile is the body that changes how deliveries to an endpoint go wrong.
type NewProfile struct {
	// Profile names the ways between commas; an empty text for deliveries that
	// behave.
	Profile *string `json:"profile" required:"true" example:"wrong-secret"`
	// Next is how many attempts it is for, after which deliveries behave: the first
	// attempts of events, not later ones and not what is resent. Absent or 0: all,
	// until it is changed.
	Next *int64 `json:"next" minimum:"0" maximum:"1000000" example:"1"`
	// ForStatus limits it to events that tell this status of a payment or a company;
	// the others go out well and do not count. Profile reorder then holds an event
	// until the next one about the same payment or company has gone. Absent or
	// empty: any event.
	ForStatus string `json:"forStatus" example:"Paid"`
}

// maxNext bounds Next of a profile.
const maxNext = 1_000_000

var (
	ruleEndpointNext    = kernel.Rule{Clause: "control.webhook.next", Source: kernel.Assumed, Expected: "a whole number from 0 to " + strconv.Itoa(maxNext), Fix: "send how many attempts the profile is for, or leave it out"}
	ruleEndpointStatus  = kernel.Rule{Clause: "control.webhook.status", Source: kernel.Assumed, Expected: "a status that events tell", Fix: "send one of them, or leave it out"}
	ruleEndpointURL     = kernel.Rule{Clause: "control.webhook.url", Source: kernel.Assumed, Expected: "an absolute http or https address of " + kernel.CallableForm, Fix: "send an address such as https://partner.example.com/hooks"}
	ruleEndpointEvent   = kernel.Rule{Clause: "control.webhook.events", Source: kernel.Assumed, Expected: "the name of an event", Fix: "send known names, or none for all events"}
	ruleEndpointProfile = kernel.Rule{Clause: "control.webhook.profile", Source: kernel.Assumed, Expected: "names of delivery profiles between commas", Fix: "send known names, or none for deliveries that behave"}
	ruleEndpointCount   = kernel.Rule{Clause: "control.webhook.count", Source: kernel.Assumed, Expected: "at most " + strconv.Itoa(maxEndpoints) + " endpoints", Fix: "remove an endpoint first"}
)

// listening reads names of events as bits; none are all.
func (l *Ledger) listening(c *kernel.Check, names []string) uint64 {
	var bits uint64
	for i, name := range names {
		known, ok := kernel.OneOf(name, l.cfg.Events)
		if !ok {
			r := ruleEndpointEvent
			r.Expected += ": " + strings.Join(l.cfg.Events, ", ")
			c.Refuse("/events/"+strconv.Itoa(i), kernel.Given(name), r)
			continue
		}
		bits |= l.bit(known)
	}
	if bits == 0 {
		return math.MaxUint64
	}
	return bits
}

// readProfile judges names of profiles.
func readProfile(c *kernel.Check, s string) Profile {
	p, unknown := ParseProfile(s)
	if unknown != nil {
		r := ruleEndpointProfile
		r.Expected += ": " + strings.Join(profileNames[:], ", ")
		c.Refuse("/profile", kernel.Quote(strings.Join(unknown, ",")), r)
	}
	return p
}

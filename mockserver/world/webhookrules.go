package world

import (
	"math"
	"net/url"
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
	ruleEndpointNext    = rule{"control.webhook.next", kernel.Assumed, "a whole number from 0 to " + strconv.Itoa(maxNext), "send how many attempts the profile is for, or leave it out"}
	ruleEndpointStatus  = rule{"control.webhook.status", kernel.Assumed, "a status that events tell", "send one of them, or leave it out"}
	ruleEndpointURL     = rule{"control.webhook.url", kernel.Assumed, "an absolute http or https address of at most 2,048 bytes, without user information and without a fragment", "send an address such as https://partner.example.com/hooks"}
	ruleEndpointEvent   = rule{"control.webhook.events", kernel.Assumed, "the name of an event", "send known names, or none for all events"}
	ruleEndpointProfile = rule{"control.webhook.profile", kernel.Assumed, "names of delivery profiles between commas", "send known names, or none for deliveries that behave"}
	ruleEndpointCount   = rule{"control.webhook.count", kernel.Assumed, "at most " + strconv.Itoa(maxEndpoints) + " endpoints", "remove an endpoint first"}
)

// validEndpointURL says whether deliveries can be sent to s.
func validEndpointURL(s string) bool {
	if len(s) > 2048 || strings.ContainsRune(s, '#') {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return false
	}
	port, err := strconv.Atoi(u.Port())
	return u.Port() == "" || err == nil && port > 0 && port <= math.MaxUint16
}

// givenURL shows a refused address, but never the password that it may hold.
func givenURL(s string) string {
	if strings.ContainsRune(s, '@') {
		return kernel.Masked
	}
	return kernel.Given(s)
}

// listening reads names of events as bits; none are all.
func (c *check) listening(names []string) uint64 {
	var bits uint64
	for i, name := range names {
		known, ok := kernel.OneOf(name, c.w.webhooks.names)
		if !ok {
			r := ruleEndpointEvent
			r.Expected += ": " + strings.Join(c.w.webhooks.names, ", ")
			c.refuse("/events/"+strconv.Itoa(i), kernel.Given(name), r)
			continue
		}
		bits |= c.w.webhooks.bit(known)
	}
	if bits == 0 {
		return math.MaxUint64
	}
	return bits
}

package world

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
)

// SetEndpointProfile changes how deliveries to an endpoint go wrong, from the
// next attempt on. A number of attempts ends it. Then the first attempts of events
// alone count and go wrong, as they go out, or as the event happens when a profile
// holds it; later attempts and what is resent go out well meanwhile. The second
// time by profile duplicate or parallel-duplicate does not count. What reorder or
// burst was holding goes out at once when the new profile does not hold it.
func (w *World) SetEndpointProfile(id string, req NewProfile) (EndpointView, error) {
	n, err := w.findEndpoint(id)
	if err != nil {
		return EndpointView{}, err
	}
	c := w.check()
	var p profile
	if req.Profile == nil {
		c.refuse("/profile", "", ruleEndpointProfile)
	} else {
		p = c.profile(*req.Profile)
	}
	left, told := c.next(req.Next), c.told(req.ForStatus)
	if err := c.Err("the profile"); err != nil {
		return EndpointView{}, err
	}
	e := w.webhooks.endpoint(n)
	e.profile, e.left, e.told = p|w.ledgerProfile(), left, told
	if p == 0 {
		e.left, e.told = 0, ""
	}
	w.letGo(n)
	return w.endpointView(w.webhooks.endpoint(n)), nil
}

// letGo sends what an endpoint holds and its profile no longer does.
func (w *World) letGo(endpoint uint32) {
	p := w.webhooks.endpoint(endpoint).profile
	if !p.has(profileBurst) {
		w.scatter(endpoint)
	}
	if !p.has(profileReorder) {
		w.release(endpoint)
	}
}

// next reads how many attempts a profile is for.
func (c *check) next(n *int64) uint32 {
	if n == nil {
		return 0
	}
	if *n < 0 || *n > maxNext {
		c.refuse("/next", strconv.FormatInt(*n, 10), ruleEndpointNext)
		return 0
	}
	return uint32(*n)
}

// told reads the status that events tell which a profile is for.
func (c *check) told(status string) string {
	if status == "" {
		return ""
	}
	statuses := toldStatuses()
	known, ok := kernel.OneOf(status, statuses)
	if !ok {
		r := ruleEndpointStatus
		r.Expected += ": " + strings.Join(statuses, ", ")
		c.refuse("/forStatus", kernel.Given(status), r)
	}
	return known
}

// toldStatuses are those that events tell, of payments first. Nothing tells the
// states in which things begin.
func toldStatuses() []string {
	var list []string
	for _, m := range [...]*kernel.Machine{&PaymentMachine, &CompanyMachine} {
		for state, name := range m.States {
			if slices.ContainsFunc(m.Moves, func(mv kernel.Move) bool { return mv.Emits != "" && int(mv.To) == state }) {
				list = append(list, name)
			}
		}
	}
	return list
}

// fits says whether the endpoint's profile is for a delivery.
func (e *endpoint) fits(d *delivery) bool {
	return e.told == "" || bytes.Contains(d.body, []byte(`"Status":"`+e.told+`"`))
}

// takeProfile gives the profile of an endpoint's next attempt and counts it.
func (w *World) takeProfile(d *delivery) profile {
	e := w.webhooks.endpoint(d.endpoint)
	if !e.fits(d) {
		return w.ledgerProfile()
	}
	p := e.profile
	if e.left > 0 {
		if e.left--; e.left == 0 {
			e.profile, e.told = w.ledgerProfile(), ""
		}
	}
	return p
}

// reserve counts the first attempt of a new delivery at once when a profile that
// ends decides when it goes out.
func (w *World) reserve(d *delivery) {
	e := w.webhooks.endpoint(d.endpoint)
	if e.left > 0 && e.profile.has(profilesHolding) {
		d.shape, d.reserved = w.takeProfile(d), true
	}
}

// settleShape fixes how the attempt that begins goes wrong. The second time of a
// duplicate is like the first.
func (w *World) settleShape(d *delivery) {
	switch {
	case d.reserved || d.again:
	case w.webhooks.endpoint(d.endpoint).left > 0 && (d.attempts > 0 || d.resent):
		d.shape = w.ledgerProfile()
	default:
		d.shape = w.takeProfile(d)
	}
	d.reserved = false
}

// profileOf is how the attempt that is under way, or comes next, goes wrong.
func (w *World) profileOf(d *delivery) profile {
	if d.reserved || d.stage == stageFlying {
		return d.shape
	}
	e := w.webhooks.endpoint(d.endpoint)
	if !e.fits(d) {
		return w.ledgerProfile()
	}
	return e.profile
}

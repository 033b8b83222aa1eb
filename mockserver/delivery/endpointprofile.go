package delivery

import (
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
)

// SetProfile changes how deliveries to an endpoint go wrong, from the
// next attempt on. A number of attempts ends it. Then the first attempts of events
// alone count and go wrong, as they go out, or as the event happens when a profile
// holds it; later attempts and what is resent go out well meanwhile. The second
// time by profile duplicate or parallel-duplicate does not count. What reorder or
// burst was holding goes out at once when the new profile does not hold it.
func (l *Ledger) SetProfile(id string, req NewProfile, noted ...kernel.Finding) (EndpointView, error) {
	c := l.core.Check(noted)
	n, err := l.find(id)
	if err != nil {
		return EndpointView{}, c.Stop(err)
	}
	var p Profile
	if req.Profile == nil {
		c.Refuse("/profile", "", ruleEndpointProfile)
	} else {
		p = readProfile(&c, *req.Profile)
	}
	left, status := next(&c, req.Next), l.status(&c, req.ForStatus)
	if err := c.Err("the profile"); err != nil {
		return EndpointView{}, err
	}
	e := l.endpoint(n)
	e.profile, e.left, e.forStatus = p|l.byChoice(), left, status
	if p == 0 {
		e.left, e.forStatus = 0, ""
	}
	l.letGo(n)
	return l.endpointView(l.endpoint(n)), nil
}

// letGo sends what an endpoint holds and its profile no longer does.
func (l *Ledger) letGo(endpoint uint32) {
	p := l.endpoint(endpoint).profile
	if !p.Has(Burst) {
		l.scatter(endpoint)
	}
	if !p.Has(Reorder) {
		l.releaseLate(endpoint)
	}
}

// next reads how many attempts a profile is for.
func next(c *kernel.Check, n *int64) uint32 {
	if n == nil {
		return 0
	}
	if *n < 0 || *n > maxNext {
		c.Refuse("/next", strconv.FormatInt(*n, 10), ruleEndpointNext)
		return 0
	}
	return uint32(*n)
}

// status reads the one that events tell which a profile is for.
func (l *Ledger) status(c *kernel.Check, status string) string {
	if status == "" {
		return ""
	}
	known, ok := kernel.OneOf(status, l.cfg.Statuses)
	if !ok {
		r := ruleEndpointStatus
		r.Expected += ": " + strings.Join(l.cfg.Statuses, ", ")
		c.Refuse("/forStatus", kernel.Given(status), r)
	}
	return known
}

// fits says whether the endpoint's profile is for a delivery.
func (e *endpoint) fits(d *delivery) bool {
	return e.forStatus == "" || e.forStatus == d.Status
}

// takeProfile gives the profile of an endpoint's next attempt and counts it.
func (l *Ledger) takeProfile(d *delivery) Profile {
	e := l.endpoint(d.endpoint)
	if !e.fits(d) {
		return l.byChoice()
	}
	p := e.profile
	if e.left > 0 {
		if e.left--; e.left == 0 {
			e.profile, e.forStatus = l.byChoice(), ""
		}
	}
	return p
}

// reserve counts the first attempt of a new delivery at once when a profile that
// ends decides when it goes out.
func (l *Ledger) reserve(d *delivery) {
	e := l.endpoint(d.endpoint)
	if e.left > 0 && e.profile.Has(holding) {
		d.shape, d.settled = l.takeProfile(d), true
	}
}

// settleShape fixes how the attempt that begins goes wrong. The second time of a
// duplicate is like the first, and never comes here.
func (l *Ledger) settleShape(d *delivery) {
	switch {
	case d.settled:
	case l.endpoint(d.endpoint).left > 0 && (d.attempts > 0 || d.outOfLine):
		d.shape = l.byChoice()
	default:
		d.shape = l.takeProfile(d)
	}
	d.settled = false
}

// profileOf is how the attempt that is under way, or comes next, goes wrong.
func (l *Ledger) profileOf(d *delivery) Profile {
	if d.settled || d.underWay() {
		return d.shape
	}
	e := l.endpoint(d.endpoint)
	if !e.fits(d) {
		return l.byChoice()
	}
	return e.profile
}

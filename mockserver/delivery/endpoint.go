package delivery

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// maxEndpoints is how many webhook endpoints an integration may have.
const maxEndpoints = 10_000

// endpoint is a webhook address. Its slots of deliveries are 0 when there is
// none.
type endpoint struct {
	id          uuid.UUID
	url, secret string
	events      uint64
	created     int64
	profile     Profile
	state       kernel.State
	pending     uint32
	// left is how many more attempts the profile is for; 0 without an end.
	left uint32
	// forStatus limits the profile to events that tell this status; empty is any.
	forStatus string
	// late is held by profile reorder until overtaker has gone.
	late, overtaker uint32
	// gathered events, a chain, are held by profile burst.
	firstGathered, lastGathered, gathered uint32
}

// EndpointView is a webhook endpoint as the control API shows it.
type EndpointView struct {
	ID     string `json:"id" format:"uuid" required:"true" example:"3f1d2c4b-5a69-4788-9c0d-1e2f3a4b5c6d"`
	URL    string `json:"url" format:"uri" required:"true" example:"https://partner.example.com/hooks"`
	Secret string `json:"secret" required:"true" mask:"true" example:"whsec_2f4b8c6e7d90"`
	// Events are all names that the endpoint listens to.
	Events []string `json:"events" required:"true" nullable:"false" example:"[\"PAYMENT_STATUS_CHANGED\"]"`
	// Profile is in the documented order, "" for deliveries that behave.
	Profile string `json:"profile" required:"true" example:"duplicate,delay"`
	// Next is how many more attempts the profile is for, 0 for all.
	Next int `json:"next" required:"true" example:"0"`
	// ForStatus is the status that events tell which the profile is for, "" for all.
	ForStatus string `json:"forStatus" required:"true" example:""`
	// Status is Enabled, or Disabled after the receiver answered 410.
	Status string `json:"status" required:"true" enum:"Enabled,Disabled" example:"Enabled"`
	// Created is a moment of virtual time.
	Created string `json:"created" format:"date-time" required:"true" example:"2026-03-01T09:30:00Z"`
	// Pending is how many deliveries are not finished.
	Pending int `json:"pending" required:"true" example:"0"`
}

// Add registers a webhook address, which hears every event from now on.
func (l *Ledger) Add(req NewEndpoint, noted ...kernel.Finding) (EndpointView, error) {
	c := l.core.Check(noted)
	if len(l.listed) >= maxEndpoints {
		c.Refuse("", strconv.Itoa(len(l.listed)), ruleEndpointCount)
	}
	if _, ok := kernel.Callable(req.URL); !ok {
		c.Refuse("/url", kernel.GivenAddress(req.URL), ruleEndpointURL)
	}
	events := l.listening(&c, req.Events)
	p := readProfile(&c, req.Profile) | l.byChoice()
	if err := c.Err("the webhook endpoint"); err != nil {
		return EndpointView{}, err
	}
	n := l.newEndpoint(endpoint{id: l.core.NewID("webhook-endpoint"), url: strings.Clone(req.URL), events: events, profile: p, created: l.core.Now()})
	e := l.endpoint(n)
	l.changes++
	secret := req.Secret
	if secret == nil && l.cfg.Secret != "" {
		secret = &l.cfg.Secret // the one that the integration was told
	}
	e.secret = l.secret(secret)
	if err := l.move(n, "create", ""); err != nil {
		return EndpointView{}, err
	}
	return l.endpointView(e), nil
}

// bit stands for an event in the sets of the endpoints. What has no name has
// the highest bit, which only those have that listen to all.
func (l *Ledger) bit(name string) uint64 {
	if i := slices.Index(l.cfg.Events, name); i >= 0 {
		return 1 << i
	}
	return 1 << 63
}

// secret is what was sent, or a new one of 192 bits.
func (l *Ledger) secret(sent *string) string {
	if sent != nil {
		return strings.Clone(*sent)
	}
	drawn := l.core.NewSecret("webhook-secret")
	return "whsec_" + base64.RawURLEncoding.EncodeToString(drawn[:24])
}

// newEndpoint keeps an endpoint and gives its slot.
func (l *Ledger) newEndpoint(e endpoint) uint32 {
	if l.byID == nil {
		l.byID = map[uuid.UUID]uint32{}
	}
	var n uint32
	if free := len(l.freed); free > 0 {
		n, l.freed = l.freed[free-1], l.freed[:free-1]
		*l.endpoint(n) = e
	} else {
		l.endpoints = append(l.endpoints, e)
		n = uint32(len(l.endpoints)) //nolint:gosec // G115: at most maxEndpoints.
	}
	l.listed = append(l.listed, n)
	l.byID[e.id] = n
	return n
}

// endpoint gives the endpoint in a slot, counted from 1. The pointer is good
// until the next endpoint is added.
func (l *Ledger) endpoint(n uint32) *endpoint { return &l.endpoints[n-1] }

// find finds an endpoint by its id.
func (l *Ledger) find(id string) (uint32, error) {
	if key, ok := kernel.ParseID(id); ok {
		if n := l.byID[key]; n != 0 {
			return n, nil
		}
	}
	return 0, kernel.NoSuch("webhook endpoint", id)
}

// move takes a step, whose reason stands on the tape.
func (l *Ledger) move(n uint32, event, reason string) error {
	e := l.endpoint(n)
	_, err := l.core.Transition(&EndpointMachine, e.id, &e.state, event, reason)
	return err
}

// List lists the webhook endpoints, oldest first.
func (l *Ledger) List() []EndpointView {
	list := make([]EndpointView, 0, len(l.listed))
	for _, n := range l.listed {
		list = append(list, l.endpointView(l.endpoint(n)))
	}
	return list
}

// Remove forgets a webhook address and gives up what waits for it; the
// result of an attempt that is under way will be NotFound.
func (l *Ledger) Remove(id string) error {
	n, err := l.find(id)
	if err != nil {
		return err
	}
	l.abandon(n, true)
	delete(l.byID, l.endpoint(n).id)
	*l.endpoint(n) = endpoint{}
	l.freed = append(l.freed, n)
	l.listed = slices.DeleteFunc(l.listed, func(m uint32) bool { return m == n })
	return nil
}

// Secrets goes through the secrets of the endpoints, oldest first.
func (l *Ledger) Secrets(yield func(secret string) bool) {
	for _, n := range l.listed {
		if !yield(l.endpoint(n).secret) {
			return
		}
	}
}

// Changes counts how often the endpoints and their secrets have changed.
func (l *Ledger) Changes() uint64 { return l.changes }

// Enable lets an endpoint that answered 410 hear events again. Those
// that it has missed can be resent.
func (l *Ledger) Enable(id string) (EndpointView, error) {
	n, err := l.find(id)
	if err != nil {
		return EndpointView{}, err
	}
	if err := l.move(n, "enable", "by control call"); err != nil {
		return EndpointView{}, err
	}
	return l.endpointView(l.endpoint(n)), nil
}

// RotateSecret gives an endpoint the secret, or draws a new one when it is nil.
// Attempts from now on are signed with it, those of older events too.
func (l *Ledger) RotateSecret(id string, secret *string) (EndpointView, error) {
	n, err := l.find(id)
	if err != nil {
		return EndpointView{}, err
	}
	e := l.endpoint(n)
	l.changes++
	e.secret = l.secret(secret)
	return l.endpointView(e), nil
}

func (l *Ledger) endpointView(e *endpoint) EndpointView {
	v := EndpointView{
		ID: e.id.String(), URL: e.url, Secret: e.secret, Events: []string{}, Profile: e.profile.String(), Next: int(e.left), ForStatus: e.forStatus,
		Status: EndpointMachine.States[e.state], Created: l.timeText(e.created), Pending: int(e.pending),
	}
	for i, name := range l.cfg.Events {
		if e.events&(1<<i) != 0 {
			v.Events = append(v.Events, name)
		}
	}
	return v
}

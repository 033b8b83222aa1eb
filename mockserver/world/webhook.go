package world

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

// The states of a webhook endpoint.
const (
	EndpointEnabled kernel.State = iota + 1
	EndpointDisabled
)

// EndpointMachine switches a webhook endpoint. Latitude, retries.
var EndpointMachine = kernel.Machine{
	Name:   "webhook endpoint",
	States: []string{"", "Enabled", "Disabled"},
	Moves: []kernel.Move{
		{Event: "create", To: EndpointEnabled},
		{Event: "disable", From: EndpointEnabled, To: EndpointDisabled},
		{Event: "enable", From: EndpointDisabled, To: EndpointEnabled},
	},
}

// webhooks are the endpoints of an integration and what is still to be
// delivered to them. Slots of both are reused, so that memory follows what is
// there now and not what has been.
type webhooks struct {
	endpoints []endpoint
	freed     []uint32
	listed    []uint32 // slots of endpoints in the order of their creation
	byID      map[uuid.UUID]uint32
	names     []string // the events, by the bit that stands for each
	changes   uint64   // of endpoints and their secrets
	deliveries
}

// endpoint is a webhook address. Its slots of deliveries are 0 when there is
// none.
type endpoint struct {
	id          uuid.UUID
	url, secret string
	events      uint64
	created     int64
	profile     profile
	state       kernel.State
	pending     uint32
	// left is how many more attempts the profile is for; 0 without an end.
	left uint32
	// told limits the profile to events that tell this status; empty is any.
	told string
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

// EventNames lists every webhook event once, in the order of the machines.
func EventNames() []string {
	names := []string{}
	for _, m := range Machines() {
		for _, mv := range m.Moves {
			if mv.Emits != "" && !slices.Contains(names, mv.Emits) {
				names = append(names, mv.Emits)
			}
		}
	}
	return names
}

// AddEndpoint registers a webhook address, which hears every event from now on.
func (w *World) AddEndpoint(req NewEndpoint) (EndpointView, error) {
	h := &w.webhooks
	if h.names == nil {
		h.names = EventNames()
	}
	c := w.check()
	if len(h.listed) >= maxEndpoints {
		c.refuse("", strconv.Itoa(len(h.listed)), ruleEndpointCount)
	}
	if !validEndpointURL(req.URL) {
		c.refuse("/url", givenURL(req.URL), ruleEndpointURL)
	}
	events := c.listening(req.Events)
	p := c.profile(req.Profile) | w.ledgerProfile()
	if err := c.Err("the webhook endpoint"); err != nil {
		return EndpointView{}, err
	}
	n := h.newEndpoint(endpoint{id: w.core.NewID(), url: strings.Clone(req.URL), events: events, profile: p, created: w.core.Now()})
	e := h.endpoint(n)
	h.changes++
	secret := req.Secret
	if secret == nil && w.cfg.WebhookSecret != "" {
		secret = &w.cfg.WebhookSecret // the one that the integration was told
	}
	e.secret = w.secret(secret)
	if err := w.moveEndpoint(n, "create", ""); err != nil {
		return EndpointView{}, err
	}
	return w.endpointView(e), nil
}

// bit stands for an event in the sets of the endpoints. What has no name has
// the highest bit, which only those have that listen to all.
func (h *webhooks) bit(name string) uint64 {
	if i := slices.Index(h.names, name); i >= 0 {
		return 1 << i
	}
	return 1 << 63
}

// secret is what was sent, or a new one of 192 bits from the seed.
func (w *World) secret(sent *string) string {
	if sent != nil {
		return strings.Clone(*sent)
	}
	var b [24]byte
	w.core.Fill(b[:])
	return "whsec_" + base64.RawURLEncoding.EncodeToString(b[:])
}

// newEndpoint keeps an endpoint and gives its slot.
func (h *webhooks) newEndpoint(e endpoint) uint32 {
	if h.byID == nil {
		h.byID = map[uuid.UUID]uint32{}
	}
	var n uint32
	if free := len(h.freed); free > 0 {
		n, h.freed = h.freed[free-1], h.freed[:free-1]
		*h.endpoint(n) = e
	} else {
		h.endpoints = append(h.endpoints, e)
		n = uint32(len(h.endpoints)) //nolint:gosec // G115: at most maxEndpoints.
	}
	h.listed = append(h.listed, n)
	h.byID[e.id] = n
	return n
}

// endpoint gives the endpoint in a slot, counted from 1. The pointer is good
// until the next endpoint is added.
func (h *webhooks) endpoint(n uint32) *endpoint { return &h.endpoints[n-1] }

// findEndpoint finds an endpoint by its id.
func (w *World) findEndpoint(id string) (uint32, error) {
	if key, ok := kernel.ParseID(id); ok {
		if n := w.webhooks.byID[key]; n != 0 {
			return n, nil
		}
	}
	return 0, kernel.NoSuch("webhook endpoint", id)
}

// moveEndpoint takes a step, whose reason stands on the tape.
func (w *World) moveEndpoint(n uint32, event, reason string) error {
	e := w.webhooks.endpoint(n)
	_, err := w.core.Transition(&EndpointMachine, e.id, &e.state, event, reason)
	return err
}

// ListEndpoints lists the webhook endpoints, oldest first.
func (w *World) ListEndpoints() []EndpointView {
	list := make([]EndpointView, 0, len(w.webhooks.listed))
	for _, n := range w.webhooks.listed {
		list = append(list, w.endpointView(w.webhooks.endpoint(n)))
	}
	return list
}

// RemoveEndpoint forgets a webhook address and gives up what waits for it; the
// result of an attempt that is under way will be NotFound.
func (w *World) RemoveEndpoint(id string) error {
	n, err := w.findEndpoint(id)
	if err != nil {
		return err
	}
	h := &w.webhooks
	h.abandon(n, true)
	delete(h.byID, h.endpoint(n).id)
	*h.endpoint(n) = endpoint{}
	h.freed = append(h.freed, n)
	h.listed = slices.DeleteFunc(h.listed, func(m uint32) bool { return m == n })
	return nil
}

// WebhookSecrets goes through the secrets of the endpoints, oldest first.
func (w *World) WebhookSecrets(yield func(secret string) bool) {
	h := &w.webhooks
	for _, n := range h.listed {
		if !yield(h.endpoint(n).secret) {
			return
		}
	}
}

// WebhookChanges counts how often the endpoints and their secrets have changed.
func (w *World) WebhookChanges() uint64 { return w.webhooks.changes }

// EnableEndpoint lets an endpoint that answered 410 hear events again. Those
// that it has missed can be resent.
func (w *World) EnableEndpoint(id string) (EndpointView, error) {
	n, err := w.findEndpoint(id)
	if err != nil {
		return EndpointView{}, err
	}
	if err := w.moveEndpoint(n, "enable", "by control call"); err != nil {
		return EndpointView{}, err
	}
	return w.endpointView(w.webhooks.endpoint(n)), nil
}

// RotateSecret gives an endpoint the secret, or draws a new one when it is nil.
// Attempts from now on are signed with it, those of older events too.
func (w *World) RotateSecret(id string, secret *string) (EndpointView, error) {
	n, err := w.findEndpoint(id)
	if err != nil {
		return EndpointView{}, err
	}
	e := w.webhooks.endpoint(n)
	w.webhooks.changes++
	e.secret = w.secret(secret)
	return w.endpointView(e), nil
}

func (w *World) endpointView(e *endpoint) EndpointView {
	v := EndpointView{
		ID: e.id.String(), URL: e.url, Secret: e.secret, Events: []string{}, Profile: e.profile.String(), Next: int(e.left), ForStatus: e.told,
		Status: EndpointMachine.States[e.state], Created: w.timeText(e.created), Pending: int(e.pending),
	}
	for i, name := range w.webhooks.names {
		if e.events&(1<<i) != 0 {
			v.Events = append(v.Events, name)
		}
	}
	return v
}

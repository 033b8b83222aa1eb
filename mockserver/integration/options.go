// Package integration runs one integration: it holds the lock, the virtual
// clock, the world, the tape and the outbox together, and keeps the registry of
// all integrations of a server.
//
// Do is the heart: it takes one input under the lock, lets the world act, puts
// the input and its consequences on the tape, and hands back what has to leave
// the sandbox. Nothing leaves before it is on the tape. The package knows no
// routes, pages or JSON; api, hosted and control call it, never each other.
package integration

import (
	"errors"
	"strings"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration/drawn"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// ClockMode says what moves an integration's clock.
type ClockMode string

// The two clock modes.
const (
	// Real runs with the wall clock; moving it forward adds an offset.
	Real ClockMode = "real"
	// Manual stands still until it is moved.
	Manual ClockMode = "manual"
)

// Options are what one integration is made from. The zero value of each member
// means its default.
type Options struct {
	// Name is for people.
	Name string
	// ID is that of a registry's default integration, where the tape of another one is
	// played; empty is DefaultID. Integrations that are created have ids that are derived.
	ID string
	// Seed decides every id, secret and duration; 0 is a seed like any other.
	Seed uint64
	// Environment is world.Sandbox when empty.
	Environment world.Environment
	// ClientID and ClientSecret are drawn from the seed when empty.
	ClientID, ClientSecret string
	// Clock is Real when empty.
	Clock ClockMode
	// Start is the virtual time at the beginning; zero means the wall clock's
	// time under Real and DefaultStart under Manual.
	Start time.Time
	// Secret is what the secrets of all integrations are drawn from, where the
	// default integration is given one: 32 random bytes of the process. Without it
	// they follow from the seed, which is right where nobody else can call.
	Secret []byte
	// Settings are the choices of the latitude ledger.
	Settings latitude.Settings
	// Strict turns advisory findings into refusals.
	Strict bool
	// StatusKey encrypts what is added to a returnUrl; empty adds nothing.
	StatusKey string
	// WebhookURL is registered as an endpoint from the start; empty registers none.
	WebhookURL string
	// WebhookSecret signs deliveries to endpoints that bring no secret of their
	// own; empty means one derived from the seed.
	WebhookSecret string
	// Tape bounds the tape.
	Tape tape.Limits
	// Budget bounds what the process holds for all integrations together, where the
	// default integration is given one; nil is no bound.
	Budget *budget.Bytes
}

// DefaultStart is where a manual clock stands when nobody says otherwise: a
// Monday morning in the United States, far from any holiday or change of hour.
var DefaultStart = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

func (o *Options) world(secret []byte) world.Config {
	return world.Config{
		Secret: secret, Seed: o.Seed, Environment: o.Environment, Strict: o.Strict, Settings: o.Settings, StatusKey: o.StatusKey,
		WebhookSecret: o.WebhookSecret,
	}
}

// fill puts the defaults in. A client id is no secret: it follows from the id and
// the seed.
func (o *Options) fill(id string, d drawn.Source) {
	if o.ClientID == "" {
		o.ClientID = "client-" + drawn.ID("client-id", id, o.Seed, 0).String()[:8]
	}
	if o.ClientSecret == "" {
		o.ClientSecret = "secret-" + d.ID("client-secret", id, o.Seed).String()
	}
	if o.WebhookSecret == "" {
		o.WebhookSecret = "whsec_" + strings.ReplaceAll(d.ID("webhook-secret", id, o.Seed).String(), "-", "")
	}
	if o.Clock == "" {
		o.Clock = Real
	}
	if o.Environment == "" {
		o.Environment = world.Sandbox
	}
}

// fresh makes the world as it is at the beginning, at a virtual time.
func (o *Options) fresh(now int64, secret []byte) (*world.World, error) {
	w := world.New(o.world(secret))
	w.Advance(now)
	if o.WebhookURL == "" {
		return w, nil
	}
	if _, err := w.Webhooks().Add(delivery.NewEndpoint{URL: o.WebhookURL}); err != nil {
		return nil, err
	}
	return w, nil
}

// limiter is the rate limit that the ledger chooses, in requests a second of virtual
// time: so many at once, and then one in each span of every. The zero value is none.
type limiter struct {
	burst, every int64
	// full is when all of the burst may be asked for again, in nanoseconds since 1970 UTC.
	full int64
}

func (o *Options) limiter() limiter {
	if o.Settings.Is(latitude.RateLimitNone) {
		return limiter{}
	}
	n := int64(o.Settings.Number(latitude.RateLimit))
	return limiter{burst: n, every: int64(time.Second) / n}
}

// allow says whether one more request is admitted, and if not, how many whole seconds
// to wait.
func (l *limiter) allow(now int64) (wait int, ok bool) {
	if l.burst == 0 {
		return 0, true
	}
	early := l.full - now - (l.burst-1)*l.every
	if early <= 0 {
		l.full = max(l.full, now) + l.every
		return 0, true
	}
	return int((early + int64(time.Second) - 1) / int64(time.Second)), false
}

// Options gives what the integration was made from, with its defaults filled in.
func (i *Integration) Options() Options { return *i.opts.Load() }

// Size says how much the integration holds: entries and bytes of its tape, and
// entities of its world.
func (i *Integration) Size() (entries int, bytes int64, entities int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if a := i.asleep; a != nil {
		return a.entries, a.bytes, a.entities
	}
	return i.tape.Len(), i.tape.Bytes(), i.world.Entities()
}

// Settings are the choices of the latitude ledger that the integration runs on.
func (i *Integration) Settings() latitude.Settings { return i.opts.Load().Settings }

// Seed is the seed of the integration's world.
func (i *Integration) Seed() uint64 { return i.opts.Load().Seed }

// createInOrder is create where inputs are ordered. An empty id is drawn; another process
// may have taken it meanwhile: then the next one is tried.
func (r *Registry) createInOrder(id string, o Options, c *content) (made *Integration, err error) {
	for again := true; again; {
		r.mu.RLock()
		in := r.creation(id, o, c)
		r.mu.RUnlock()
		var refused error
		err = r.by.Put(in, func() (effects []string) {
			made, refused = r.Created(in)
			return nil
		})
		if err == nil {
			err = refused
		}
		again = errors.Is(err, errIDTaken) && id == ""
	}
	if err == nil && made.ask(r.by) != nil { // it is made all the same
		go insist(r.ended, func() error { return made.ask(r.by) })
	}
	return made, err
}

// errIDTaken says that an integration with the id has been made meanwhile.
var errIDTaken = errors.New("an integration with this id has been made meanwhile")

// creation is the input that makes an integration; the registry's lock is held.
func (r *Registry) creation(id string, o Options, c *content) *Input {
	if o.Clock == "" {
		o.Clock = Real
	}
	if o.Environment == "" {
		o.Environment = world.Sandbox
	}
	began := newClock(o.Clock, o.Start, r.wall)
	in := &Input{Kind: InputCreate, Integration: id, Created: o, At: began.now(), Offset: began.offset, Turn: r.drawn.Turn + 1}
	for n := 0; id == ""; n++ {
		if in.Integration = drawn.ID("integration", o.Name, o.Seed, n).String(); r.byID[in.Integration] == nil {
			break
		}
	}
	in.Life = r.lives.begin(in.Integration)
	if c != nil {
		in.Offset = c.ahead(r.wall)
		in.Snapshot = closed(kernel.Encode(header(), c))
	}
	return in
}

// Created is Create and Fork as an input, once it is ordered.
func (r *Registry) Created(in *Input) (i *Integration, err error) {
	var c *content
	o := in.Created
	if len(in.Snapshot) > 0 {
		if c, err = decode(in.Snapshot); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.byID[in.Integration] != nil:
		return nil, errIDTaken
	case len(r.order) >= maxKept:
		return nil, ErrTooMany
	case o.ClientID != "" && r.byClient[o.ClientID] != nil:
		return nil, ErrClientIDTaken
	}
	o.Budget = r.budget
	if in.Integration == DefaultID {
		r.drawn.Secret = o.Secret
	}
	if i, _, err = r.add(in.Integration, o, c, in); err != nil {
		return nil, err
	}
	if in.Integration == DefaultID {
		r.main = i
	}
	return i, nil // what was under way is asked for by its next input, in its own shard
}

// MakeDefault makes the default integration of a registry whose order has none yet.
func (r *Registry) MakeDefault(o Options) error {
	_, err := r.createInOrder(DefaultID, o, nil)
	if errors.Is(err, errIDTaken) { // another process was quicker
		return nil
	}
	return err
}

// Sleeping is how many integrations sleep.
func (r *Registry) Sleeping() (n int) {
	for _, i := range r.List() {
		i.mu.Lock()
		if i.asleep != nil {
			n++
		}
		i.mu.Unlock()
	}
	return n
}

// Fork adds an integration that goes on from a snapshot: the same calls get the same
// answers as from the one that it was taken of, but for the id and the credentials,
// which are its own, and what follows from them: access tokens and the addresses of
// pages. Of the options Name, ClientID and ClientSecret count. Errors: those of Create,
// budget.ErrNoRoom.
func (r *Registry) Fork(s *Snapshot, o Options) (*Integration, error) {
	back, err := r.budget.Reserve(reading * int64(len(s.raw)))
	if err != nil {
		return nil, err
	}
	defer back()
	c, err := s.content()
	if err != nil {
		return nil, err
	}
	if !r.budget.Has(s.bytes) {
		return nil, budget.ErrNoRoom
	}
	o.Tape = r.main.opts.Load().Tape
	return r.create(c.opts.owned(&o), c)
}

// Allow says whether the rate limit admits one more request now, and if not,
// how many whole seconds of virtual time to wait. Call it inside Do.
func (i *Integration) Allow(now time.Time) (wait int, ok bool) {
	return i.limiter.allow(now.UnixNano())
}

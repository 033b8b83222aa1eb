package integration

import (
	"cmp"
	"errors"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration/access"
	"paysandbox/mockserver/integration/clock"
	"paysandbox/mockserver/integration/drawn"
	"paysandbox/mockserver/integration/stranger"
	"paysandbox/mockserver/tape"
)

// How many integrations there are at most: in memory, and where inputs are kept.
const (
	maxIntegrations = 10_000
	maxKept         = 200_000
)

// Errors of Create and Delete.
var (
	// ErrClientIDTaken says that another integration has the client id.
	ErrClientIDTaken = errors.New("another integration has this client id")
	// ErrTooMany says that the registry is full.
	ErrTooMany = errors.New("there are too many integrations; delete some first")
	// ErrDefault says that the default integration cannot be deleted.
	ErrDefault = errors.New("the default integration cannot be deleted; reset it instead")
)

// Registry holds all integrations of a server. It is safe for concurrent use.
type Registry struct {
	wall    func() time.Time
	carrier Carrier
	tokens  tokenCache
	budget  *budget.Bytes
	// strangers are the calls that found no room on an owner's tape.
	strangers *stranger.Calls

	main *Integration // the default one, which lives as long as the registry

	mu       sync.RWMutex
	drawn    drawn.Source
	lives    access.Lives
	byID     map[string]*Integration
	byClient map[string]*Integration
	order    []*Integration

	// by is where inputs are ordered before they are applied, or nil; shelf is where
	// those are kept that sleep, or nil.
	by    Order
	shelf Shelf
	begun bool
	ended chan struct{} // closed with the registry
	end   sync.Once
}

// OpenRegistry makes a registry whose inputs are ordered before they are applied. It is
// empty until the order has made the default integration. A nil shelf lets nobody sleep.
func OpenRegistry(by Order, shelf Shelf, wall func() time.Time, carrier Carrier, b *budget.Bytes) *Registry {
	r := &Registry{
		wall: clock.Steady(wall), carrier: carrier, tokens: tokenCache{seed: maphash.MakeSeed()}, budget: b, strangers: stranger.NewCalls(),
		byID: map[string]*Integration{}, byClient: map[string]*Integration{}, by: by, shelf: shelf,
		ended: make(chan struct{}),
	}
	return r
}

// NewRegistry makes a registry with its default integration. wall is the wall
// clock; carrier carries out what leaves the sandbox (nil: nothing leaves).
// A webhook address that cannot be used is an error.
func NewRegistry(o Options, wall func() time.Time, carrier Carrier) (*Registry, error) {
	r := &Registry{
		wall: clock.Steady(wall), carrier: carrier, tokens: tokenCache{seed: maphash.MakeSeed()}, drawn: drawn.Source{Secret: o.Secret}, budget: o.Budget, strangers: stranger.NewCalls(),
		byID: map[string]*Integration{}, byClient: map[string]*Integration{}, ended: make(chan struct{}),
	}
	var err error
	r.main, _, err = r.add(cmp.Or(o.ID, DefaultID), o, nil, nil)
	return r, err
}

// Budget is what all integrations draw from; nil without a bound, and of no registry.
func (r *Registry) Budget() *budget.Bytes {
	if r == nil {
		return nil
	}
	return r.budget
}

// Strangers are the last calls of nobody that are on no integration's tape.
func (r *Registry) Strangers() *stranger.Calls { return r.strangers }

// Default gives the integration that every server has.
func (r *Registry) Default() *Integration { return r.main }

// Get gives the integration with the id, or nil.
func (r *Registry) Get(id string) *Integration {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byID[id]
}

// Client gives the integration with the client id, or nil.
func (r *Registry) Client(clientID string) *Integration {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byClient[clientID]
}

// List gives all integrations, oldest first.
func (r *Registry) List() []*Integration {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.order)
}

// Find is Get for who was given an id: another process may have made the integration
// just now. It must not be called while an input is applied.
func (r *Registry) Find(id string) *Integration {
	i := r.Get(id)
	if i == nil && r.by != nil && r.by.Shared() {
		r.by.Current("")
		i = r.Get(id)
	}
	return i
}

// FindClient is Client, likewise.
func (r *Registry) FindClient(clientID string) *Integration {
	i := r.Client(clientID)
	if i == nil && r.by != nil && r.by.Shared() {
		r.by.Current("")
		i = r.Client(clientID)
	}
	return i
}

// Create adds a fresh integration. Its id follows from its name and seed, so
// that the same calls give the same ids.
func (r *Registry) Create(o Options) (*Integration, error) { return r.create("", o, nil) }

// create makes a fresh integration, or one that goes on from what was read. An empty id
// is drawn; one that is taken is errIDTaken.
func (r *Registry) create(id string, o Options, c *content) (*Integration, error) {
	if r.by != nil {
		return r.createInOrder(id, o, c)
	}
	r.mu.Lock()
	i, b, err := r.named(id, o, c)
	r.mu.Unlock()
	if err == nil {
		i.Send(b)
	}
	return i, err
}

// named makes an integration with the id, or a drawn one; the registry's lock is held.
func (r *Registry) named(id string, o Options, c *content) (*Integration, Batch, error) {
	if len(r.order) >= maxIntegrations {
		return nil, Batch{}, ErrTooMany
	}
	if o.ClientID != "" && r.byClient[o.ClientID] != nil {
		return nil, Batch{}, ErrClientIDTaken
	}
	if id == "" {
		id = r.free(&o)
	}
	if r.byID[id] != nil {
		return nil, Batch{}, errIDTaken
	}
	return r.add(id, o, c, nil)
}

// free draws an id that nobody has; the registry's lock is held.
func (r *Registry) free(o *Options) string {
	for n := 0; ; n++ {
		if id := drawn.ID("integration", o.Name, o.Seed, n).String(); r.byID[id] == nil {
			return id
		}
	}
}

// add makes the integration, fresh or as it was read. The registry's lock is held, or
// nobody else knows the registry yet.
func (r *Registry) add(id string, o Options, c *content, in *Input) (i *Integration, b Batch, err error) {
	i = r.bare(id, o, in)
	if c == nil {
		if i.world, err = i.opts.Load().fresh(i.began, i.drawn.Key(worldSecret(i.life()), id)); err != nil {
			return nil, Batch{}, err
		}
		i.keepFiles()
	}
	i.tape = tape.New(tape.Limits{Entries: o.Tape.Entries, Bytes: o.Tape.Bytes, Budget: r.budget.ForTape()})
	switch {
	case c == nil && in != nil:
		i.flush() // what has made it is in its log already
	case c != nil:
		if b = i.become(c); in != nil {
			i.clock.GoOn(in.Offset)
			i.arm()
		}
	}
	r.enter(i)
	return i, b, nil
}

// bare is an integration without a world and a tape.
func (r *Registry) bare(id string, o Options, in *Input) *Integration {
	r.drawn.Turn++
	life := r.lives.Begin(id)
	if in != nil {
		r.drawn.Turn, life = in.Turn, in.Life
	}
	o.fill(id, r.drawn)
	i := &Integration{
		ID: id, drawn: r.drawn, budget: r.budget, strangers: r.strangers, carrier: r.carrier,
		clock: clock.New(o.Clock, o.Start, r.wall), limiter: o.limit(), ended: r.ended, scratch: &scratch{},
	}
	i.start(in)
	if r.by != nil {
		i.ordered.by.Store(&r.by)
		i.held = !r.begun
	}
	i.opts.Store(&o)
	i.keys.Store(o.keys(id, life))
	return i
}

// enter lets others find the integration.
func (r *Registry) enter(i *Integration) {
	r.byID[i.ID], r.byClient[i.opts.Load().ClientID] = i, i
	r.order = append(r.order, i)
}

// Delete removes an integration with all that it owns. An unknown id is
// reported as false.
func (r *Registry) Delete(id string) (bool, error) {
	if id == DefaultID {
		return false, ErrDefault
	}
	if r.by == nil {
		return r.Deleted(id), nil
	}
	deleted := false
	err := r.by.Put(&Input{Kind: InputDelete, Integration: id}, func() []string {
		deleted = r.Deleted(id)
		return nil
	})
	return deleted, err
}

// Deleted is Delete as an input, once it is ordered.
func (r *Registry) Deleted(id string) bool {
	defer r.budget.Release()
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.byID[id]
	if i == nil {
		return false
	}
	delete(r.byID, id)
	delete(r.byClient, i.opts.Load().ClientID)
	r.order = slices.DeleteFunc(r.order, func(x *Integration) bool { return x == i })
	r.tokens.forget()
	r.lives.End(id, i.life())
	i.Close()
	i.forget()
	return true
}

// Close stops every integration, for good.
func (r *Registry) Close() {
	r.end.Do(func() { close(r.ended) })
	for _, i := range r.List() {
		i.Close()
	}
}

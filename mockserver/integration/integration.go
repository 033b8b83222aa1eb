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
	"encoding/binary"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/filestore"
	"paysandbox/mockserver/integration/access"
	"paysandbox/mockserver/integration/clock"
	"paysandbox/mockserver/integration/drawn"
	"paysandbox/mockserver/integration/outbox"
	"paysandbox/mockserver/integration/rate"
	"paysandbox/mockserver/integration/stranger"
	"paysandbox/mockserver/integration/weight"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// ClockMode says what moves an integration's clock.
type ClockMode = clock.Mode

// The two clock modes.
const (
	// Real runs with the wall clock; moving it forward adds an offset.
	Real = clock.Real
	// Manual stands still until it is moved.
	Manual = clock.Manual
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

// DefaultStart is where a manual clock stands when nobody says otherwise.
var DefaultStart = clock.DefaultStart

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
		o.WebhookSecret = webhookSecret(id, o.Seed, d)
	}
	if o.Clock == "" {
		o.Clock = Real
	}
	if o.Environment == "" {
		o.Environment = world.Sandbox
	}
}

// keys are the secrets of one life of an integration with the id.
func (o *Options) keys(id string, life uint64) *access.Keys {
	return access.NewKeys(id, o.ClientID, o.ClientSecret, life)
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

// limit is the rate limit that the ledger chooses, in requests a second of virtual time.
func (o *Options) limit() rate.Limit {
	if o.Settings.Is(latitude.RateLimitNone) {
		return rate.Limit{}
	}
	return rate.PerSecond(int64(o.Settings.Number(latitude.RateLimit)))
}

// DefaultID is the id of the integration that every server has.
const DefaultID = "default"

// Integration is one pair of client credentials and all that it owns. It is
// safe for concurrent use.
type Integration struct {
	// ID is the integration's permanent id, or "default".
	ID   string
	opts atomic.Pointer[Options]
	keys atomic.Pointer[access.Keys]
	// post is what is under way; settling is held by the one who takes in what has come
	// back under a manual clock: two at once would take it in out of order.
	post     outbox.Box
	carrier  Carrier
	settling sync.Mutex
	drawn    drawn.Source
	// budget and strangers are shared with the other integrations.
	budget    *budget.Bytes
	strangers *stranger.Calls
	// files are those of the world that are on the disk.
	files *filestore.Holder

	saved  saved
	moving sync.Mutex // held while the clock is being moved

	mu      sync.Mutex
	world   *world.World
	weight  weight.Weight
	guests  stranger.Guests
	tape    *tape.Memory
	clock   clock.Clock
	alarm   clock.Alarm
	changed chan struct{}
	news    bool // something was put on the tape since the readers were told
	began   int64
	epoch   uint64
	closed  bool
	gone    bool            // it was deleted
	ended   <-chan struct{} // closed when the registry ends
	held    bool
	limiter rate.Limit
	scratch *scratch // nil while it sleeps
	ordered ordered
	asleep  *asleep // nil while it is awake
	past    past    // what was there before this process went on with it
	idle    uint8   // how often nobody had asked since Doze looked last
	lost    error   // why it cannot wake
	astray  *asleep // what it cannot wake from
	secrets secrets
	faults  fault.Set
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

// Life tells the present life from those before a reset.
func (i *Integration) Life() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.epoch
}

// Seq is the number of the newest entry.
func (i *Integration) Seq() uint64 {
	i.lock()
	defer i.mu.Unlock()
	return i.world.Seq()
}

// Outside says whether others than the owner can call: secrets are drawn from one of
// the process then.
func (i *Integration) Outside() bool { return len(i.drawn.Secret) > 0 }

// Trace tells a call from all others: by seed and number, or where others than the owner
// can call by nothing that they could read.
func (i *Integration) Trace(seq uint64) (id [16]byte) {
	if i.Outside() {
		copy(id[:], i.drawn.Key("trace\x00"+strconv.FormatUint(seq, 10), i.ID))
		return id
	}
	binary.BigEndian.PutUint64(id[:8], i.Seed())
	binary.BigEndian.PutUint64(id[8:], seq)
	return id
}

// Faults gives the armed faults of the integration. Calls inside Do alone come
// in the order of the tape: arm, match and remove there, so that a replay finds
// the same faults. Reset takes them all out.
func (i *Integration) Faults() *fault.Set { return &i.faults }

// Close stops the integration's alarm. What is due later is dropped with the
// integration.
func (i *Integration) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	i.alarm.Stop()
	i.tell()
}

// Hold keeps the integration from doing anything by itself while a tape is
// played into it: time stands still but for what is fed. Release ends that.
func (i *Integration) Hold() { i.hold(true) }

// Release lets the integration act by itself again.
func (i *Integration) Release() {
	for _, name := range i.hold(false) {
		i.Carry(name)
	}
}

func (i *Integration) hold(held bool) (deferred []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.held = held
	i.arm()
	return i.ordered.book.Deferred()
}

// tell wakes who waits for news, or for an end; the lock is held.
func (i *Integration) tell() {
	if i.changed != nil {
		close(i.changed)
		i.changed = nil
	}
}

// Allow says whether the rate limit admits one more request now, and if not,
// how many whole seconds of virtual time to wait. Call it inside Do.
func (i *Integration) Allow(now time.Time) (wait int, ok bool) {
	return i.limiter.Allow(now.UnixNano())
}

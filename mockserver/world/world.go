package world

import (
	"time"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// Environment chooses the rules by which businesses are verified.
type Environment string

// The two environments of a sandbox.
const (
	// Sandbox verifies every company at once, as the specification says.
	Sandbox Environment = "sandbox"
	// Rehearsal has production's rules with simulated people and time.
	Rehearsal Environment = "rehearsal"
)

// Config is what a world is made from; it never changes afterwards.
type Config struct {
	// Seed decides every id, mask and duration.
	Seed uint64
	// Secret decides what nobody may guess: secrets and codes of links. Empty: the
	// seed does, which is right where nobody else can call.
	Secret []byte
	// Environment is Sandbox when empty.
	Environment Environment
	// Strict turns advisory findings into refusals.
	Strict bool
	// Settings are the choices where the specification is silent.
	Settings latitude.Settings
	// StatusKey encrypts what is added to a returnUrl; empty adds nothing.
	StatusKey string
	// WebhookSecret signs deliveries to endpoints that bring no secret of their
	// own; empty draws one for each.
	WebhookSecret string
}

// World is everything that one integration owns. The zero value is not usable;
// New makes one. It is not safe for concurrent use.
type World struct {
	cfg  Config
	core kernel.Core
	base string

	body []byte // scratch for events

	texts  kernel.Arena
	tokens tokens
	hooks  *delivery.Ledger
	tables
}

// tables are those of a world; each is declared beside its resource.
type tables struct {
	companies   companies
	locations   kernel.Table[location]
	payers      payers
	cards       cards
	payments    payments
	refunds     refunds
	attachments attachments
	terminal    kernel.Table[cardPayment]
	plans       plans
	consents    consents
	keys        keys
}

// New makes an empty world.
func New(cfg Config) *World {
	if cfg.Environment == "" {
		cfg.Environment = Sandbox
	}
	core := kernel.NewCore(kernel.CoreConfig{Seed: cfg.Seed, Secret: cfg.Secret, Strict: cfg.Strict, TimerNames: timerNames[:]})
	w := &World{cfg: cfg, core: core}
	w.hooks = delivery.New(delivery.Config{
		Core: &w.core, Timer: timerDelivery, Settings: cfg.Settings, Events: EventNames(), Statuses: eventStatuses(),
		Secret: cfg.WebhookSecret, TimeLayout: w.timeLayout(),
	})
	return w
}

// Config gives what the world was made from.
func (w *World) Config() Config { return w.cfg }

// Reseal lets all that is drawn from now on follow from a secret; an empty one changes
// nothing.
func (w *World) Reseal(secret []byte) { w.core.Reseal(w.cfg.Seed, secret) }

// Webhooks are the endpoints that hear of what happens here, and what is on its
// way to them.
func (w *World) Webhooks() *delivery.Ledger { return w.hooks }

// Now is the virtual time of the input or timer in hand, in UTC.
func (w *World) Now() time.Time { return time.Unix(0, w.core.Now()).UTC() }

// Input is what the outside tells the world before it is asked anything.
type Input struct {
	// Now is the virtual time in nanoseconds since 1970 UTC; it never goes back.
	Now int64
	// Base is the address that the caller used to reach the sandbox's pages,
	// without a slash at the end, for example "http://127.0.0.1:8484/pages/default".
	// Empty keeps the last one.
	Base string
	// Digest tells the input from others: what it makes follows from it.
	Digest kernel.Digest
}

// Begin takes the next input: timers that are due fire first, then the input
// gets its number on the tape, which is the cause of all that follows.
func (w *World) Begin(in Input) uint64 {
	w.Advance(in.Now)
	if in.Base != "" {
		w.base = in.Base
	}
	return w.core.Begin(in.Digest)
}

// Advance fires every timer that is due up to a virtual time, in order, each at
// its own due time, and then makes that time the present. A time that lies
// behind changes nothing.
func (w *World) Advance(to int64) { w.core.Advance(to, w.fire) }

// FireNext fires the one timer that is next. A timer whose reason has gone
// (the payment was cancelled, say) leaves no trace.
func (w *World) FireNext() { w.core.FireNext(w.fire) }

// NextDue is when the next timer fires, in nanoseconds since 1970 UTC; false
// when none is set.
func (w *World) NextDue() (int64, bool) { return w.core.NextDue() }

// PendingTimers is how many timers are set.
func (w *World) PendingTimers() int { return w.core.PendingTimers() }

// Take hands over what has happened since the last call. Both slices are valid
// until the next input.
func (w *World) Take() ([]kernel.Record, []kernel.Effect) { return w.core.Take() }

// Seq is the number of the newest entry that this world has given out.
func (w *World) Seq() uint64 { return w.core.Seq() }

// Advise warns of what the input in hand holds and what refuses nobody.
func (w *World) Advise(findings ...kernel.Finding) { w.core.Advise(findings...) }

// KeepFindings puts the findings of a refused input on the tape, for answers that do
// not tell them.
func (w *World) KeepFindings(findings []kernel.Finding) {
	w.core.Record(kernel.Record{Kind: kernel.RecordFindings, Findings: findings})
}

// Advisories are the findings of the input in hand that did not refuse it. The
// slice is valid until the next input.
func (w *World) Advisories() []kernel.Finding { return w.core.Advisories() }

package world

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

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
	cfg   Config
	rng   *rand.ChaCha8
	now   int64
	base  string
	seq   uint64
	cause uint64

	noted    []kernel.Finding
	advisory []kernel.Finding
	records  []Record
	effects  []Effect
	body     []byte

	timers timers
	texts  arena
	tokens tokens
	ledger
}

// ledger groups the tables of a world; each is declared beside its resource.
type ledger struct {
	companies   companies
	locations   table[location]
	payers      payers
	cards       cards
	payments    payments
	refunds     refunds
	attachments attachments
	terminal    table[cardPayment]
	plans       plans
	consents    consents
	keys        keys
	webhooks    webhooks
}

// New makes an empty world.
func New(cfg Config) *World {
	if cfg.Environment == "" {
		cfg.Environment = Sandbox
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], cfg.Seed)
	return &World{cfg: cfg, rng: rand.NewChaCha8(seed)}
}

// Config gives what the world was made from.
func (w *World) Config() Config { return w.cfg }

// Now is the virtual time of the input or timer in hand, in UTC.
func (w *World) Now() time.Time { return time.Unix(0, w.now).UTC() }

// Input is what the outside tells the world before it is asked anything.
type Input struct {
	// Now is the virtual time in nanoseconds since 1970 UTC; it never goes back.
	Now int64
	// Base is the address that the caller used to reach the sandbox's pages,
	// without a slash at the end, for example "http://127.0.0.1:8484/pages/default".
	// Empty keeps the last one.
	Base string
	// Findings are the problems that reading the request has shown already.
	Findings []kernel.Finding
}

// Begin takes the next input: timers that are due fire first, then the input
// gets its number on the tape, which is the cause of all that follows.
func (w *World) Begin(in Input) uint64 {
	w.Advance(in.Now)
	w.seq++
	w.cause = w.seq
	if in.Base != "" {
		w.base = in.Base
	}
	w.noted = in.Findings
	w.advisory = w.advisory[:0]
	return w.seq
}

// Seq is the number of the newest entry that this world has given out.
func (w *World) Seq() uint64 { return w.seq }

// Advisories are the findings of the input in hand that did not refuse it. The
// slice is valid until the next input.
func (w *World) Advisories() []kernel.Finding { return w.advisory }

// newID draws the next id from the seed.
func (w *World) newID() uuid.UUID {
	id, err := uuid.NewRandomFromReader(w.rng)
	if err != nil {
		panic("world: the seeded source cannot fail: " + err.Error())
	}
	return id
}

// draw gives a whole number from 0 to n-1 from the seed.
func (w *World) draw(n uint64) uint64 { return w.rng.Uint64() % n }

// RandomID draws an id for what lives outside the world but must follow its
// seed: token ids and link codes.
func (w *World) RandomID() uuid.UUID { return w.newID() }

// Entities is how many things the world keeps.
func (w *World) Entities() int {
	return int(w.companies.n + w.locations.n + w.payers.n + w.cards.n + w.payments.n + w.refunds.n +
		w.terminal.n + w.plans.n + w.consents.n)
}

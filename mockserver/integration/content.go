package integration

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration/drawn"
	"paysandbox/mockserver/integration/envelope"
	"paysandbox/mockserver/integration/outbox"
	"paysandbox/mockserver/integration/rate"
	"paysandbox/mockserver/integration/stranger"
	"paysandbox/mockserver/integration/weight"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// content is everything that is kept of an integration. What belongs to the process
// alone is not: locks, callers who wait, the secret that secrets are drawn from.
type content struct {
	identity
	moment
	state
}

// Pack lists what is kept.
func (c *content) Pack(k *kernel.Codec) {
	c.identity.Pack(k)
	c.moment.Pack(k)
	if k.Reading() {
		if !k.Sound() {
			return
		}
		c.state = newState(&c.opts)
	}
	c.state.Pack(k)
}

func (c *content) about() About {
	return About{
		Of: c.id, Name: c.opts.Name, Options: c.opts, Now: time.Unix(0, c.now).UTC(), Seq: c.world.Seq(),
		Entities: c.world.Entities(), Entries: c.tape.Len(), bytes: c.tape.Bytes() + c.weight.Bytes,
	}
}

// ahead is how far a real clock is ahead of the wall that is to go on from what was
// read: whoever applies the input goes by the clock of who has taken it.
func (c *content) ahead(wall func() time.Time) int64 {
	if c.opts.Clock != Real {
		return 0
	}
	return c.now - wall().UnixNano()
}

// writeTo writes the bytes of a snapshot piece by piece.
func (c *content) writeTo(sink func(piece []byte)) {
	envelope.WriteTo(sink, func(sink func(piece []byte)) { kernel.EncodeTo(c, sink) })
}

// content is what is kept; the lock is held.
func (i *Integration) content() *content {
	i.known()
	files, _ := i.world.FileBytes()
	weight := i.weight
	weight.Bytes = weight.Of(i.world, files) // wherever they are kept
	return &content{
		identity: i.identity(), moment: i.moment(),
		state: state{
			world: i.world, faults: &i.faults, limiter: i.limiter, secrets: i.secrets, guests: i.guests, weight: weight, tape: i.tape,
			jobs: i.underWay(),
		},
	}
}

// StandIn is the id under which a world is made that whoever forks it shall have as if it
// had been made under its own id, by its own secrets. It is as long as any.
const StandIn = "57a4d1e0-0000-4000-8000-57a4d1e00000"

// standInSecret is the webhook secret there, unless one was chosen.
var standInSecret = "whsec_" + strings.ReplaceAll(StandIn, "-", "")

// under is what the snapshot holds, under the id where it was made under a stand-in.
func (s *Snapshot) under(id string, d drawn.Source) (*content, error) {
	if s.Of != StandIn {
		return s.content()
	}
	own := *s
	own.raw = bytes.ReplaceAll(s.raw[:len(s.raw)-sha256.Size], []byte(StandIn), []byte(id))
	own.raw = envelope.Close(bytes.ReplaceAll(own.raw, []byte(standInSecret), []byte(webhookSecret(id, s.Options.Seed, d))))
	c, err := own.content()
	if err == nil {
		c.world.Reseal(d.Key(worldSecret(1), id))
	}
	return c, err
}

// webhookSecret is the one of who has chosen none.
func webhookSecret(id string, seed uint64, d drawn.Source) string {
	if id == StandIn {
		return standInSecret
	}
	return "whsec_" + strings.ReplaceAll(d.ID("webhook-secret", id, seed).String(), "-", "")
}

// base is the prefix of the links that the call is given.
func (c *Call) base() string {
	if c.As == "" || c.Base == "" {
		return c.Base
	}
	return c.Base[:strings.LastIndexByte(c.Base, '/')+1] + c.As
}

// identity is who an integration is and what it was made from.
type identity struct {
	id   string
	opts Options
	// life and turn are its secrets' (see lives and drawn.Source).
	life, turn uint64
}

// Pack lists the fields of an identity.
func (d *identity) Pack(k *kernel.Codec) {
	o := &d.opts
	k.Strs(&d.id, &o.Name, (*string)(&o.Environment), &o.ClientID, &o.ClientSecret, (*string)(&o.Clock),
		&o.StatusKey, &o.WebhookURL, &o.WebhookSecret)
	k.Num(&o.Seed)
	k.Bools(&o.Strict)
	packTime(k, &o.Start)
	settings := o.Settings.String()
	k.Str(&settings)
	if err := o.Settings.UnmarshalText([]byte(settings)); err != nil && k.Reading() {
		k.Refuse("choices of the latitude ledger", err.Error())
	}
	k.Int(&o.Tape.Entries)
	k.Ints(&o.Tape.Bytes)
	k.Num(&d.life)
	k.Num(&d.turn)
	k.Require((o.Clock == Real || o.Clock == Manual) && (o.Environment == world.Sandbox || o.Environment == world.Rehearsal), "a clock and an environment that there are")
}

// packTime writes or reads a moment, or none.
func packTime(k *kernel.Codec, t *time.Time) {
	set, at := !t.IsZero(), t.UnixNano()
	k.Bools(&set)
	if !set {
		*t = time.Time{}
		return
	}
	k.Ints(&at)
	*t = time.Unix(0, at).UTC()
}

func (i *Integration) identity() identity {
	return identity{id: i.ID, opts: *i.opts.Load(), life: i.life(), turn: i.drawn.Turn}
}

// moment is where the clock stands: now is virtual time, and offset how far a real
// clock was ahead of the wall.
type moment struct{ now, offset, began int64 }

// Pack lists the fields of a moment.
func (m *moment) Pack(k *kernel.Codec) { k.Ints(&m.now, &m.offset, &m.began) }

func (i *Integration) moment() moment {
	return moment{now: i.clock.Now(), offset: i.clock.Offset, began: i.began}
}

// state is what the same inputs bring about again, and how full it is.
type state struct {
	world   *world.World
	faults  *fault.Set
	limiter rate.Limit
	secrets secrets
	guests  stranger.Guests
	weight  weight.Weight
	tape    *tape.Memory
	jobs    []*outbox.Job
}

// newState is an empty one, to be read into.
func newState(o *Options) state {
	return state{world: world.New(o.world(nil)), faults: &fault.Set{}, tape: tape.New(o.Tape)}
}

// Pack lists the fields of a state.
func (s *state) Pack(k *kernel.Codec) {
	s.packWorld(k)
	s.secrets.Pack(k)
	if k.Reading() {
		s.secrets.of, s.secrets.state = s.world, s.world.Webhooks().Changes()-1 // gathered anew, with its own
	}
	s.guests.Pack(k)
	s.weight.Pack(k)
	kernel.PackEach(k, &s.jobs, 1, func(j **outbox.Job) {
		if k.Reading() {
			*j = &outbox.Job{}
		}
		(*j).Pack(k)
	})
	if !k.Reading() {
		k.Long(s.tape.Written(), s.tape.WriteTo)
		return
	}
	if written := k.View(); k.Sound() {
		if err := s.tape.Load(written); err != nil {
			k.Refuse("the entries of a tape", err.Error())
		}
	}
}

// packWorld lists what all who have applied the same inputs agree on.
func (s *state) packWorld(k *kernel.Codec) {
	s.world.Pack(k)
	s.faults.Pack(k)
	s.limiter.Pack(k)
}

// agreed is the part of a state that Hash looks at.
type agreed struct{ *state }

// Pack lists it.
func (a agreed) Pack(k *kernel.Codec) { a.packWorld(k) }

// Hash tells states apart that the same inputs should have made the same. What is
// dropped from the tape, the clock and the identity do not count.
func (i *Integration) Hash() [sha256.Size]byte {
	sum, _ := i.Stands()
	return sum
}

// Stands is Hash, and the number of the life that it is of.
func (i *Integration) Stands() (sum [sha256.Size]byte, life uint64) {
	i.lock()
	defer i.mu.Unlock()
	c, h := i.content(), sha256.New()
	kernel.EncodeTo(agreed{&c.state}, func(piece []byte) { _, _ = h.Write(piece) })
	return [sha256.Size]byte(h.Sum(nil)), i.life()
}

// jobsOf are effects that are owed, as a snapshot holds them; the lock is held.
func (i *Integration) jobsOf(effects []kernel.Effect) (jobs []*outbox.Job) {
	for _, e := range effects {
		if j := (&outbox.Job{Effect: e}); i.sees(j) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// underWay are the effects whose results have not been taken in; the lock is held.
func (i *Integration) underWay() []*outbox.Job {
	if i.order() != nil {
		return i.jobsOf(i.ordered.book.Open())
	}
	return i.post.UnderWay()
}

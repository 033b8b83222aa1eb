package integration

import (
	"strconv"
	"strings"

	"paysandbox/mockserver/integration/strike"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// An integration has several lives: one ends when it is reset or deleted, and
// with it die its access tokens. The same integration made again, even by the
// same calls, is another life.

// maxFormer bounds how many deleted integrations are remembered. When there are
// more, they are forgotten, and all lives that begin from then on are counted from
// a number that none has had.
const maxFormer = 1 << 16

// lives counts the lives of the integrations that have been deleted.
type lives struct {
	former map[string]uint64
	first  uint64
}

// begin is the number of the life that an integration begins, 0 for its first.
func (l *lives) begin(id string) uint64 {
	if last, ok := l.former[id]; ok {
		return last + 1
	}
	return l.first
}

// end notes the last life of an integration.
func (l *lives) end(id string, life uint64) {
	if len(l.former) >= maxFormer {
		l.former = nil
		l.first += 1 << 32
	}
	if l.former == nil {
		l.former = map[string]uint64{}
	}
	l.former[id] = life
}

// life is the number of the integration's present life.
func (i *Integration) life() uint64 { return i.keys.Load().life }

// worldSecret is what a world's secret is for: links of one life are no links of the
// next.
func worldSecret(life uint64) string { return "world\x00" + strconv.FormatUint(life, 10) }

// Twin is an integration like this one in its present life, as it was when that
// began: a tape of this life can be played into it. It stands in no registry, draws
// from no budget, its clock stands, and nothing leaves it. The number tells the
// lives apart.
func (i *Integration) Twin() (*Integration, uint64, error) {
	i.lock()
	defer i.mu.Unlock()
	o, life := *i.opts.Load(), i.life()
	o.Budget = nil
	w, err := o.fresh(i.began, i.drawn.Key(worldSecret(life), i.ID))
	if err != nil {
		return nil, 0, err
	}
	t := &Integration{
		ID: i.ID, drawn: i.drawn, strangers: newStrangers(), world: w, began: i.began, held: true,
		tape: tape.New(tape.Limits{Entries: o.Tape.Entries, Bytes: o.Tape.Bytes}), limiter: o.limiter(), scratch: &scratch{},
		clock: clock{mode: Manual, still: i.began},
	}
	t.keys.Store(newKeys(i.ID, &o, life))
	o.Clock = Manual
	t.opts.Store(&o)
	return t, i.epoch, nil
}

// Copy is a twin of the integration as it is now.
func (i *Integration) Copy() (*Integration, error) { return i.Return(i.Stop()) }

// Stop is an integration as it stood at an entry, without its tape. It never changes.
type Stop struct {
	raw []byte
	seq uint64
}

// Seq is the number of the newest entry there; Size is what the stop takes, in bytes.
func (s *Stop) Seq() uint64 { return s.seq }

// Size is what it takes, in bytes.
func (s *Stop) Size() int64 { return int64(len(s.raw)) }

// Stop keeps the integration as it is now.
func (i *Integration) Stop() *Stop {
	i.lock()
	defer i.mu.Unlock()
	c := i.content()
	c.tape = tape.New(c.opts.Tape)
	return &Stop{kernel.Encode(nil, c), c.world.Seq()}
}

// Return is a twin that stands at a stop of this integration, or of a twin of it in the
// same life: both have the same tape up to there.
func (i *Integration) Return(s *Stop) (*Integration, error) {
	t, _, err := i.Twin()
	if err != nil {
		return nil, err
	}
	c := &content{}
	if err := kernel.Decode(s.raw, c); err != nil {
		return nil, err
	}
	i.lock()
	c.tape = i.tape.Until(s.seq, c.opts.Tape)
	i.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.become(c)
	return t, nil
}

// Revive brings back an integration as it was when the snapshot was taken: with its
// id, its credentials and its access tokens. One that has the id becomes it. A manual
// clock stands where it stood, a real one has gone on meanwhile: what fell due fires.
func (r *Registry) Revive(s *Snapshot) (*Integration, error) {
	c, err := s.content()
	if err != nil {
		return nil, err
	}
	c.now = max(c.now, r.wall().UnixNano()+c.offset)
	if c.opts.Clock == Manual {
		c.now = s.Now.UnixNano()
	}
	r.mu.Lock()
	i, b, err := r.revive(c)
	r.mu.Unlock()
	if err == nil {
		i.Send(b)
	}
	return i, err
}

// revive is Revive under the registry's lock.
func (r *Registry) revive(c *content) (*Integration, Batch, error) {
	if other := r.byClient[c.opts.ClientID]; other != nil && other.ID != c.id {
		return nil, Batch{}, ErrClientIDTaken
	}
	i, turn := r.byID[c.id], r.drawn.Turn
	if i == nil {
		r.lives.end(c.id, c.life-1)
		r.drawn.Turn = c.turn - 1
		defer func() { r.drawn.Turn = max(turn, c.turn) }()
		return r.add(c.id, c.opts, c, nil)
	}
	delete(r.byClient, i.opts.Load().ClientID)
	r.byClient[c.opts.ClientID] = i
	return i, i.revive(c), nil
}

// revive gives an integration back its credentials and its life.
func (i *Integration) revive(c *content) Batch {
	i.lock()
	defer i.mu.Unlock()
	o, own := c.opts, i.opts.Load()
	o.Secret, o.Budget, i.drawn.Turn = own.Secret, own.Budget, c.turn
	i.opts.Store(&o)
	i.keys.Store(newKeys(i.ID, &o, c.life))
	return i.become(c)
}

// replace empties the integration and gives it the identity of a fresh one, for what others
// have made of it meanwhile.
func (i *Integration) replace(fresh *Integration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.post.drop(i.ID)
	i.empty()
	i.saved.clear(i.budget)
	i.ordered.book.Void()
	i.drawn.Turn, i.clock, i.began, i.lost = fresh.drawn.Turn, fresh.clock, fresh.began, nil
	i.opts.Store(fresh.opts.Load())
	i.keys.Store(fresh.keys.Load())
	i.epoch, i.held, i.wakeAt, i.scratch = i.epoch+1, true, 0, &scratch{}
	i.tell()
}

// tell wakes who waits for news, or for an end; the lock is held.
func (i *Integration) tell() {
	if i.changed != nil {
		close(i.changed)
		i.changed = nil
	}
}

// goOnFrom makes the integration what was read, under its own name and credentials. A
// token that was revoked does not come back: it may have been stolen. The lock is held.
func (i *Integration) goOnFrom(c *content) Batch {
	o := c.opts.owned(i.opts.Load())
	i.opts.Store(&o)
	c.world.KeepRevoked(i.world, c.id == i.ID)
	c.faults.KeepRevoked(&i.faults)
	return i.become(c)
}

// tokenHead begins each access token of the sandbox.
const tokenHead = jwtHeader + "."

// anew puts an empty world in the place of what there is, and forgets whose secrets it
// had, so that nothing holds it any more.
func (i *Integration) anew(life uint64) {
	fresh, err := i.opts.Load().fresh(i.began, i.drawn.Key(worldSecret(life), i.ID))
	if err != nil {
		return // it was made once from the same options
	}
	i.world, i.secrets = fresh, secrets{}
	i.keepFiles()
}

// secrets are the words that are looked for in every entry, gathered anew when the
// webhook endpoints have changed. A secret that was rotated out stays one.
type secrets struct {
	of    *world.World
	state uint64
	secret.Values
}

// strike takes the integration's own secrets and access tokens out of an entry,
// wherever a caller or a receiver has put them: a tape is saved, shared and shown.
// Elsewhere secrets are masked by the names of their members; these are known by
// their value.
func (i *Integration) strike(e *tape.Entry) {
	if e.Exchange == nil && e.Attempt == nil && e.Fetch == nil && e.Message == nil && e.Findings == nil {
		return
	}
	for n, words := 0, i.known().Words(); n < len(words); n++ {
		strike.Entry(e, &words[n])
	}
	for n, words := 0, i.scratch.passing.Words(); n < len(words); n++ {
		strike.Entry(e, &words[n])
	}
}

// Betrayed says whether a text holds an access token or the client secret, which
// belong into the header Authorization and into the body of the token call alone.
func (i *Integration) Betrayed(text string) bool {
	own := i.opts.Load().ClientSecret
	return strings.Contains(text, tokenHead) || secret.Findable(own) && strings.Contains(text, own)
}

// known are the secrets that there are now.
func (i *Integration) known() *secrets {
	if s := &i.secrets; s.of != i.world || s.state != i.world.Webhooks().Changes() {
		s.gather(i.world, i.opts.Load())
	}
	return &i.secrets
}

// struck is a text without the integration's own secrets.
func (i *Integration) struck(text string) string {
	for n, words := 0, i.known().Words(); n < len(words); n++ {
		text = words[n].Text(text)
	}
	return text
}

// gather notes the secrets that there are now.
func (s *secrets) gather(w *world.World, o *Options) {
	if s.of != w {
		*s = secrets{of: w, Values: secret.NewValues(tokenHead)}
	}
	s.state = w.Webhooks().Changes()
	for _, value := range [...]string{o.ClientSecret, o.WebhookSecret, o.StatusKey} {
		s.Add(value)
	}
	for value := range w.Webhooks().Secrets {
		s.Add(value)
	}
	for _, e := range w.Webhooks().List() {
		for _, value := range secret.InAddress(e.URL) {
			s.Add(value)
		}
	}
}

// standing puts what is saved into s, and gives the rest.
func (i *Integration) standing(s *stood) *content {
	c := i.content()
	c.jobs = i.jobsOf(i.ordered.book.Unasked()) // the order knows the others
	s.named = i.saved.named
	for _, one := range i.saved.list {
		s.saved = append(s.saved, kept{one.Name, one.raw})
	}
	return c
}

package integration

import (
	"errors"
	"strconv"
	"time"

	"paysandbox/mockserver/integration/clock"
	"paysandbox/mockserver/integration/envelope"
	"paysandbox/mockserver/integration/owed"
	"paysandbox/mockserver/integration/stranger"
	"paysandbox/mockserver/integration/weight"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// life is the number of the integration's present life.
func (i *Integration) life() uint64 { return i.keys.Load().Life }

// worldSecret is what a world's secret is for: links of one life are no links of the
// next.
func worldSecret(life uint64) string { return "world\x00" + strconv.FormatUint(life, 10) }

// Reset empties the integration: a fresh world from the same seed, an empty
// tape, and the clock where it began. Its access tokens die with it.
func (i *Integration) Reset() error {
	if o := i.order(); o != nil {
		i.lock()
		in := i.input(InputReset)
		began := clock.New(i.opts.Load().Clock, i.opts.Load().Start, i.clock.Wall)
		in.At, in.Offset = began.Now(), began.Offset
		i.mu.Unlock()
		_, err := i.put(o, in)
		return err
	}
	i.lock()
	defer i.mu.Unlock()
	i.reset(nil)
	return nil
}

// reset is Reset under the lock; in is nil where inputs are not ordered.
func (i *Integration) reset(in *Input) {
	defer i.budget.Release()
	i.drop()
	i.epoch++
	life := i.life() + 1
	i.keys.Store(i.opts.Load().keys(i.ID, life))
	i.empty()
	i.clock = clock.New(i.opts.Load().Clock, i.opts.Load().Start, i.clock.Wall)
	i.start(in)
	i.anew(life)
	i.limiter = i.opts.Load().limit()
	i.faults.Reset()
	i.news = true
	i.scratch.effects = i.scratch.effects[:0]
	if in != nil {
		in.Voids = owed.Of(i.ID)
		i.ordered.book.Void()
		i.flush()
	}
	i.take()
}

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

// empty gives what tape and world have drawn back to the budget: nothing is past.
func (i *Integration) empty() {
	i.tape.Reset()
	i.budget.Give(i.weight.Bytes)
	i.weight, i.guests, i.past = weight.Weight{}, stranger.Guests{}, past{}
}

// keepFiles lets the files of the world go to the disk, where there is one; the lock is
// held. What the one before held there is let go of afterwards: files of both stay.
func (i *Integration) keepFiles() {
	before := i.files
	if i.files = i.budget.Holder(); i.files != nil {
		i.world.KeepFiles(i.files)
	}
	before.Drop()
}

// former is a deleted integration's last life.
type former struct {
	id   string
	life uint64
}

// replace empties the integration and gives it the identity of a fresh one, for what others
// have made of it meanwhile.
func (i *Integration) replace(fresh *Integration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.drop()
	i.empty()
	i.saved.clear(i.budget)
	i.ordered.book.Void()
	i.drawn.Turn, i.clock, i.began = fresh.drawn.Turn, fresh.clock, fresh.began
	i.giveUp()
	i.opts.Store(fresh.opts.Load())
	i.keys.Store(fresh.keys.Load())
	i.epoch, i.held, i.scratch = i.epoch+1, true, &scratch{}
	i.tell()
}

// errIDTaken says that an integration with the id has been made meanwhile.
var errIDTaken = errors.New("an integration with this id has been made meanwhile")

// MakeDefault makes the default integration of a registry whose order has none yet.
func (r *Registry) MakeDefault(o Options) error {
	_, err := r.createInOrder(DefaultID, o, nil)
	if errors.Is(err, errIDTaken) { // another process was quicker
		return nil
	}
	return err
}

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

// creation is the input that makes an integration; the registry's lock is held.
func (r *Registry) creation(id string, o Options, c *content) *Input {
	if o.Clock == "" {
		o.Clock = Real
	}
	if o.Environment == "" {
		o.Environment = world.Sandbox
	}
	began := clock.New(o.Clock, o.Start, r.wall)
	in := &Input{Kind: InputCreate, Integration: id, Created: o, At: began.Now(), Offset: began.Offset, Turn: r.drawn.Turn + 1}
	if id == "" {
		in.Integration = r.free(&o)
	}
	in.Life = r.lives.Begin(in.Integration)
	if c != nil {
		in.Offset = c.ahead(r.wall)
		in.Snapshot = envelope.Close(kernel.Encode(envelope.Header(), c))
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

// Begin lets all integrations act by themselves, once what the order held has been
// applied: alarms are set, and what fell due meanwhile fires.
func (r *Registry) Begin() {
	r.mu.Lock()
	r.begun = true
	r.mu.Unlock()
	for _, i := range r.List() {
		if !r.by.Shared() {
			i.resume()
		}
		i.Release()
		i.catchUp(r.by)
		if i.ask(r.by) != nil {
			go insist(r.ended, func() error { return i.ask(r.by) })
		}
	}
}

// resume lets the clock go on from what its order has reached.
func (i *Integration) resume() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.Resume()
}

// insist does something until it is done, or the registry has ended.
func insist(ended <-chan struct{}, do func() error) {
	for do() != nil {
		select {
		case <-time.After(tickAgain):
		case <-ended:
			return
		}
	}
}

// forget gives back what a deleted integration holds.
func (i *Integration) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.gone = true
	i.disown()
	i.drop()
	if i.asleep != nil {
		i.asleep.shelf.Drop(i.asleep.name)
		return
	}
	i.giveUp()
	i.empty()
	i.anew(i.life())
	i.files.Drop()
	i.saved.clear(i.budget)
}

// disown tells the order that nobody calls for what this process owes any more: its
// inputs do not stand where the integration is deleted. The lock is held.
func (i *Integration) disown() {
	o := i.order()
	if o == nil {
		return
	}
	names := i.ordered.book.Deferred()
	for _, j := range i.post.UnderWay() {
		names = append(names, i.effectName(j.Effect))
	}
	go func() {
		for _, name := range names {
			i.putOver(name)
		}
	}()
}

// drop forgets what is under way, and ends what is being sent to the receivers.
func (i *Integration) drop() {
	i.post.Drop()
	if i.carrier != nil {
		i.carrier.Forget(i.ID)
	}
}

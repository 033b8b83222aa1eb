package durable

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// standWithin is how long a snapshot waits for what others have appended meanwhile.
const standWithin = 2 * time.Second

// Load sets the shards to what a snapshot holds, once stand has made the machine's state of
// it. A runner that has begun, whose log was cut behind what it has read, goes on as another
// process would: whoever waits is told so, and what it owes is taken over, by itself or by
// another, as after a restart. An error then ends it.
func (r *Runner) Load(list []Image, stand func(state []byte) error) error {
	for _, l := range r.lines {
		l.at.Lock()
		defer l.at.Unlock()
	}
	self := r.opts.ID()
	var shards [len(r.lines)]*Shard
	for n := range shards {
		shards[n] = NewShard(n, self, Engine, r.opts.Machine)
	}
	for n := range list {
		shard, err := Restore(&list[n], self, Engine, r.opts.Machine)
		if err != nil {
			return err
		}
		shards[list[n].Shard] = shard
	}
	for _, l := range r.lines {
		l.giveBack()
	}
	if err := stand(stateOf(list)); err != nil {
		err = fmt.Errorf("the snapshot at message %d cannot be gone on from: %w", topOf(list), err)
		r.broken.CompareAndSwap(nil, &err)
		return err
	}
	for n, l := range r.lines {
		l.shard, l.lagging = shards[n], time.Time{}
		l.refuses.Store(nil)
		r.compare(l, l.shard)
		if r.begun.Load() {
			l.shard.Begin()
		}
	}
	r.self.Store(&self)
	r.follow.Store(topOf(list))
	return nil
}

// giveBack tells all that wait for the line to ask again; it is locked.
func (l *line) giveBack() {
	l.inbox.Lock()
	defer l.inbox.Unlock()
	give(l.in, ErrNotTaken)
	give(l.shard.pending, ErrNotTaken)
	give(l.shard.sent, ErrUnknown)
	l.in = nil
}

// give ends the waits of those who have offered something.
func give(list []offered, err error) {
	for _, o := range list {
		if c, ok := o.mine.(*Call); ok && c.Take() {
			c.Done(err)
		}
	}
}

// Self is this process, in this life of it.
func (r *Runner) Self() uuid.UUID { return *r.self.Load() }

// Keep stores a snapshot of all shards, when something has come since the last one,
// and purges the log up to the snapshot before it. Appending waits while the state is
// read, and goes on while it is written. Nothing is kept while the outcome of an append
// is unknown.
func (r *Runner) Keep() error {
	list, back, err := r.standing()
	if list == nil || err != nil {
		return err
	}
	defer back()
	ctx := r.ctx
	if !r.opts.Shared { // it may be the last thing that the runner does
		ctx = context.WithoutCancel(ctx)
	}
	cut, err := r.opts.Images.Keep(ctx, list)
	if err != nil || cut.Below == 0 {
		return err
	}
	for _, n := range cut.Idle {
		l := r.lines[n]
		l.at.Lock()
		l.shard.Mark()
		l.at.Unlock()
		l.inbox.Lock()
		r.wake(l)
		l.inbox.Unlock()
	}
	return r.opts.Log.Purge(ctx, cut.Below)
}

// standing are the images of all shards that have had a message, with the machine's
// state in the one of the registry; none when they do not come to stand at one message.
func (r *Runner) standing() (list []Image, back func(), err error) {
	r.gate.Lock()
	defer r.gate.Unlock()
	r.since.Store(0)
	late := time.NewTimer(standWithin)
	defer late.Stop()
	for {
		list, back, again, err := r.stand()
		if !again {
			return list, back, err
		}
		select {
		case <-r.news:
		case <-late.C:
			return nil, nil, nil
		case <-r.ctx.Done():
			return nil, nil, nil
		}
	}
}

// stand is standing, once; again says that others' messages have come out of turn.
func (r *Runner) stand() (list []Image, back func(), again bool, err error) {
	for _, l := range r.lines {
		l.at.Lock()
		defer l.at.Unlock()
	}
	for _, l := range r.lines {
		if l.refuses.Load() != nil || l.shard.broken != nil || l.shard.sent != nil && !r.opts.Shared {
			return nil, nil, false, nil
		}
		if l.shard.at.Seq > 0 {
			list = append(list, l.shard.Image(nil))
		}
	}
	if r.opts.Shared && topOf(list) != r.follow.Load() {
		return nil, nil, true, nil
	}
	if n := len(list) - 1; n >= 0 && list[n].Shard == Registry {
		list[n].State, back, err = r.opts.State()
		return list, back, false, err
	}
	return nil, nil, false, nil
}

// due says whether a snapshot is to be taken by this process, once it has appended the
// message with the number: of several processes one takes it, by the log's word.
func (r *Runner) due(seq uint64) bool {
	if r.opts.Shared {
		return seq > 0 && seq%uint64(r.opts.Every) == 0 //nolint:gosec // G115: a small number
	}
	return r.since.Load() >= r.opts.Every
}

// keepSometimes keeps a snapshot when enough has come since the last one.
func (r *Runner) keepSometimes(seq uint64) {
	if r.opts.Images == nil || !r.due(seq) || !r.keeping.CompareAndSwap(false, true) {
		return
	}
	r.busy.Add(1)
	go func() {
		defer r.busy.Done()
		defer r.keeping.Store(false)
		if err := r.Keep(); err != nil {
			r.opts.Tell.Warn("the log grows on", slog.Any("reason", err))
		}
	}()
}

package integration

import (
	"time"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration/entry"
	"paysandbox/mockserver/integration/outbox"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
)

// Carrier carries out what leaves the sandbox. Its methods return at once and
// call done exactly once, from any goroutine.
type Carrier interface {
	// Deliver makes one attempt to deliver a webhook event. scope is the
	// integration's id: attempts of one scope and endpoint share a lane. The
	// attempt that done gets says all but Next and Reason.
	Deliver(scope string, d delivery.View, done func(a tape.Attempt, retryAfter string))
	// Fetch downloads an attachment.
	Fetch(url string, done func(tape.Fetch))
	// Forget ends the deliveries of a scope, those that wait too: nobody is there any
	// more who would take the answer. Their done is called all the same.
	Forget(scope string)
}

// Batch is what has to leave the sandbox because of one input. It is under way
// from the moment when Do has returned it; Send lets it go.
type Batch struct{ jobs []*outbox.Job }

// Empty says whether there is nothing to send.
func (b Batch) Empty() bool { return len(b.jobs) == 0 }

// flush moves what the world has recorded to the tape and keeps its effects.
func (i *Integration) flush() { i.keep(i.world.Take()) }

// keep puts records on the tape, in order. What they hold would live on in the world's lists
// until as many come again.
func (i *Integration) keep(records []kernel.Record, effects []kernel.Effect) {
	for n := range records {
		i.append(i.scratch.Of(&records[n]))
	}
	i.scratch.effects = append(i.scratch.effects, effects...)
	clear(records)
	clear(effects)
}

// board turns the effects of an input into jobs; the lock is held. While a tape
// is played in nothing leaves: what came back is on the tape.
func (i *Integration) board() Batch {
	effects := i.scratch.effects
	if len(effects) == 0 {
		return Batch{}
	}
	i.scratch.effects = effects[:0]
	inOrder := i.order() != nil
	for _, e := range effects {
		if inOrder {
			i.ordered.book.Ask(i.effectName(e), e)
		}
	}
	if i.carrier == nil || i.held || inOrder && !i.ordered.own {
		return Batch{}
	}
	return i.depart(effects)
}

// depart puts those effects on their way that the world calls for; the lock is held.
func (i *Integration) depart(effects []kernel.Effect) Batch {
	b := Batch{jobs: make([]*outbox.Job, 0, len(effects))}
	for _, e := range effects {
		j := outbox.New(e, i.epoch)
		if i.sees(j) {
			b.jobs = append(b.jobs, j)
		}
	}
	i.post.Add(b.jobs)
	return b
}

// sees gives a job what the world shows of it; false when that has no use for it any more.
func (i *Integration) sees(j *outbox.Job) (pending bool) {
	if j.Effect.Kind != kernel.SendDelivery {
		return true
	}
	if j.View, pending = i.world.Webhooks().View(j.Effect.ID); j.Effect.Second {
		j.View.Second, j.View.Attempt = true, j.View.Attempt+1
	}
	return pending
}

// aheadTimeout is how long a caller waits for the events that are to arrive
// before its answer.
const aheadTimeout = 5 * time.Second

// SendAhead lets those deliveries leave that are to arrive before the caller is
// answered, by the endpoint's profile, which the attempt then names, or the
// ledger's choice, and waits for them. It gives the rest of the batch, for Send.
func (i *Integration) SendAhead(b Batch) Batch {
	all := i.opts.Load().Settings.Is(latitude.EventBeforeResponseYes)
	var ahead, rest Batch
	for _, j := range b.jobs {
		byProfile := j.Effect.Kind == kernel.SendDelivery && j.View.Profile.Has(delivery.BeforeResponse)
		if byProfile {
			j.View.Applied |= delivery.BeforeResponse
		}
		if byProfile || all && j.Effect.Kind == kernel.SendDelivery {
			ahead.jobs = append(ahead.jobs, j)
			continue
		}
		rest.jobs = append(rest.jobs, j)
	}
	i.Send(ahead)
	late := time.NewTimer(aheadTimeout)
	defer late.Stop()
	for _, j := range ahead.jobs {
		select {
		case <-j.Done():
		case <-late.C:
			return rest
		}
	}
	return rest
}

// Send lets a batch leave the sandbox. Call it once the caller has been answered.
func (i *Integration) Send(b Batch) {
	for _, j := range b.jobs {
		switch j.Effect.Kind {
		case kernel.SendDelivery:
			i.carrier.Deliver(i.ID, j.View, func(a tape.Attempt, retryAfter string) {
				j.Attempt, j.RetryAfter = a, retryAfter
				i.arrived(j)
			})
		case kernel.FetchAttachment:
			i.carrier.Fetch(j.Effect.URL, func(f tape.Fetch) {
				j.Fetch = f
				i.arrived(j)
			})
		default:
			panic("integration: the world has asked for an unknown effect")
		}
	}
}

// arrived notes that a job has come back.
func (i *Integration) arrived(j *outbox.Job) {
	j.Arrived()
	if o := i.order(); i.opts.Load().Clock == Real || o != nil && o.Shared() {
		i.takeIn(j)
		i.post.Tidy()
	}
}

// takeIn makes a result an input.
func (i *Integration) takeIn(j *outbox.Job) {
	defer j.Land()
	i.lock()
	if j.Epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	j.Taken = true
	if o := i.order(); o != nil {
		in := i.result(j)
		i.mu.Unlock()
		i.putResult(o, in)
		return
	}
	now := i.clock.Now()
	i.fire(now)
	if j.Effect.Kind == kernel.SendDelivery {
		if i.opts.Load().Clock == Manual {
			j.Attempt.Took = 0
		}
		i.recordAttempt(now, j.Effect.ID, j.Effect.Cause, j.Attempt, j.RetryAfter)
	} else {
		i.recordFetch(now, j.Effect.ID, j.Effect.Cause, j.Fetch)
	}
	i.flush()
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// result is what came back of a job; the lock is held.
func (i *Integration) result(j *outbox.Job) *Input {
	in := i.input(InputFetch)
	if j.Effect.Kind == kernel.SendDelivery {
		in.Kind = InputAttempt
		if i.clock.Mode == Manual {
			j.Attempt.Took = 0
		}
	}
	in.Effect, in.Answers, in.Attempt, in.Fetch, in.RetryAfter = j.Effect, i.effectName(j.Effect), j.Attempt, j.Fetch, j.RetryAfter
	return in
}

// putResult orders what came back. It is not lost while the order cannot be reached.
func (i *Integration) putResult(o Order, in *Input) {
	insist(i.ended, func() error {
		b, err := i.put(o, in)
		i.Send(b)
		return err
	})
}

// settleTimeout is how long a move of a real clock waits for what is under way:
// a receiver that hangs must not hold up time.
const settleTimeout = time.Second

// Settle takes in what is under way. Under a manual clock it waits for all of
// it, in the order of departure; under a real clock, where answers are taken in
// as they come, it waits a moment for those that had left when it was called.
func (i *Integration) Settle() { i.settle(outbox.Late{}) }

func (i *Integration) settle(late outbox.Late) {
	if i.carrier == nil {
		return
	}
	if o := i.order(); o != nil && o.Shared() {
		i.settleShared(o)
		return
	}
	if i.opts.Load().Clock == Real {
		i.post.Await(settleTimeout, late)
		return
	}
	i.settling.Lock()
	defer i.settling.Unlock()
	for {
		j := i.post.First()
		if j == nil {
			return
		}
		<-j.Done()
		i.takeIn(j)
		i.post.Tidy()
	}
}

// takeoverTimeout bounds how long a move of a manual clock waits for what is under way: the
// process that carries it out may be gone, and another one has to take it over first.
const takeoverTimeout = 20 * time.Second

// settleShared waits until the effects have their answers that are open now, whoever
// carries them out.
func (i *Integration) settleShared(o Order) {
	o.Current(i.ID)
	most := settleTimeout
	if i.opts.Load().Clock == Manual {
		most = takeoverTimeout
	}
	late := time.NewTimer(most)
	defer late.Stop()
	i.mu.Lock()
	waiting := i.ordered.book.Names()
	i.mu.Unlock()
	for {
		changed, over := i.awaits(waiting)
		if over {
			return
		}
		select {
		case <-changed:
		case <-late.C:
			return
		}
	}
}

// awaits says whether none of the effects is open any more, and what is closed when
// there is news.
func (i *Integration) awaits(names []string) (changed <-chan struct{}, over bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return i.changed, !i.ordered.book.Owes(names) || i.closed
}

// scratch is what Do reuses from call to call, under the lock.
type scratch struct {
	entry.Scratch
	effects []kernel.Effect
	brought int64         // bytes of the request in hand
	passing secret.Values // in the addresses of the call in hand
	clear   asked         // the call in hand, when it holds no secret
}

package integration

import (
	"slices"
	"sync"
	"time"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
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
type Batch struct{ jobs []*job }

// Empty says whether there is nothing to send.
func (b Batch) Empty() bool { return len(b.jobs) == 0 }

// job is one effect under way. What comes back is an input: under a real clock
// it is taken in as it arrives; under a manual clock when time moves or someone
// looks, in the order of departure, so that two runs are alike.
type job struct {
	effect     kernel.Effect
	view       delivery.View
	epoch      uint64
	done       chan struct{} // closed when the outside has answered
	landed     chan struct{} // closed when the answer has been taken in
	taken      bool          // the same, under the integration's lock
	attempt    tape.Attempt
	retryAfter string
	fetch      tape.Fetch
}

// outbox knows the jobs under way, oldest first.
type outbox struct {
	carrier Carrier
	mu      sync.Mutex
	jobs    []*job
	// landed counts the jobs that have been taken in and are still among jobs, as far as
	// it has been told.
	landed int
	// settling is held by the one who takes in what has come back under a manual
	// clock: two at once would take it in out of order.
	settling sync.Mutex
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
	if i.post.carrier == nil || i.held || inOrder && !i.ordered.own {
		return Batch{}
	}
	return i.depart(effects)
}

// depart puts those effects on their way that the world calls for; the lock is held.
func (i *Integration) depart(effects []kernel.Effect) Batch {
	b := Batch{jobs: make([]*job, 0, len(effects))}
	for _, e := range effects {
		j := &job{effect: e, epoch: i.epoch, done: make(chan struct{}), landed: make(chan struct{})}
		if i.sees(j) {
			b.jobs = append(b.jobs, j)
		}
	}
	i.post.add(b.jobs)
	return b
}

// sees gives a job what the world shows of it; false when that has no use for it any more.
func (i *Integration) sees(j *job) (pending bool) {
	if j.effect.Kind != kernel.SendDelivery {
		return true
	}
	if j.view, pending = i.world.Webhooks().View(j.effect.ID); j.effect.Second {
		j.view.Second, j.view.Attempt = true, j.view.Attempt+1
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
		byProfile := j.effect.Kind == kernel.SendDelivery && j.view.Profile.Has(delivery.BeforeResponse)
		if byProfile {
			j.view.Applied |= delivery.BeforeResponse
		}
		if byProfile || all && j.effect.Kind == kernel.SendDelivery {
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
		case <-j.done:
		case <-late.C:
			return rest
		}
	}
	return rest
}

// Send lets a batch leave the sandbox. Call it once the caller has been answered.
func (i *Integration) Send(b Batch) {
	for _, j := range b.jobs {
		switch j.effect.Kind {
		case kernel.SendDelivery:
			i.post.carrier.Deliver(i.ID, j.view, func(a tape.Attempt, retryAfter string) {
				j.attempt, j.retryAfter = a, retryAfter
				i.arrived(j)
			})
		case kernel.FetchAttachment:
			i.post.carrier.Fetch(j.effect.URL, func(f tape.Fetch) {
				j.fetch = f
				i.arrived(j)
			})
		default:
			panic("integration: the world has asked for an unknown effect")
		}
	}
}

// arrived notes that a job has come back.
func (i *Integration) arrived(j *job) {
	close(j.done)
	if o := i.order(); i.opts.Load().Clock == Real || o != nil && o.Shared() {
		i.takeIn(j)
		i.post.tidy()
	}
}

// settleTimeout is how long a move of a real clock waits for what is under way:
// a receiver that hangs must not hold up time.
const settleTimeout = time.Second

// Settle takes in what is under way. Under a manual clock it waits for all of
// it, in the order of departure; under a real clock, where answers are taken in
// as they come, it waits a moment for those that had left when it was called.
func (i *Integration) Settle() { i.settle(hanging{}) }

func (i *Integration) settle(late hanging) {
	if i.post.carrier == nil {
		return
	}
	if o := i.order(); o != nil && o.Shared() {
		i.settleShared(o)
		return
	}
	if i.opts.Load().Clock == Real {
		i.post.await(settleTimeout, late)
		return
	}
	i.post.settling.Lock()
	defer i.post.settling.Unlock()
	for {
		j := i.post.first()
		if j == nil {
			return
		}
		<-j.done
		i.takeIn(j)
		i.post.tidy()
	}
}

// carries says whether an effect is under way; the integration's lock is held.
func (o *outbox) carries(e kernel.Effect) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.jobs, func(j *job) bool { return j.effect == e })
}

// add notes jobs under way.
func (o *outbox) add(jobs []*job) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.jobs = append(o.jobs, jobs...)
}

// tidy forgets jobs that have been taken in: the oldest at once, and those behind one
// that takes long when they are half of all.
func (o *outbox) tidy() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.landed++
	for len(o.jobs) > 0 && o.jobs[0].over() {
		o.jobs[0] = nil
		o.jobs = o.jobs[1:]
		o.landed--
	}
	if o.landed > len(o.jobs)/2 {
		o.jobs = slices.DeleteFunc(o.jobs, (*job).over)
		o.landed = 0
	}
}

// over says whether the job has been taken in.
func (j *job) over() bool {
	select {
	case <-j.landed:
		return true
	default:
		return false
	}
}

// await waits for the jobs that are under way now, at most for a while, and notes who has
// kept it waiting.
func (o *outbox) await(most time.Duration, late hanging) {
	o.mu.Lock()
	jobs := slices.DeleteFunc(slices.Clone(o.jobs), func(j *job) bool { return late[j.view.Endpoint] })
	o.mu.Unlock()
	over := time.NewTimer(most)
	defer over.Stop()
	for n, j := range jobs {
		select {
		case <-j.landed:
		case <-over.C:
			for _, j := range jobs[n:] {
				if !j.over() {
					late[j.view.Endpoint] = true
				}
			}
			return
		}
	}
}

// first gives the oldest job, or nil.
func (o *outbox) first() *job {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.jobs) == 0 {
		return nil
	}
	return o.jobs[0]
}

// drop forgets what is under way, and ends what is being sent to the receivers of a
// scope.
func (o *outbox) drop(scope string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.jobs, o.landed = nil, 0
	if o.carrier != nil {
		o.carrier.Forget(scope)
	}
}

// present is the time of an input: the clock's, or the recorded one in a replay.
func (i *Integration) present(at int64) int64 {
	switch {
	case at == 0:
	case i.order() != nil:
		i.clock.reach(at)
		return at
	default:
		i.clock.move(at)
		return at
	}
	return i.clock.now()
}

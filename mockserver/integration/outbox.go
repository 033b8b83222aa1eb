package integration

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Carrier carries out what leaves the house. Its methods return at once and
// call done exactly once, from any goroutine.
type Carrier interface {
	// Deliver makes one attempt to deliver a webhook event. scope is the
	// integration's id: attempts of one scope and endpoint share a lane. The
	// attempt that done gets says all but Next and Reason.
	Deliver(scope string, d world.DeliveryView, done func(a tape.Attempt, retryAfter string))
	// Fetch downloads an attachment.
	Fetch(url string, done func(tape.Fetch))
}

// Batch is what has to leave the house because of one input.
type Batch struct {
	effects []world.Effect
	epoch   uint64
}

// Empty says whether there is nothing to send.
func (b Batch) Empty() bool { return len(b.effects) == 0 }

// job is one effect under way. What comes back is an input: under a real clock
// it is taken in as it arrives; under a manual clock when time moves or someone
// looks, in the order of departure, so that two runs are alike.
type job struct {
	effect     world.Effect
	epoch      uint64
	done       chan struct{}
	attempt    tape.Attempt
	retryAfter string
	fetch      tape.Fetch
}

// outbox knows the jobs under way, oldest first.
type outbox struct {
	carrier Carrier
	mu      sync.Mutex
	// jobs are kept in order under a manual clock only.
	jobs []*job
	// flying counts the jobs under way under a real clock; idle is closed when
	// it falls to none.
	flying int
	idle   chan struct{}
}

// Send lets a batch leave the house. Call it after the caller has been answered.
func (i *Integration) Send(b Batch) {
	if i.post.carrier == nil {
		return
	}
	for _, e := range b.effects {
		i.dispatch(&job{effect: e, epoch: b.epoch, done: make(chan struct{})})
	}
}

// dispatch starts one job.
func (i *Integration) dispatch(j *job) {
	switch j.effect.Kind {
	case world.SendDelivery:
		view, ok := i.delivery(j)
		if !ok {
			return
		}
		i.post.add(j, i.opts.Clock)
		i.post.carrier.Deliver(i.ID, view, func(a tape.Attempt, retryAfter string) {
			j.attempt, j.retryAfter = a, retryAfter
			i.arrived(j)
		})
	case world.FetchAttachment:
		i.post.add(j, i.opts.Clock)
		i.post.carrier.Fetch(j.effect.URL, func(f tape.Fetch) {
			j.fetch = f
			i.arrived(j)
		})
	default:
		panic("integration: the world has asked for an unknown effect")
	}
}

// delivery reads what is to be delivered, unless the world has moved on.
func (i *Integration) delivery(j *job) (world.DeliveryView, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if j.epoch != i.epoch {
		return world.DeliveryView{}, false
	}
	return i.world.Delivery(j.effect.ID)
}

// arrived notes that a job has come back.
func (i *Integration) arrived(j *job) {
	close(j.done)
	if i.opts.Clock == Real {
		i.takeIn(j)
		i.post.landed()
	}
}

// Settle waits until nothing is under way, and takes in what has come back.
func (i *Integration) Settle() {
	if i.post.carrier == nil {
		return
	}
	if i.opts.Clock == Real {
		i.post.wait()
		return
	}
	for {
		j := i.post.first()
		if j == nil {
			return
		}
		<-j.done
		i.takeIn(j)
	}
}

// takeIn makes a result an input.
func (i *Integration) takeIn(j *job) {
	i.mu.Lock()
	if j.epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	now := i.clock.now()
	i.fire(now)
	if j.effect.Kind == world.SendDelivery {
		i.recordAttempt(now, j.effect.ID, j.effect.Cause, j.attempt, j.retryAfter)
	} else {
		i.recordFetch(now, j.effect.ID, j.effect.Cause, j.fetch)
	}
	i.flush()
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// recordAttempt gives an attempt's outcome to the world and to the tape.
func (i *Integration) recordAttempt(now int64, id uuid.UUID, cause uint64, a tape.Attempt, retryAfter string) {
	seq := i.world.Begin(world.Input{Now: now})
	out, err := i.world.DeliveryAttempted(id, world.AttemptResult{Status: a.Status, RetryAfter: retryAfter, Error: a.Error})
	if err != nil {
		a.Reason = err.Error()
	} else {
		a.Next, a.Reason = out.Next, out.Reason
	}
	i.scratch.entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindAttempt,
		Entities: []string{a.Delivery, a.Event, a.Endpoint}, Attempt: &a,
	}
	i.append(&i.scratch.entry)
}

// recordFetch gives a downloaded file to the world and to the tape.
func (i *Integration) recordFetch(now int64, id uuid.UUID, cause uint64, f tape.Fetch) {
	seq := i.world.Begin(world.Input{Now: now})
	problem := f.Error
	if problem == "" && f.Status != http.StatusOK {
		problem = "the file's server answered " + strconv.Itoa(f.Status)
	}
	// A file that the world no longer waits for stays on the tape alone.
	_ = i.world.AttachmentFetched(world.FetchedAttachment{ID: id, ContentType: f.ContentType, Data: f.Body, Problem: problem})
	i.scratch.entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindFetch,
		Entities: []string{id.String()}, Fetch: &f,
	}
	i.append(&i.scratch.entry)
}

// add notes a job under way.
func (o *outbox) add(j *job, mode ClockMode) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if mode == Manual {
		o.jobs = append(o.jobs, j)
		return
	}
	o.flying++
}

// landed notes that a job has been taken in.
func (o *outbox) landed() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flying--
	if o.flying == 0 && o.idle != nil {
		close(o.idle)
		o.idle = nil
	}
}

// wait blocks until no job is under way.
func (o *outbox) wait() {
	o.mu.Lock()
	if o.flying == 0 {
		o.mu.Unlock()
		return
	}
	if o.idle == nil {
		o.idle = make(chan struct{})
	}
	idle := o.idle
	o.mu.Unlock()
	<-idle
}

// first takes the oldest job off the list, or gives nil.
func (o *outbox) first() *job {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.jobs) == 0 {
		return nil
	}
	j := o.jobs[0]
	o.jobs[0] = nil
	o.jobs = o.jobs[1:]
	return j
}

// drop forgets the jobs under way; what comes back is not taken in.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.jobs = nil
}

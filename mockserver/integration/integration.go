package integration

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/filestore"
	"paysandbox/mockserver/integration/drawn"
	"paysandbox/mockserver/integration/owed"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Integration is one pair of client credentials and all that it owns. It is
// safe for concurrent use.
type Integration struct {
	// ID is the integration's permanent id, or "default".
	ID    string
	opts  atomic.Pointer[Options]
	keys  atomic.Pointer[keys]
	post  outbox
	drawn drawn.Source
	// budget and strangers are shared with the other integrations.
	budget    *budget.Bytes
	strangers *Strangers
	// files are those of the world that are on the disk.
	files *filestore.Holder

	saved  saved
	moving sync.Mutex // held while the clock is being moved

	mu      sync.Mutex
	world   *world.World
	weight  weight
	guests  guests
	tape    *tape.Memory
	clock   clock
	wake    *time.Timer
	wakeAt  int64
	changed chan struct{}
	news    bool // something was put on the tape since the readers were told
	began   int64
	epoch   uint64
	closed  bool
	gone    bool            // it was deleted
	ended   <-chan struct{} // closed when the registry ends
	held    bool
	limiter limiter
	scratch *scratch // nil while it sleeps
	ordered ordered
	asleep  *asleep // nil while it is awake
	idle    uint8   // how often nobody had asked since Doze looked last
	lost    error   // why it cannot wake
	secrets secrets
	faults  fault.Set
}

// Call is one input from outside: a request to the partner API, a page, a
// control action. Do completes it.
type Call struct {
	// Kind is KindExchange, KindPage or KindControl.
	Kind tape.Kind
	// Base is the prefix of hosted pages, built from the address the caller used.
	Base string
	// Exchange holds the request before Do; run fills in the response.
	Exchange tape.Exchange
	// Findings are the problems that reading the request has shown; run hands them
	// to the rules.
	Findings []kernel.Finding
	// Advice is what is told of the request whatever becomes of it.
	Advice []kernel.Finding
	// Judged is what reading the request has shown of who calls, and Whole the body with
	// its secrets, where what comes later needs them: for an Order alone.
	Judged Judged
	Whole  []byte
	// Failed is set by Do when the call could not be ordered: it was not carried out.
	Failed error
	// Secrets are values in the request that are to be known from now on, also in
	// this call itself.
	Secrets []string
	// Passing are secrets of addresses in the request: they are struck from this call.
	Passing []string
	// Entities are the ids that the call is about, the main one first.
	Entities []string
	// Label is what the caller named itself by; what follows has it, too.
	Label string
	// Silent keeps the call off the tape: it must not change the world.
	Silent bool
	// Stranger says that nobody knows who calls: the call is refused, and there is
	// only so much room on the owner's tape for such calls.
	Stranger bool

	// Seq is the call's number on the tape; set by Do before run. A stranger's call
	// for which there was no room has none.
	Seq uint64
	// Time is the virtual time of the call, UTC; set by Do before run.
	Time time.Time
	// At, when not 0, is the virtual time at which the call is to happen again:
	// it is set in a replay only.
	At int64

	epoch uint64
}

// Do takes one input: timers that are due fire first, run acts on the world and
// writes the response into c.Exchange, and the input and everything that
// followed from it go on the tape. The returned batch is what has to leave the
// house; give it to Send once the caller has been answered.
func (i *Integration) Do(c *Call, run func(w *world.World, c *Call)) Batch {
	if o := i.order(); o != nil && c.At == 0 {
		return i.doInOrder(o, c, run)
	}
	i.lock()
	defer i.mu.Unlock()
	if c.Failed = i.asLost(); c.Failed != nil {
		return Batch{}
	}
	return i.do(c, run)
}

// do is Do under the lock.
func (i *Integration) do(c *Call, run func(w *world.World, c *Call)) Batch {
	now := i.present(c.At)
	i.fire(now)
	if c.Silent {
		c.Time, c.Seq = time.Unix(0, now).UTC(), i.world.Seq()
		run(i.world, c)
		return i.take()
	}
	if c.Stranger && c.At == 0 && !i.guests.room(i.tape) {
		c.Time, c.Seq = time.Unix(0, now).UTC(), 0
		run(i.world, c)
		i.strangers.keep(c)
		return i.take()
	}
	if c.Label == "" && c.Kind != tape.KindExchange && len(c.Entities) > 0 {
		c.Label = i.tape.LabelAbout(c.Entities[0]) // a payer acts for whoever has asked him
	}
	c.epoch = i.epoch
	defer i.pass(c)()
	c.Seq = i.world.Begin(world.Input{Now: now, Base: c.Base, Digest: i.digest(c)})
	c.Time = i.world.Now()
	if len(c.Advice) > 0 && !c.Stranger {
		i.world.Advise(c.Advice...)
	}
	run(i.world, c)
	i.weight.follow(i.budget, i.world, int64(len(c.Exchange.Request.Body)))
	records, effects := i.world.Take()
	c.Entities = touched(c.Entities, records)
	i.scratch.entry = tape.Entry{
		Seq: c.Seq, At: c.Time.UnixNano(), Kind: c.Kind, Label: c.Label, Entities: c.Entities, Exchange: &c.Exchange,
	}
	before := i.tape.Bytes()
	i.append(&i.scratch.entry)
	if c.Stranger {
		i.guests.count(i.tape.Bytes() - before)
	}
	i.keep(records, effects)
	if c.At != 0 && i.order() == nil {
		i.scratch.effects = i.scratch.effects[:0] // a replay needs no network: what came back is on the tape
	}
	return i.take()
}

// digest tells a call from others by what of it will stand on the tape: a replay
// must come to the same. The body of a control call is left out: it may bring a
// secret, which is struck from then on, and from the call itself.
func (i *Integration) digest(c *Call) kernel.Digest {
	for _, value := range c.Secrets {
		i.known().Add(value)
	}
	i.scratch.entry = tape.Entry{Exchange: &c.Exchange}
	i.strike(&i.scratch.entry)
	x := i.scratch.entry.Exchange
	path := x.Path
	if c.Kind != tape.KindExchange && i.ID != DefaultID { // a fork draws what its parent does
		path = strings.Replace(path, "/"+i.ID+"/", "/"+DefaultID+"/", 1)
	}
	d := kernel.Digest{}.Text(string(c.Kind)).Text(x.Method).Text(path).Text(x.Query)
	if c.Kind == tape.KindControl {
		return d
	}
	return d.Bytes(x.Request.Body)
}

// append puts an entry on the tape, without the integration's own secrets.
func (i *Integration) append(e *tape.Entry) {
	if e.Label == "" && e.Cause != 0 {
		e.Label = i.tape.Label(e.Cause)
	}
	i.strike(e)
	if err := i.tape.Append(e); err != nil {
		panic("integration: the world numbers its entries: " + err.Error())
	}
	i.news = true
}

// take finishes an input: waiting readers are told what is new, the alarm is
// set, and the effects are handed over. That somebody has read is no news, or
// two who wait would wake each other for ever.
func (i *Integration) take() Batch {
	if i.news {
		i.tell()
	}
	i.news = false
	i.scratch.entry = tape.Entry{} // a large body would live until the next entry
	i.weight.follow(i.budget, i.world, 0)
	i.arm()
	return i.board()
}

// Reset empties the integration: a fresh world from the same seed, an empty
// tape, and the clock where it began. Its access tokens die with it.
func (i *Integration) Reset() error {
	if o := i.order(); o != nil {
		i.lock()
		in := i.input(InputReset)
		began := newClock(i.opts.Load().Clock, i.opts.Load().Start, i.clock.wall)
		in.At, in.Offset = began.now(), began.offset
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
	i.post.drop(i.ID)
	i.epoch++
	life := i.life() + 1
	i.keys.Store(newKeys(i.ID, i.opts.Load(), life))
	i.empty()
	i.clock = newClock(i.opts.Load().Clock, i.opts.Load().Start, i.clock.wall)
	i.start(in)
	i.anew(life)
	i.limiter = i.opts.Load().limiter()
	i.faults.Reset()
	i.wakeAt, i.news = 0, true
	i.scratch.effects = i.scratch.effects[:0]
	if in != nil {
		in.Voids = owed.Of(i.ID)
		i.ordered.book.Void()
		i.flush()
	}
	i.take()
}

// Close stops the integration's alarm. What is due later is dropped with the
// integration.
func (i *Integration) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	if i.wake != nil {
		i.wake.Stop()
	}
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
	i.held, i.wakeAt = held, 0
	i.arm()
	return i.ordered.book.Deferred()
}

// Faults gives the armed faults of the integration. Calls inside Do alone come
// in the order of the tape: arm, match and remove there, so that a replay finds
// the same faults. Reset takes them all out.
func (i *Integration) Faults() *fault.Set { return &i.faults }

// former is a deleted integration's last life.
type former struct {
	id   string
	life uint64
}

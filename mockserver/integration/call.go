package integration

import (
	"cmp"
	"strings"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration/entry"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Call is one input from outside: a request to the partner API, a page, a
// control action. Do completes it.
type Call struct {
	// Kind is KindExchange, KindPage or KindControl.
	Kind tape.Kind
	// Base is the prefix of hosted pages, built from the address the caller used; As is
	// Again's.
	Base, As string
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
	if c.Stranger && c.At == 0 && !i.guests.Room(i.tape) {
		c.Time, c.Seq = time.Unix(0, now).UTC(), 0
		run(i.world, c)
		i.strangers.Keep(c.Time.UnixNano(), c.Kind, c.Exchange)
		return i.take()
	}
	if c.Label == "" && c.Kind != tape.KindExchange && len(c.Entities) > 0 {
		c.Label = i.tape.LabelAbout(c.Entities[0]) // a payer acts for whoever has asked him
	}
	c.epoch = i.epoch
	i.scratch.passing, i.scratch.brought = secret.ValuesOf(c.Passing), int64(len(c.Exchange.Request.Body))
	defer i.pass()
	c.Seq = i.world.Begin(world.Input{Now: now, Base: c.base(), Digest: i.digest(c)})
	c.Time = i.world.Now()
	if len(c.Advice) > 0 && !c.Stranger {
		i.world.Advise(c.Advice...)
	}
	run(i.world, c)
	records, effects := i.world.Take()
	c.Entities = entry.Touched(c.Entities, records)
	i.scratch.Entry = tape.Entry{
		Seq: c.Seq, At: c.Time.UnixNano(), Kind: c.Kind, Label: c.Label, Entities: c.Entities, Exchange: &c.Exchange,
	}
	before := i.tape.Bytes()
	i.append(&i.scratch.Entry)
	if c.Stranger {
		i.guests.Count(i.tape.Bytes() - before)
	}
	i.keep(records, effects)
	if c.At != 0 && i.order() == nil {
		i.scratch.effects = i.scratch.effects[:0] // a replay needs no network: what came back is on the tape
	}
	return i.take()
}

// digest tells a call from others by what of it will stand on the tape: a replay
// must come to the same. The body of a control call is left out: it may bring a
// secret, which is struck from then on, and from the call itself. What is told of a
// secret in another encoding is added to the advice.
func (i *Integration) digest(c *Call) kernel.Digest {
	i.known().Add(c.Secrets...)
	i.scratch.Entry = tape.Entry{Exchange: &c.Exchange}
	if i.strike(&i.scratch.Entry) {
		c.Advice = append(c.Advice, kernel.Finding{
			Clause: secret.ClausePersonal, Source: kernel.Assumed, Advisory: true,
			Received: "a secret of this integration in another encoding, struck", Expected: "secrets only where the caller is to be known by them",
			Fix: "leave it out; the sandbox keeps and shows no more than what is left",
		})
	}
	x := i.scratch.Entry.Exchange
	path := x.Path
	if id := cmp.Or(c.As, i.ID); c.Kind != tape.KindExchange && id != DefaultID { // a fork draws what its parent does
		path = strings.Replace(path, "/"+id+"/", "/"+DefaultID+"/", 1)
	}
	d := kernel.Digest{}.Text(string(c.Kind)).Text(x.Method).Text(path).Text(x.Query)
	if c.Kind == tape.KindControl {
		return d
	}
	return d.Bytes(x.Request.Body)
}

// pass forgets the secrets of the addresses of a call that is over.
func (i *Integration) pass() { i.scratch.passing, i.scratch.clear = secret.Values{}, asked{} }

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
	i.scratch.Forget() // a large body would live until the next entry
	i.weight.Follow(i.budget, i.world, i.scratch.brought)
	i.scratch.brought = 0
	i.arm()
	return i.board()
}

// present is the time of an input: the clock's, or the recorded one in a replay.
func (i *Integration) present(at int64) int64 {
	switch {
	case at == 0:
	case i.order() != nil:
		i.clock.Reach(at)
		return at
	default:
		i.clock.Move(at)
		return at
	}
	return i.clock.Now()
}

// fireBatch is how many timers fire between two moves of records to the tape.
const fireBatch = 256

// fire makes a virtual time the present, after everything that is due by then
// has happened and is on the tape.
func (i *Integration) fire(to int64) {
	for n := 1; ; n++ {
		due, ok := i.world.NextDue()
		if !ok || due > to {
			break
		}
		i.world.FireNext()
		if n%fireBatch == 0 {
			i.flush()
		}
	}
	i.world.Advance(to)
	i.flush()
}

// HungUp notes, as an input, that the caller of c hung up while its answer was
// held back; after is the wall time that it had waited. Call it after Do.
func (i *Integration) HungUp(c *Call, after time.Duration) {
	i.lock()
	if c.epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	if o := i.order(); o != nil {
		in := i.input(InputHangup)
		in.Cause, in.Entities, in.After = c.Seq, c.Entities, int64(after)
		i.mu.Unlock()
		if b, err := i.put(o, in); err == nil {
			i.Send(b)
		}
		return
	}
	now := i.clock.Now()
	i.fire(now)
	i.recordHangup(now, c.Seq, c.Entities, tape.Hangup{After: int64(after)})
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// recordHangup puts a caller's hanging up on the tape; the world has no use for it.
func (i *Integration) recordHangup(now int64, cause uint64, entities []string, h tape.Hangup) {
	seq := i.world.Begin(world.Input{Now: now})
	i.scratch.Entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindHangup, Entities: entities, Hangup: &h,
	}
	i.append(&i.scratch.Entry)
}

// recordAttempt gives an attempt's outcome to the world and to the tape.
func (i *Integration) recordAttempt(now int64, id uuid.UUID, cause uint64, a tape.Attempt, retryAfter string) {
	seq := i.world.Begin(world.Input{Now: now, Digest: kernel.Digest{}.Bytes(id[:])})
	out, err := i.world.Webhooks().Attempted(id, delivery.AttemptResult{Status: a.Status, RetryAfter: retryAfter, Date: tape.HeaderOf(a.ResponseHeader, "Date"), Error: a.Error})
	if err != nil {
		a.Reason = err.Error()
	} else {
		a.Next, a.Reason = out.Next, out.Reason
	}
	i.scratch.Entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindAttempt,
		Entities: []string{a.Delivery, a.Event, a.Endpoint}, Attempt: &a,
	}
	i.append(&i.scratch.Entry)
}

// recordFetch gives a downloaded file to the world and to the tape.
func (i *Integration) recordFetch(now int64, id uuid.UUID, cause uint64, f tape.Fetch) {
	seq := i.world.Begin(world.Input{Now: now, Digest: kernel.Digest{}.Bytes(id[:])})
	// A file that the world no longer waits for stays on the tape alone.
	_ = i.world.AttachmentFetched(world.FetchedAttachment{ID: id, ContentType: f.ContentType, Data: f.Body, Problem: f.Error})
	i.scratch.Entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindFetch,
		Entities: []string{id.String()}, Fetch: &f,
	}
	i.append(&i.scratch.Entry)
}

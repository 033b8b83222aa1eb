package door

import (
	"log/slog"
	"net/http"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Door is the way in and out of one surface.
type Door struct {
	// Kind is what the surface's calls are on the tape.
	Kind tape.Kind
	// Headers are the request headers that go on the tape, in this order.
	Headers []string
	// Dated answers have a Date, which is the virtual time.
	Dated bool
	// Ahead lets events that are to arrive before the answer leave before it.
	Ahead bool
	// Budget is what bodies are drawn from while their call is under way; nil has no
	// bound.
	Budget *budget.Bytes
	// Log gets what callers must not see.
	Log *slog.Logger
	// Wall is the wall clock, used to time requests; nil times nothing.
	Wall func() time.Time
	// Observe is told of every answered request, with status 0 when the answer was
	// cut; nil means nobody wants to know.
	Observe func(operation string, status int, took time.Duration)

	times stamps
}

// Steps are what a surface decides about one request. Serve calls the methods in
// the order in which they stand here.
type Steps interface {
	// Identify says by the request's line and headers alone what is called, and
	// whose call it is.
	Identify()
	// Limit is how many bytes the body may have, now that the caller is known as
	// well as the headers tell; 0 leaves it unread.
	Limit() int64
	// Decode makes a request of the body that was read.
	Decode()
	// Act comes to the answer: under the integration's lock, or with a nil world
	// when the call leaves no trace.
	Act(w *world.World, c *integration.Call)
	// Send sends the answer; flush makes sure that it is gone when Send returns.
	Send(flush bool)
}

// Serve takes a request through the house; v knows its exchange.
func (d *Door) Serve(w http.ResponseWriter, r *http.Request, x *Exchange, v Steps) {
	x.begin(d, w, r)
	defer x.giveBack(d.Budget)
	defer x.letGo()
	v.Identify()
	x.expose(d.Headers)
	most := v.Limit()
	if most > 0 {
		x.read(most)
	}
	x.begun()
	defer x.ended()
	v.Decode()
	d.answer(x, v)
	if d.Observe != nil {
		d.Observe(x.Call.Exchange.Operation, x.seen(), d.now().Sub(x.Began))
	}
	if x.Abort {
		panic(http.ErrAbortHandler)
	}
	x.giveBack(d.Budget)
	x.drain(most > 0)
}

// answer carries the call out, answers it, and then lets go what it has caused,
// even when the answer could not be written: write, flush, send.
func (d *Door) answer(x *Exchange, v Steps) {
	if x.On == nil || x.Untaped {
		v.Act(nil, &x.Call)
		x.hold()
		x.ended()
		v.Send(false)
		return
	}
	batch := x.On.Do(&x.Call, func(w *world.World, c *integration.Call) {
		v.Act(w, c)
		if !x.On.Ordered() { // where several apply the same calls, their tapes say the same
			x.hold()
		}
	})
	x.hold()
	x.ended()
	if x.Call.Failed != nil {
		x.notOrdered()
		return
	}
	if d.Ahead && !batch.Empty() {
		batch = x.On.SendAhead(batch)
	}
	defer x.On.Send(batch)
	v.Send(!batch.Empty() && !x.On.Settings().Is(latitude.EventBeforeResponseYes))
}

// longAnswer is from how many bytes on an answer is counted while it is held: what is
// shorter the system takes at once, whether or not the caller reads.
const longAnswer = 16 << 10

// hold counts a long answer until it is read. One that changes nothing is refused where
// too many are held already, and what is refused is on the tape as it is sent.
func (x *Exchange) hold() {
	n := int64(len(x.Out))
	if x.held > 0 || n <= longAnswer || x.Again != nil {
		return
	}
	if b := x.door.Budget; x.Req.Method != http.MethodGet && x.Req.Method != http.MethodHead {
		b.AnswerAnyway(n)
	} else if !b.Answer(n) {
		x.Out = nil
		x.Number()
		x.Put("Retry-After", "10")
		x.Problem(&kernel.Error{Code: kernel.Unavailable, Detail: "the answer is long, and the memory for answers is full of those that nobody reads: call again later, ask for less, or give the sandbox a larger --memory"}, http.StatusServiceUnavailable)
		x.Call.Exchange.Response = tape.Response{Status: x.Status, Header: x.Header, Body: x.Out}
		return
	}
	x.held = n
}

// letGo says that nobody waits for the answer any more.
func (x *Exchange) letGo() {
	if x.held > 0 {
		x.door.Budget.Answered(x.held)
		x.held = 0
	}
}

// giveBack puts back what reading the body has taken.
func (x *Exchange) giveBack(b *budget.Bytes) {
	if x.drawn > 0 {
		b.Give(x.drawn)
		x.drawn = 0
	}
}

// What is made of a large body until there is an answer takes about so many times as much.
const (
	large     = 256 << 10
	workTimes = 6
)

// begun waits, with a large body, until there is memory to work on it.
func (x *Exchange) begun() {
	if n := int64(x.Body.Len()); n > large {
		x.Begin(n)
	}
}

// Begin waits until there is memory to make an answer of so many bytes. A call whose body is
// large has begun.
func (x *Exchange) Begin(n int64) {
	if x.work == 0 {
		x.work = n * workTimes
		x.door.Budget.Begin(x.work)
	}
}

// ended lets others begin; the answer may take its time.
func (x *Exchange) ended() {
	if x.work > 0 {
		x.door.Budget.End(x.work)
		x.work = 0
	}
}

// now is the wall clock's time.
func (d *Door) now() time.Time {
	if d.Wall == nil {
		return time.Time{}
	}
	return d.Wall()
}

// Look lets a surface see a world without leaving a trace.
func (x *Exchange) Look(i *integration.Integration, run func(w *world.World)) {
	c := integration.Call{Silent: true, At: x.Call.At}
	i.Send(i.Do(&c, func(w *world.World, _ *integration.Call) { run(w) }))
}

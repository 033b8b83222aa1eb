package durable

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// How long a caller waits for the log, and how long an append may take before its
// outcome is unknown.
const (
	patience      = 5 * time.Second
	appendTimeout = 2 * time.Second
	retryAfter    = 100 * time.Millisecond
	lagTimeout    = 30 * time.Second
)

// The errors of Put.
var (
	// ErrNotTaken says that the log takes nothing now: nothing was done.
	ErrNotTaken = errors.New("the log takes nothing now: nothing was done")
	// ErrUnknown says that nobody knows whether the log has taken the input: if it has,
	// it will be applied.
	ErrUnknown = errors.New("the log has not answered: what was asked may be done later, or not at all")
)

// Runner drives the shards of a process: it appends what is put, and applies what the
// log holds. It is safe for concurrent use.
type Runner struct {
	opts   RunnerOptions
	lines  [Registry + 1]*line
	follow atomic.Uint64
	broken atomic.Pointer[error]
	down   atomic.Pointer[down]
	self   atomic.Pointer[uuid.UUID]
	begun  atomic.Bool     // effects are carried out
	news   chan struct{}   // Follow has read something
	ctx    context.Context //nolint:containedctx // It is how long the runner lasts.
	end    context.CancelFunc
	busy   sync.WaitGroup
	// gate is shared by who appends and applies, and held by who reads the whole state.
	gate    sync.RWMutex
	since   atomic.Int64 // inputs since the last snapshot
	keeping atomic.Bool
	counts  counts
}

// RunnerOptions are what a runner needs. All are required.
type RunnerOptions struct {
	// Log is what all inputs go to.
	Log Log
	// Machine applies inputs. It is called for one input of a shard at a time.
	Machine Machine
	// Wall is the wall clock, and ID draws ids.
	Wall func() time.Time
	ID   func() uuid.UUID
	Tell *slog.Logger
	// Shared says that other processes append to the log, too.
	Shared bool
	// Images are the snapshots that are kept, one for Every so many inputs, or messages of
	// a log that is shared; nil keeps none. State gives the machine's, which is the caller's
	// until back is called, or says that there is no room for it.
	Images *Images
	Every  int64
	// Build names the program: what others have come to is compared with who runs the same.
	Build string
	State func() (state [][]byte, back func(), err error)
}

// line is a shard with what waits for it.
type line struct {
	number int
	inbox  sync.Mutex
	in     []offered
	at     sync.Mutex // held by who reads, appends or applies
	shard  *Shard
	active bool // somebody drives the line; under inbox
	news   chan struct{}
	// lagging is since when a server has been behind what was read; under at
	lagging time.Time
	// took is how long the last append took, in nanoseconds.
	took atomic.Int64
	// refuses is why nothing is taken, if anything.
	refuses atomic.Pointer[error]
}

// NewRunner makes a runner whose shards are before their first batch.
func NewRunner(o RunnerOptions) *Runner {
	r := &Runner{opts: o, news: make(chan struct{}, 1)}
	self := o.ID()
	r.self.Store(&self)
	r.ctx, r.end = context.WithCancel(context.Background())
	for n := range r.lines {
		r.lines[n] = &line{number: n, news: make(chan struct{}, 1), shard: NewShard(n, self, Engine, o.Machine)}
		r.compare(r.lines[n], r.lines[n].shard)
	}
	return r
}

// Put appends an input and returns when it was applied: by c.Run, unless the taker
// has given up. Errors: ErrNotTaken, ErrUnknown, or why the shard applies no more.
func (r *Runner) Put(shard int, in Input, c *Call) error {
	l := r.lines[shard]
	if err := l.refuses.Load(); err != nil {
		return *err
	}
	c.done = make(chan error, 1)
	l.inbox.Lock()
	l.in = append(l.in, offered{in, c})
	r.wake(l)
	l.inbox.Unlock()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case err := <-c.done:
		return err
	case <-late.C:
	case <-r.ctx.Done():
	}
	if !c.state.CompareAndSwap(waiting, abandoned) {
		return <-c.done
	}
	return r.given(l, in.ID)
}

// given takes an input back, if it has not been sent.
func (r *Runner) given(l *line, id uuid.UUID) error {
	why := r.fails(errLate)
	l.inbox.Lock()
	defer l.inbox.Unlock()
	for n := range l.in {
		if l.in[n].in.ID == id {
			l.in = append(l.in[:n], l.in[n+1:]...)
			return why.of(ErrNotTaken)
		}
	}
	return why.of(ErrUnknown)
}

// wake lets a line be driven; the inbox is locked.
func (r *Runner) wake(l *line) {
	if !l.active {
		l.active = true
		r.busy.Add(1)
		go r.drive(l)
	}
}

// drive appends what there is to append, until there is nothing.
func (r *Runner) drive(l *line) {
	defer r.busy.Done()
	for {
		r.giveWay(l)
		then, seq, ok := r.appendNext(l)
		if !ok {
			return
		}
		r.keepSometimes(seq)
		switch then {
		case GoOn:
		case Stop:
			r.refuse(l)
			return
		case WaitAndRead:
			if r.pause(retryAfter) {
				r.abandon(l)
				return
			}
			fallthrough
		case ReadOn:
			if then == ReadOn && r.meets(l) {
				continue
			}
			if err := r.readOn(l); err != nil {
				r.refuse(l)
				return
			}
			if l.lags() && r.pause(retryAfter) {
				r.abandon(l)
				return
			}
		}
	}
}

// appendNext appends the next message, if there is one, and applies it. It gives the number
// of one that is kept and holds inputs.
func (r *Runner) appendNext(l *line) (then Then, kept uint64, ok bool) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	m, ok := r.next(l)
	if !ok {
		return GoOn, 0, false
	}
	ctx, cancel := context.WithTimeout(r.ctx, appendTimeout)
	began := r.opts.Wall()
	seq, err := r.opts.Log.Append(ctx, m)
	if err == nil {
		l.took.Store(int64(r.opts.Wall().Sub(began)))
		if m.Inputs > 0 {
			kept = seq
		}
	}
	cancel()
	if err != nil && !errors.Is(err, ErrBehind) {
		r.fails(err)
	} else {
		r.down.Store(nil)
	}
	l.at.Lock()
	defer l.at.Unlock()
	then = l.shard.Appended(m, seq, err)
	r.since.Add(l.shard.Fresh())
	return then, kept, true
}

// next moves what was put into the shard, and gives the message to append.
func (r *Runner) next(l *line) (Message, bool) {
	l.at.Lock()
	defer l.at.Unlock()
	l.inbox.Lock()
	defer l.inbox.Unlock()
	if l.shard.sent == nil {
		l.shard.pending = append(l.shard.pending, l.in...)
		l.in = nil
	}
	m, ok := l.shard.Next()
	if !ok {
		l.active = false
	}
	return m, ok
}

// pause waits, and says whether the runner has ended.
func (r *Runner) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false
	case <-r.ctx.Done():
		return true
	}
}

// Receive takes a message that Follow has read.
func (r *Runner) Receive(shard int, seq uint64, data []byte) error {
	l := r.lines[shard]
	l.at.Lock()
	err := l.shard.Receive(seq, data)
	r.since.Add(l.shard.Fresh()) // what a start reads counts: a process that is killed often takes snapshots, too
	r.follow.Store(seq)
	if l.shard.Waiting() > 0 { // what it is, is told at once
		l.inbox.Lock()
		r.wake(l)
		l.inbox.Unlock()
	}
	l.at.Unlock()
	tellOf(l.news)
	tellOf(r.news)
	if err != nil {
		r.refuse(l)
	}
	return err
}

// Close ends the runner: what waits is told so, and what is being appended ends.
func (r *Runner) Close() {
	r.end()
	r.busy.Wait()
}

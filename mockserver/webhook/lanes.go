package webhook

import (
	"context"
	"sync"

	"github.com/google/uuid"
)

// The widths of lanes. A lane always has one worker of its own, so that no crowd
// of dead receivers can hold it up. Up to seven more are spare ones, which
// all lanes share and give back when the lane is done, or when its receiver does
// not answer: a lane that hears nothing goes on with one worker until it does.
// There are thus never more workers, and sockets in use, than lanes with work
// and sharedWorkers together.
const (
	laneWidth     = 8
	sharedWorkers = 512
)

// laneKey names a lane: that of an endpoint, that of the second attempts that are
// made there at the same moment as others, or that of a host for downloads.
type laneKey struct {
	scope, host string
	endpoint    uuid.UUID
	second      bool
}

// job is something to send. It says whether it was answered.
type job func(ctx context.Context) bool

// lanes run jobs, those of different lanes independently of each other.
type lanes struct {
	// ctx is what the jobs run under.
	ctx     context.Context
	mu      sync.Mutex
	lanes   map[laneKey]*lane
	spare   int
	pending int
	// drained is closed when nothing is pending, once somebody waits for that;
	// from then on, or from shut on, the lanes are closed.
	drained chan struct{}
	closed  bool
	workers sync.WaitGroup
}

// lane is a queue of jobs and how many work on it. Its jobs run under a context of
// its own, which ends when its scope is forgotten.
type lane struct {
	key     laneKey
	ctx     context.Context
	end     context.CancelFunc
	queue   []job
	workers int
	silent  bool
}

func newLanes(ctx context.Context) *lanes {
	return &lanes{ctx: ctx, lanes: map[laneKey]*lane{}, spare: sharedWorkers}
}

// put queues a job; false when the lanes are closed.
func (l *lanes) put(key laneKey, j job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	n := l.lanes[key]
	if n == nil {
		n = &lane{key: key}
		n.ctx, n.end = context.WithCancel(l.ctx)
		l.lanes[key] = n
	}
	n.queue = append(n.queue, j)
	l.pending++
	l.staff(n)
	return true
}

// staff gives a lane with something to do one worker more, if it may have one.
func (l *lanes) staff(n *lane) {
	if len(n.queue) == 0 || n.workers == laneWidth {
		return
	}
	if n.workers > 0 {
		if n.silent || l.spare == 0 {
			return
		}
		l.spare--
	}
	n.workers++
	l.workers.Add(1)
	go l.work(n)
}

// work runs the jobs of a lane, one after the other.
func (l *lanes) work(n *lane) {
	defer l.workers.Done()
	for {
		j := l.next(n)
		if j == nil {
			return
		}
		l.ran(n, j(n.ctx))
	}
}

// next takes a job off the queue, or dismisses the worker: nil.
func (l *lanes) next(n *lane) job {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(n.queue) == 0 || n.silent && n.workers > 1 {
		l.dismiss(n)
		return nil
	}
	j := n.queue[0]
	n.queue[0] = nil
	n.queue = n.queue[1:]
	return j
}

func (l *lanes) dismiss(n *lane) {
	n.workers--
	if n.workers > 0 {
		l.spare++
		return
	}
	n.end()
	if l.lanes[n.key] == n { // it was not forgotten
		delete(l.lanes, n.key)
	}
}

// forget ends the jobs of a scope, those that wait too: each is run with a context that
// has ended. What is put afterwards goes into new lanes.
func (l *lanes) forget(scope string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, n := range l.lanes {
		if key.scope == scope {
			n.end()
			delete(l.lanes, key)
		}
	}
}

// ran notes that a job has ended.
func (l *lanes) ran(n *lane, answered bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.silent = !answered
	l.staff(n)
	l.pending--
	l.settle()
}

// settle closes the lanes when they are to be drained and nothing is left.
func (l *lanes) settle() {
	if l.drained != nil && !l.closed && l.pending == 0 {
		l.closed = true
		close(l.drained)
	}
}

// drain gives a channel that is closed when nothing is pending; what jobs put
// while they run is still taken.
func (l *lanes) drain() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drained == nil {
		l.drained = make(chan struct{})
	}
	l.settle()
	return l.drained
}

// shut takes nothing more, and waits for the workers, whose context has ended.
func (l *lanes) shut() {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.drained)
	}
	l.mu.Unlock()
	l.workers.Wait()
}

func (l *lanes) load() Load {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Load{Pending: l.pending, Lanes: len(l.lanes)}
}

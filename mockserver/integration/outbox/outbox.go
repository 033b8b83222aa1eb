// Package outbox knows the effects of one integration that are under way: what has left,
// what has come back, and in which order.
package outbox

import (
	"slices"
	"sync"
	"time"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// Job is one effect under way. What comes back is an input: under a real clock
// it is taken in as it arrives; under a manual clock when time moves or someone
// looks, in the order of departure, so that two runs are alike.
type Job struct {
	Effect kernel.Effect
	// View is what the world shows of a delivery.
	View delivery.View
	// Epoch is that of the integration when the job left.
	Epoch uint64
	// Taken says, under the integration's lock, that the answer has been taken in.
	Taken bool
	// Attempt, RetryAfter and Fetch are what has come back.
	Attempt    tape.Attempt
	RetryAfter string
	Fetch      tape.Fetch

	done   chan struct{} // closed when the outside has answered
	landed chan struct{} // closed when the answer has been taken in
}

// New gives a job that leaves for an effect.
func New(e kernel.Effect, epoch uint64) *Job {
	j := &Job{Effect: e}
	j.Leave(epoch)
	return j
}

// Leave lets a job leave, also one that has been read.
func (j *Job) Leave(epoch uint64) {
	j.Epoch, j.done, j.landed = epoch, make(chan struct{}), make(chan struct{})
}

// Pack lists what is under way: what the effect asks for, and how it left.
func (j *Job) Pack(k *kernel.Codec) {
	j.Effect.Pack(k)
	k.Require(j.Effect.Kind == kernel.FetchAttachment || j.Effect.Kind == kernel.SendDelivery, "an effect that there is")
	j.View.Pack(k)
}

// Arrived notes that the outside has answered, and Land that the answer was taken in.
func (j *Job) Arrived() { close(j.done) }

// Land notes that the answer has been taken in.
func (j *Job) Land() { close(j.landed) }

// Done is closed when the outside has answered.
func (j *Job) Done() <-chan struct{} { return j.done }

// over says whether the job has been taken in.
func (j *Job) over() bool {
	select {
	case <-j.landed:
		return true
	default:
		return false
	}
}

// Box knows the jobs under way, oldest first. It is safe for concurrent use.
type Box struct {
	mu   sync.Mutex
	jobs []*Job
	// landed counts the jobs that have been taken in and are still among jobs, as far as
	// it has been told.
	landed int
}

// Add notes jobs under way.
func (b *Box) Add(jobs []*Job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs = append(b.jobs, jobs...)
}

// Carries says whether an effect is under way; the integration's lock is held.
func (b *Box) Carries(e kernel.Effect) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.jobs, func(j *Job) bool { return j.Effect == e })
}

// UnderWay are the jobs whose results have not been taken in; the integration's lock
// is held.
func (b *Box) UnderWay() []*Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.jobs), func(j *Job) bool { return j.Taken })
}

// Tidy forgets jobs that have been taken in: the oldest at once, and those behind one
// that takes long when they are half of all.
func (b *Box) Tidy() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.landed++
	for len(b.jobs) > 0 && b.jobs[0].over() {
		b.jobs[0] = nil
		b.jobs = b.jobs[1:]
		b.landed--
	}
	if b.landed > len(b.jobs)/2 {
		b.jobs = slices.DeleteFunc(b.jobs, (*Job).over)
		b.landed = 0
	}
}

// Late are the receivers that had not answered when a wait for them was over: they
// are not waited for again in the same move of a real clock. Files share one place.
type Late map[[16]byte]bool

// Await waits for the jobs that are under way now, at most for a while, and notes who has
// kept it waiting.
func (b *Box) Await(most time.Duration, late Late) {
	b.mu.Lock()
	jobs := slices.DeleteFunc(slices.Clone(b.jobs), func(j *Job) bool { return late[j.View.Endpoint] })
	b.mu.Unlock()
	over := time.NewTimer(most)
	defer over.Stop()
	for n, j := range jobs {
		select {
		case <-j.landed:
		case <-over.C:
			for _, j := range jobs[n:] {
				if !j.over() {
					late[j.View.Endpoint] = true
				}
			}
			return
		}
	}
}

// First gives the oldest job, or nil.
func (b *Box) First() *Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.jobs) == 0 {
		return nil
	}
	return b.jobs[0]
}

// Drop forgets what is under way.
func (b *Box) Drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs, b.landed = nil, 0
}

package app

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"paysandbox/harness/partner"
)

// Job is a task with what belongs to it however often it is tried: its
// idempotency key, its reference and the word of its return address are drawn
// once.
type Job struct {
	// mu is held while it is tried.
	mu                   sync.Mutex
	task                 partner.Task
	key, reference, word string
	// made is the id of what it has brought about, "" before.
	made string
	// looks and outages count how often it could not be done; due is when it is
	// looked at again, waitsFor the entity whose state has to change.
	looks, outages int
	due            time.Time
	waitsFor       string
	// lost is true while nobody knows what became of its last call.
	lost bool
	// over is set when nothing more is to be done about it.
	over atomic.Bool
	// body is what was drawn for it.
	body object
}

// patientLooks is where counting begins for what an event will tell: the first
// look is a minute away.
const patientLooks = 5

// eagerLooks is how often a job is looked at in Manual mode whenever asked.
const eagerLooks = 3

// errNotYet is wrapped when something may not be done yet.
var errNotYet = errors.New("it may not be done yet")

// errNever says that something will never be allowed.
var errNever = errors.New("it may never be done")

// Made is the id of what the job has brought about, once it is over.
func (j *Job) Made() string { return j.made }

// Over says that nothing more is to be done about it.
func (j *Job) Over() bool { return j.over.Load() }

// Begin performs a task now, or keeps it.
func (a *App) Begin(ctx context.Context, t partner.Task) (*Job, error) {
	j := a.kept.jobOf(t)
	return j, a.try(ctx, j)
}

// try performs a job. What cannot be done now is kept, with a time to look again.
func (a *App) try(ctx context.Context, j *Job) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := a.perform(ctx, j)
	now := a.o.Now()
	switch {
	case errors.Is(err, errNotYet):
		j.due = now.Add(min(2*time.Second<<min(j.looks, 12), 30*time.Minute))
		if a.o.Manual && j.looks < eagerLooks {
			j.due = now // time does not pass by itself: look as soon as asked
		}
		j.looks++
	case errors.Is(err, errUnavailable):
		j.due = now.Add(min(5*time.Second<<min(j.outages, 8), 10*time.Minute))
		j.outages++
		a.o.Say(j.task.Do + " has to wait: " + err.Error())
	case errors.Is(err, errNever):
		a.o.Say(j.task.Do + " is given up: " + err.Error())
		err = nil
		fallthrough
	default:
		j.over.Store(true)
		return err
	}
	a.kept.put(j)
	return nil
}

// waitFor notes whose state has to change, and how far apart the looks at it are.
func (j *Job) waitFor(entity string, looks int) {
	if j.waitsFor != entity {
		j.waitsFor, j.looks = entity, looks
	}
}

// Drop gives up a job that waits.
func (a *App) Drop(j *Job) {
	a.kept.take(j)
	j.over.Store(true)
}

// once says whether the calls of a job are made a single time: in an outage that
// goes on, one look is enough.
func (j *Job) once() bool { return j.outages > 0 }

// doKept tries the kept jobs that are due, and says how many are done with.
func (a *App) doKept(ctx context.Context) (int, error) {
	done := 0
	for _, j := range a.kept.dueBy(a.o.Now()) {
		if err := a.try(ctx, j); err != nil {
			if ctx.Err() != nil {
				return done, err
			}
			a.o.Say(j.task.Do + " failed: " + err.Error())
		}
		if j.over.Load() {
			done++
		}
	}
	return done, nil
}

// kept holds the jobs that wait, oldest first, and knows every task's job.
type kept struct {
	mu   sync.Mutex
	jobs []*Job
	all  map[int]*Job
}

// jobOf gives the job of a task: the one that there is when it was performed
// before, so that it goes out under the same key.
func (k *kept) jobOf(t partner.Task) *Job {
	k.mu.Lock()
	defer k.mu.Unlock()
	j := k.all[t.ID]
	if j == nil || t.ID == 0 {
		j = &Job{task: t}
		k.all[t.ID] = j
	}
	k.remove(j)
	return j
}

func (k *kept) put(j *Job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Contains(k.jobs, j) {
		k.jobs = append(k.jobs, j)
	}
}

func (k *kept) take(j *Job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(j)
}

func (k *kept) remove(j *Job) {
	k.jobs = slices.DeleteFunc(k.jobs, func(other *Job) bool { return other == j })
}

// dueBy takes out the jobs that are due.
func (k *kept) dueBy(now time.Time) []*Job {
	k.mu.Lock()
	defer k.mu.Unlock()
	var due, later []*Job
	for _, j := range k.jobs {
		if j.due.After(now) {
			later = append(later, j)
		} else {
			due = append(due, j)
		}
	}
	k.jobs = later
	return due
}

// hurry makes due what waits for an entity that has changed.
func (k *kept) hurry(entity string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, j := range k.jobs {
		if j.waitsFor == entity {
			j.due = time.Time{}
		}
	}
}

func (k *kept) len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.jobs)
}

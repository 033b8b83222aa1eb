package observe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Config says what is watched, and how.
type Config struct {
	// Stage is the control API of the observed integration.
	Stage *partner.Stage
	// Faults lets trouble be made.
	Faults bool
	// Clauses are those that trouble is made for; the zero value takes all.
	Clauses clause.Filter
	// StateURL is the application's state probe; empty waits until the application
	// tells one by a note of kind state-probe.
	StateURL string
	// Polling says that the application reads states instead of receiving events: no
	// trouble is made for what it does not receive.
	Polling bool
	// Repeated says that what is watched is repeated until it is enough: nobody has to be
	// told that a longer session would show more.
	Repeated bool
	// Say hears one line for people about everything that is done; it may be nil.
	Say func(line string)
	// Now tells the time.
	Now func() time.Time
	// Keep hears what is new on the tape as it comes, one entry at least; it may be
	// nil. A tape that has begun anew begins with a number that was there before.
	Keep func(meta tape.Meta, entries []tape.Entry)
}

// The times and bounds of a session.
const (
	// pollFor is how long one reading of the tape waits for news.
	pollFor = 500 * time.Millisecond
	// pollSoon is the same while something is waited for.
	pollSoon = 50 * time.Millisecond
	// calm is how long nothing must happen until the session is quiet.
	calm = 400 * time.Millisecond
	// mostKept is how many entries of the tape are kept in memory.
	mostKept = 100_000
	// giveUp is how many readings in a row may fail.
	giveUp = 5
)

// Session watches one integration. Watch runs it; the other methods may be
// called from other goroutines.
type Session struct {
	panel   panel
	say     func(string)
	now     func() time.Time
	keep    func(tape.Meta, []tape.Entry)
	planner *trouble.Planner
	prober  *prober
	polling bool
	repeats bool

	// What follows belongs to Watch.
	meta    tape.Meta
	entries []tape.Entry
	tape    *trail.Trail
	judged  map[string]glance
	table   map[string]check.Check
	news    time.Time
	// enough says that it was told that no more trouble is made, met counts what was
	// met; waits is what was told last of what it waits for, and when.
	enough atomic.Bool
	met    atomic.Int64
	waits  []string
	waited time.Time
	// first is the entry that the tape began with, to see that it begins anew.
	first tape.Entry
	// refusals are those that were told.
	refusals map[string]bool

	mu    sync.Mutex
	rest  bool
	quiet chan struct{}
}

// NewSession makes a session; nothing is called before Watch.
func NewSession(c Config) *Session {
	s := &Session{
		panel: panel{c.Stage}, say: c.Say, now: c.Now, keep: c.Keep, prober: newProber(c.StateURL),
		judged: map[string]glance{}, refusals: map[string]bool{}, table: map[string]check.Check{}, quiet: make(chan struct{}),
	}
	if s.say == nil {
		s.say = func(string) {}
	}
	if s.keep == nil {
		s.keep = func(tape.Meta, []tape.Entry) {}
	}
	var troubles []trouble.Trouble
	if c.Faults {
		troubles = trouble.Troubles()
	}
	s.polling, s.repeats = c.Polling, c.Repeated
	s.planner = trouble.NewPlanner(troubles, func(id string) bool {
		return c.Clauses.Takes(id) && (!c.Polling || !strings.HasPrefix(id, "partner.webhook."))
	})
	for _, one := range check.Integration() {
		s.table[one.ID] = one
	}
	return s
}

// Watch follows the tape and makes trouble until the context ends, and takes
// back at the end what is still armed. The error means that the sandbox does not
// answer.
func (s *Session) Watch(ctx context.Context) error {
	failed := 0
	s.news = s.now()
	if s.polling {
		s.tellNote(ctx, trail.NoteUses, "the application reads states instead of receiving events", map[string]bool{"polling": true})
	}
	for ctx.Err() == nil {
		err := s.step(ctx)
		switch {
		case ctx.Err() != nil:
		case err == nil:
			failed = 0
		default:
			if failed++; failed == giveUp {
				return fmt.Errorf("the sandbox does not answer: %w", err)
			}
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return s.carryOut(ending, s.planner.Rest())
}

// step reads what is new and does what follows.
func (s *Session) step(ctx context.Context) error {
	wait := pollFor
	if s.planner.Busy() || s.prober.waits() {
		wait = pollSoon
	}
	meta, entries, err := s.panel.read(ctx, s.last(), wait)
	if err != nil {
		return err
	}
	now := s.now()
	if len(entries) == 0 {
		meta, entries = s.begunAnew(ctx)
	}
	begins := len(s.entries) == 0
	s.take(meta, entries, now)
	if begins {
		s.liftLeft(ctx, entries)
	}
	if s.resting() {
		err = s.carryOut(ctx, s.planner.Rest())
	}
	err = errors.Join(err, s.carryOut(ctx, s.planner.Next(now, s.verdict)))
	if s.prober.due(now) {
		s.probe(ctx, false)
	}
	s.tellEnough(ctx, now)
	s.settle(now)
	return err
}

// take takes in what is new on the tape.
func (s *Session) take(meta tape.Meta, entries []tape.Entry, now time.Time) {
	if len(s.entries) == 0 {
		s.meta = meta
	}
	if len(entries) == 0 {
		return
	}
	if len(s.entries) == 0 {
		s.first = entries[0]
	}
	s.keep(meta, entries)
	s.entries = append(s.entries, entries...)
	s.bound()
	s.tape = nil
	s.planner.Take(entries, now)
	s.prober.take(entries, now)
	s.tellForeign()
	for i := range entries {
		if stirs(&entries[i]) {
			s.news = now
		}
		s.tellRefusal(&entries[i])
	}
}

// mostRefusals is how many refusals are told as they come.
const mostRefusals = 10

// tellRefusal tells of a call that was refused, the first one of each operation and
// reason: whoever integrates wants to know it at once.
func (s *Session) tellRefusal(e *tape.Entry) {
	x := e.Exchange
	if e.Kind != tape.KindExchange || x == nil || x.Response.Status < 400 || x.Response.Status >= 500 || trail.Faulted(x) {
		return
	}
	detail := trail.ReadBody(x.Response.Body).Text("detail")
	if known := x.Operation + detail; !s.refusals[known] && len(s.refusals) < mostRefusals {
		s.refusals[known] = true
		s.say(fmt.Sprintf("entry #%d: %s %s was refused with %d: %s", e.Seq, x.Method, x.Path, x.Response.Status, detail))
	}
}

// bound forgets the older half of what is kept when it becomes too much. The
// checks are told.
func (s *Session) bound() {
	if len(s.entries) <= mostKept {
		return
	}
	cut := len(s.entries) / 2
	s.meta.Dropped += uint64(cut)
	s.entries = slices.Clone(s.entries[cut:])
	s.meta.First = s.entries[0].Seq
}

// stirs says whether an entry is something that happens, and not the session's
// own doing.
func stirs(e *tape.Entry) bool {
	return e.Kind != tape.KindControl || e.Exchange != nil && !trouble.Own(e.Exchange)
}

// last is the number of the newest entry that is known.
func (s *Session) last() uint64 {
	if len(s.entries) == 0 {
		return 0
	}
	return s.entries[len(s.entries)-1].Seq
}

// carryOut does what the planner asks for.
func (s *Session) carryOut(ctx context.Context, list []trouble.Action) error {
	var all error
	for i := range list {
		a := &list[i]
		if err := s.act(ctx, a); err != nil && ctx.Err() == nil {
			s.say(fmt.Sprintf("trouble could not be made or lifted: %v", err))
			all = errors.Join(all, err)
		}
	}
	return all
}

// act does one thing, tells it, and leaves a note of trouble before it is made.
func (s *Session) act(ctx context.Context, a *trouble.Action) error {
	switch a.Do {
	case trouble.Make:
		text := "trouble: " + a.Trouble.Say + " (" + a.Trouble.Words() + ")"
		s.say(text)
		if err := s.panel.note(ctx, trail.NoteTrouble, a.Trouble.Say, a.Note()); err != nil {
			return err
		}
		return s.panel.arm(ctx, a)
	case trouble.GoOn:
		return s.panel.arm(ctx, a)
	case trouble.Lift:
		return s.panel.lift(ctx, a)
	case trouble.GiveBack:
		return s.panel.profile(ctx, a.Endpoint, a.Profile)
	case trouble.Resend:
		s.probe(ctx, true)
		return s.panel.resend(ctx, a.Delivery)
	case trouble.Met:
		s.met.Add(1)
		s.say(fmt.Sprintf("met: %s, entry #%d", a.Trouble.Name, a.Entry))
	case trouble.Over:
		for _, id := range a.Trouble.Clauses {
			s.say(fmt.Sprintf("  %s: %s", id, s.standing(id)))
		}
	case trouble.GiveUp:
		for _, id := range a.Clauses {
			why := "no more trouble is made for it; journeys may show it (`paysandbox journey list`)"
			if a.Waits != "" {
				why = "what its trouble waits for does not come: " + a.Waits
			}
			s.say(fmt.Sprintf("  %s: given up, %s", id, why))
		}
	}
	return nil
}

package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// The bounds of a state probe.
const (
	probeWait = 2 * time.Second
	// probeMost is how much of an answer is read, in bytes: some 300,000 payments.
	probeMost = 32 << 20
	// probeAfter is how long after the latest delivery the application is asked,
	// probeCalm how long after it once more, when all its work should be done, and
	// probeEvery how long after the last time.
	probeAfter = 100 * time.Millisecond
	probeCalm  = 600 * time.Millisecond
	probeEvery = 250 * time.Millisecond
	// probeAgain is how long after it the application is asked once more while it has
	// not taken back what the bank has returned, until it has had its time.
	probeAgain = time.Second
)

// prober decides when the application is asked for its state: after deliveries
// have come in and it had a moment to act on them.
type prober struct {
	mu sync.Mutex
	// url is the probe's address, empty until it is known; mu guards it.
	url string
	// foreign is an address that was told and is not of this machine.
	foreign string
	// given says that the address was given to the session itself: it may be any.
	given bool
	// wanted is the time from which on it is to be asked; zero when nothing has
	// happened since.
	wanted time.Time
	// calm is when it is to be asked once more, late when it is, at last, after it has had
	// its time: nothing waits for that.
	calm   time.Time
	late   time.Time
	asked  time.Time
	client *http.Client
	// returned are the payments that the bank has returned, and when: those that the
	// application has not taken back yet.
	returned map[string]time.Time
	// slow is how long the application takes to answer, of late.
	slow time.Duration
	// moved are the things whose state has changed since the application has read it.
	moved map[string]bool
	// sent is what the last answer that was too long for a note has told.
	sent map[string]trail.Book
	// problem is the one that was told last, failed counts the times in a row that
	// the application has not answered.
	problem string
	failed  int
}

func newProber(given string) *prober {
	return &prober{url: given, given: given != "", returned: map[string]time.Time{}, moved: map[string]bool{}, client: &http.Client{
		Timeout:       probeWait,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// waits says whether the application is about to be asked.
func (p *prober) waits() bool { return p.address() != "" && !p.wanted.IsZero() }

// address is where the application is asked; empty while that is not known.
func (p *prober) address() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.url
}

// learn takes the address that the application has told.
func (p *prober) learn(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.url = address
}

// due says whether now is the time.
func (p *prober) due(now time.Time) bool {
	wanted := p.waits() && !now.Before(p.wanted) || p.isLate(now)
	// One that does not answer holds up the session: it is asked less and less often.
	return wanted && now.Sub(p.asked) >= probeEvery<<min(p.failed, 7)
}

// isLate says whether it is time for the last question, which is asked once.
func (p *prober) isLate(now time.Time) bool {
	return p.address() != "" && !p.late.IsZero() && !now.Before(p.late)
}

// take looks for what changes the application's state, and for the note by which
// it tells its probe.
func (p *prober) take(entries []tape.Entry, now time.Time) {
	for i := range entries {
		e := &entries[i]
		if address, told := probeNote(e); told && !p.given {
			p.hear(address)
		}
		if m := e.Transition; trail.Collects(e) && m.From == "Paid" && m.To == "Failed" {
			p.returned[m.Entity] = now
		}
		if e.Attempt != nil || trail.NoteOf(e, trail.NoteRedirect).Kind != "" || p.learnt(e) {
			if p.wanted.IsZero() || p.wanted.After(now.Add(probeAfter)) { // what comes next does not put it off
				p.wanted = now.Add(probeAfter)
			}
			p.calm, p.late = now.Add(probeCalm), now.Add(trail.PatienceWith(p.slow)+probeAgain)
		}
	}
}

// learnt says whether an application that reads states has just read one that is new.
func (p *prober) learnt(e *tape.Entry) bool {
	if m := e.Transition; m != nil && len(p.moved) < movedMost {
		p.moved[m.Entity] = true
	}
	if e.Kind != tape.KindExchange || e.Exchange == nil {
		return false
	}
	news := false
	switch trail.OperationOf(e.Exchange).Reads {
	case trail.OneState:
		for _, id := range e.Entities {
			news = news || p.moved[id]
			delete(p.moved, id)
		}
	case trail.Report:
		news = len(p.moved) > 0
		clear(p.moved)
	default:
	}
	return news
}

// movedMost bounds what is remembered of things of which no state is read.
const movedMost = 100_000

// hear takes the address that a note has told, if it is one of this machine.
func (p *prober) hear(address string) {
	if local(address) {
		p.learn(address)
		return
	}
	p.foreign = address
}

// probeNote reads the note by which an application tells its probe.
func probeNote(e *tape.Entry) (string, bool) {
	var data struct {
		URL string `json:"url"`
	}
	n := trail.NoteOf(e, trail.NoteProbe)
	told := n.Kind == trail.NoteProbe && n.Into(&data) && data.URL != ""
	return data.URL, told
}

// local says whether an address is one of this machine: others are only asked
// when the user has named them.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// probe asks the application for its state and puts the answer on the tape. now
// asks although nothing is waited for.
func (s *Session) probe(ctx context.Context, now bool) {
	p := s.prober
	late := p.isLate(s.now())
	if p.address() == "" || !now && !p.waits() && !late {
		return
	}
	if p.asked = s.now(); late {
		p.late = time.Time{}
	}
	if p.wanted = p.calm; !p.asked.Before(p.calm) {
		p.wanted = time.Time{}
	}
	state, err := p.ask(ctx)
	took := s.now().Sub(p.asked)
	p.slow = max(took, p.slow/2)
	if p.failed++; err == nil {
		p.failed = 0
		err = s.noteState(ctx, state, took)
		if p.owes(state) {
			p.wanted = p.asked.Add(probeAgain)
			p.calm = p.wanted
		}
	}
	var gone *net.OpError
	if err == nil || ctx.Err() != nil || errors.As(err, &gone) || err.Error() == p.problem {
		return
	}
	p.problem = err.Error()
	s.say(fmt.Sprintf("the state probe %s cannot be used: %v", p.address(), err))
	if err := s.panel.note(ctx, trail.NoteUnread, "the state probe's answer cannot be used", map[string]string{"problem": p.problem}); err != nil {
		s.say("that could not be noted: " + err.Error())
	}
}

// owes says whether the application has still to take back what the bank has
// returned, and still has the time.
func (p *prober) owes(state json.RawMessage) bool {
	if len(p.returned) == 0 {
		return false
	}
	read, err := trail.ReadState(state)
	if err != nil {
		return false
	}
	for _, e := range read.Payments {
		since, returned := p.returned[e.ID]
		if returned && (e.Fulfilled <= e.Reversed || p.asked.Sub(since) > trail.PatienceWith(p.slow)+2*probeAgain) {
			delete(p.returned, e.ID)
		}
	}
	return slices.ContainsFunc(read.Payments, func(e trail.Book) bool { return !p.returned[e.ID].IsZero() })
}

// tellForeign says once that an application has named a probe that is not asked.
func (s *Session) tellForeign() {
	p := s.prober
	if p.foreign != "" && p.problem == "" {
		p.problem = p.foreign
		s.say(fmt.Sprintf("the application names the state probe %s, which is not on this machine: give it by --state-url", p.foreign))
	}
}

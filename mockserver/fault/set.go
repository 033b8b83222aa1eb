package fault

import (
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// The bounds of a set.
const (
	// MaxArmed is how many faults a set lists at once; one that is spent makes
	// room for a new one.
	MaxArmed = 1000
	// MaxHits is how many hits of one fault are remembered, the newest.
	MaxHits = 100
	// maxRevoked bounds the withdrawn tokens; the one withdrawn first goes.
	maxRevoked = 10_000
)

// Errors of Arm.
var (
	// ErrFull says that the set holds MaxArmed faults of which none is spent.
	ErrFull = errors.New("there are too many armed faults; remove some first")
	// ErrNameTaken says that another fault of the set has the name.
	ErrNameTaken = errors.New("another fault has this name")
)

// Fault is trouble that waits for its calls.
type Fault struct {
	// ID names the fault in its set; empty lets the set choose fault-1, fault-2, …
	ID string
	// Match says which calls it meets.
	Match Match
	// Effect is what happens to them.
	Effect Effect
	// Count is how many calls it changes; 0 means every one until it ends or is removed.
	Count int
	// Until is the virtual time, in nanoseconds since 1970 UTC, from which on it changes
	// no call any more; 0 means that no time ends it.
	Until int64
}

// Armed is a fault of a set with what it has done so far.
type Armed struct {
	Fault
	// Seen counts the matching calls while it waits, Hits those that it has
	// changed.
	Seen, Hits int
	// Log are the newest hits, oldest first, at most MaxHits.
	Log []Hit
}

// Hit is one call that a fault has changed.
type Hit struct {
	// Exchange is the call's number on the tape.
	Exchange uint64
	// At is the virtual time in nanoseconds since 1970 UTC.
	At int64
}

// Remaining is how many more calls the fault changes; -1 means all that come.
func (a *Armed) Remaining() int {
	if a.Count == 0 {
		return -1
	}
	return a.Count - a.Hits
}

// Over says whether its time has come to an end. What is over stays so: no clock goes back.
func (a *Armed) Over(now int64) bool { return a.Until != 0 && now >= a.Until }

// Met is the fault that a call meets.
type Met struct {
	// ID names the fault, Effect is what happens to the call, and Until when the fault ends.
	ID     string
	Effect Effect
	Until  int64
}

// due says whether the fault changes the call that it has just seen.
func (a *Armed) due() bool { return a.Seen >= max(a.Match.Nth, 1) && a.Remaining() != 0 }

// Set holds the faults of one integration and the tokens that they have
// withdrawn. The zero value is an empty set; it is safe for concurrent use, but
// only calls in a fixed order give the same result again.
type Set struct {
	// busy counts the faults that wait and the tokens that are withdrawn.
	busy atomic.Int64

	mu      sync.Mutex
	all     []*Armed
	waiting []*Armed
	named   int
	revoked map[string]string
	oldest  []string
}

// Idle says that no call can meet a fault. It is cheap.
func (s *Set) Idle() bool { return s.busy.Load() == 0 }

// Arm adds a fault and gives it back with its id. The effect must be valid; now is the
// virtual time.
func (s *Set) Arm(f Fault, now int64) (Armed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.ID != "" && s.find(f.ID) >= 0 {
		return Armed{}, ErrNameTaken
	}
	if len(s.all) >= MaxArmed && !s.dropSpent(now) {
		return Armed{}, ErrFull
	}
	for f.ID == "" || s.find(f.ID) >= 0 {
		s.named++
		f.ID = "fault-" + strconv.Itoa(s.named)
	}
	a := &Armed{Fault: f}
	s.all, s.waiting = append(s.all, a), append(s.waiting, a)
	s.count()
	return *a, nil
}

// dropSpent forgets the oldest fault that changes no more calls.
func (s *Set) dropSpent(now int64) bool {
	at := slices.IndexFunc(s.all, func(a *Armed) bool { return a.Remaining() == 0 || a.Over(now) })
	if at < 0 {
		return false
	}
	s.waiting = without(s.waiting, s.all[at])
	s.all = slices.Delete(s.all, at, at+1)
	return true
}

// Next tells which fault changes a call: of those that match and are due, the
// one armed first. Every fault that matches counts the call, until it is over.
func (s *Set) Next(c *Call) (m Met, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(a *Armed) bool { return a.Over(c.At) })
	defer s.count()
	var hit *Armed
	for _, a := range s.waiting {
		if !a.Match.fits(c) || a.Effect.Revoke != "" && c.Token == "" {
			continue
		}
		a.Seen++
		if hit == nil && a.due() {
			hit = a
		}
	}
	if hit == nil {
		return Met{}, false
	}
	hit.Hits++
	if len(hit.Log) == MaxHits {
		hit.Log = slices.Delete(hit.Log, 0, 1)
	}
	hit.Log = append(hit.Log, Hit{c.Exchange, c.At})
	if hit.Remaining() == 0 {
		s.waiting = without(s.waiting, hit)
	}
	return Met{hit.ID, hit.Effect, hit.Until}, true
}

// List gives the faults, oldest first, spent ones too.
func (s *Set) List() []Armed {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Armed, 0, len(s.all))
	for _, a := range s.all {
		one := *a
		one.Log = slices.Clone(a.Log)
		list = append(list, one)
	}
	return list
}

// Remove takes a fault out and says whether it was there. Tokens that it has
// withdrawn stay withdrawn.
func (s *Set) Remove(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(id)
	if at < 0 {
		return false
	}
	s.waiting = without(s.waiting, s.all[at])
	s.all = slices.Delete(s.all, at, at+1)
	s.count()
	return true
}

// Clear takes all faults out and says how many there were. Tokens that they
// have withdrawn stay withdrawn, and their ids are not given again.
func (s *Set) Clear() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.all)
	s.all, s.waiting = nil, nil
	s.count()
	return n
}

// Reset makes the set as it was at first.
func (s *Set) Reset() { s.Become(&Set{}) }

// Revoke withdraws the token with the id on behalf of a fault.
func (s *Set) Revoke(token, by string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.revoked[token]; known || token == "" {
		return
	}
	if len(s.oldest) == maxRevoked {
		delete(s.revoked, s.oldest[0])
		s.oldest = slices.Delete(s.oldest, 0, 1)
	}
	if s.revoked == nil {
		s.revoked = map[string]string{}
	}
	s.revoked[token] = by
	s.oldest = append(s.oldest, token)
	s.count()
}

// KeepRevoked withdraws what another set has withdrawn.
func (s *Set) KeepRevoked(before *Set) {
	before.mu.Lock()
	defer before.mu.Unlock()
	for _, token := range before.oldest {
		s.Revoke(token, before.revoked[token])
	}
}

// Revoked tells which fault has withdrawn the token with the id, if one has.
func (s *Set) Revoked(token string) (by string, gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	by, gone = s.revoked[token]
	return by, gone
}

// count keeps Idle's word; the lock is held.
func (s *Set) count() { s.busy.Store(int64(len(s.waiting) + len(s.revoked))) }

// find is the fault's place, or -1; the lock is held.
func (s *Set) find(id string) int {
	return slices.IndexFunc(s.all, func(a *Armed) bool { return a.ID == id })
}

// without gives the list without one fault.
func without(list []*Armed, a *Armed) []*Armed {
	if at := slices.Index(list, a); at >= 0 {
		return slices.Delete(list, at, at+1)
	}
	return list
}

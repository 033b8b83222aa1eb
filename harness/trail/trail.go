// Package trail reads a tape as a harness does: the calls of the application, the
// deliveries and what the receiver made of them, notes, tasks, answers of the state
// probe, changes of state, and how much time the application let pass between them.
// It owns the one lenient reader of JSON bodies and the one table of what the
// operations of the partner API do; whoever judges a tape, follows it or tells about
// it asks here, and reads nothing of a tape by itself.
//
// It judges nothing, makes no calls, reads no clock and changes no entry.
package trail

import (
	"iter"
	"slices"
	"sync"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Omitted notes the entries of a kind whose content was too large for the tape.
func (t *Trail) Omitted(y *verdict.Tally, kind tape.Kind) {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Omitted > 0 && e.Kind == kind {
			y.Open("the content of this entry was too large for the tape", e.Seq)
		}
	}
}

// Subject is the resource that an entry is about.
func Subject(e *tape.Entry) string {
	if len(e.Entities) == 0 {
		return ""
	}
	return e.Entities[0]
}

// LostCause says whether what caused an entry has been dropped, and with it
// perhaps other consequences.
func (t *Trail) LostCause(e *tape.Entry) bool { return t.Meta.Dropped > 0 && e.Cause < t.Meta.First }

// Unsure is fail where the tape shows everything that could explain what was
// seen, and an open question where a part of it is missing.
func (t *Trail) Unsure(y *verdict.Tally, expected, received string, entries ...uint64) {
	t.UnsureAs(y, "", expected, received, entries...)
}

// UnsureAs is Unsure of a way for which the clause has a hint of its own.
func (t *Trail) UnsureAs(y *verdict.Tally, way, expected, received string, entries ...uint64) {
	if t.Meta.Dropped > 0 || t.Stubbed(tape.KindExchange, tape.KindControl, tape.KindAttempt, tape.KindTransition, tape.KindEvent) {
		y.Open(received+", and what may explain it is not on the tape", entries...)
		return
	}
	y.FailAs(way, expected, received, entries...)
}

// Trail is a tape with what is looked up in it. It is safe for concurrent use; its
// entries and whatever it gives out are shared, and not to be changed.
type Trail struct {
	// Meta is the tape's first line and Entries are the others, oldest first.
	Meta    tape.Meta
	Entries []tape.Entry

	index map[uint64]int
	stubs map[tape.Kind]bool
	// born are the transitions that have created the resources, by their ids.
	born map[string]*tape.Entry
	// moves are the moves of the clock, oldest first.
	moves []move
	// facts are what was read once, by its name.
	facts sync.Map
	// bodies are those of requests and answers that were read, by their sides of the exchange.
	bodies sync.Map
}

// Judge is a function that judges one clause or rule by a trail; none stands in this package.
type Judge func(t *Trail) []verdict.Judgement

// New makes a trail of a tape. The entries are not copied; the whole tape has to be
// given, not a filtered one.
func New(meta tape.Meta, entries []tape.Entry) *Trail {
	t := &Trail{
		Meta: meta, Entries: slices.Clip(entries),
		index: make(map[uint64]int, len(entries)), stubs: map[tape.Kind]bool{}, born: map[string]*tape.Entry{},
	}
	t.read(0)
	return t
}

// Append adds what has come since, for one who follows a tape while nobody else reads the
// trail. Facts that were read before are read anew.
func (t *Trail) Append(entries []tape.Entry) {
	from := len(t.Entries)
	t.Entries = append(t.Entries, entries...)
	t.facts.Clear()
	t.read(from)
}

// read looks at the entries from one on.
func (t *Trail) read(from int) {
	for i := range t.Entries[from:] {
		e := &t.Entries[from+i]
		t.index[e.Seq] = from + i
		if e.Omitted > 0 {
			t.stubs[e.Kind] = true
		}
		if c := e.Clock; c != nil {
			t.moved(e.Seq, c.To-c.From)
		}
		if m := e.Transition; m != nil && m.From == "" && t.born[m.Entity] == nil {
			t.born[m.Entity] = e
		}
	}
}

// Once gives a fact about a trail, which is read when it is first asked for, and
// shared then. The name is the fact's own in the whole harness.
func Once[F any](t *Trail, name string, read func() F) F {
	type fact struct {
		sync.Once
		value F
	}
	one, _ := t.facts.LoadOrStore(name, &fact{})
	f := one.(*fact) //nolint:forcetypeassert // a name stands for one fact
	f.Do(func() { f.value = read() })
	return f.value
}

// State is the present state of a resource, "" when the tape does not show it.
func (t *Trail) State(id string) string {
	for _, e := range slices.Backward(t.Entries) {
		if e.Transition != nil && e.Transition.Entity == id {
			return e.Transition.To
		}
	}
	return ""
}

// Born is the transition that has created a resource, nil when it is not there.
func (t *Trail) Born(id string) *tape.Entry { return t.born[id] }

// From are the entries from one of the tape on, in its order.
func (t *Trail) From(seq uint64) []tape.Entry { return t.Entries[t.index[seq]:] }

// Entry gives the entry with a number, nil when it is not there.
func (t *Trail) Entry(seq uint64) *tape.Entry {
	i, ok := t.index[seq]
	if !ok {
		return nil
	}
	return &t.Entries[i]
}

// Cut says whether a part of the tape was dropped, or of entries of these kinds
// the bodies: then not to find something means nothing.
func (t *Trail) Cut(kinds ...tape.Kind) bool {
	return t.Meta.Dropped > 0 || t.Stubbed(kinds...)
}

// Stubbed says whether the content of entries of these kinds was dropped.
func (t *Trail) Stubbed(kinds ...tape.Kind) bool {
	for _, k := range kinds {
		if t.stubs[k] {
			return true
		}
	}
	return false
}

// Chose says whether the tape was made under a choice of the latitude ledger
// that is not the default.
func (t *Trail) Chose(knobs ...string) string {
	for _, k := range knobs {
		if v := t.Meta.Latitude[k]; v != "" {
			return k + "=" + v
		}
	}
	return ""
}

// Of walks the entries of a kind that have their body.
func (t *Trail) Of(kind tape.Kind) iter.Seq[*tape.Entry] {
	return func(yield func(*tape.Entry) bool) {
		for i := range t.Entries {
			if e := &t.Entries[i]; e.Kind == kind && e.Omitted == 0 && !yield(e) {
				return
			}
		}
	}
}

// Last is the latest virtual time on the tape.
func (t *Trail) Last() int64 {
	var at int64
	for i := range t.Entries {
		at = max(at, t.Entries[i].At)
	}
	return at
}

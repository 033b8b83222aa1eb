package check

import (
	"iter"
	"strings"
	"sync"

	"paysandbox/mockserver/tape"
)

// Options are what a tape does not say. The zero value judges what can be judged
// without.
type Options struct {
	// Document is the service's OpenAPI description, read once for many tapes.
	Document *Document
	// OpenAPI is the description as JSON, where Document is nil. Without either
	// answers are not held to it.
	OpenAPI []byte
	// WebhookSecrets are the secrets of webhook endpoints by their ids, several
	// where they were changed; those under "" are tried for every endpoint. An
	// empty secret admits deliveries without a signature.
	WebhookSecrets map[string][]string
	// Secrets must stand nowhere on the tape. Shorter ones than six bytes are
	// left out: they stand everywhere.
	Secrets []string
	// Off are the ids of checks that are switched off.
	Off []string
}

// Tape is a tape with what the checks look up in it. It is not changed by them
// and safe for concurrent use.
type Tape struct {
	// Meta is the tape's first line and Entries are the others, oldest first.
	Meta    tape.Meta
	Entries []tape.Entry

	opts  Options
	index map[uint64]int
	stubs map[tape.Kind]bool
	// born are the transitions that have created the resources, by their ids.
	born map[string]*tape.Entry
	// moves are the moves of the clock, oldest first.
	moves []move
	// own is the tape without the calls that were announced as wrong on purpose, calls
	// are those of the application, and folk are the people that the tape tells of: the
	// checks of [Integration] share them.
	own   func() *Tape
	calls func() []try
	folk  func() *people
}

// New makes a tape for the checks. The entries are not copied; the whole tape
// has to be given, not a filtered one.
func New(meta tape.Meta, entries []tape.Entry, o Options) *Tape {
	t := &Tape{
		Meta: meta, Entries: entries, opts: o,
		index: make(map[uint64]int, len(entries)), stubs: map[tape.Kind]bool{}, born: map[string]*tape.Entry{},
	}
	for i := range entries {
		e := &entries[i]
		t.index[e.Seq] = i
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
	t.own = sync.OnceValue(func() *Tape { return t.without(t.LeftOut()) })
	t.calls = sync.OnceValue(t.attempted)
	t.folk = sync.OnceValue(t.people)
	return t
}

// Options gives what the tape was made with.
func (t *Tape) Options() Options { return t.opts }

// entry gives the entry with a number, nil when it is not there.
func (t *Tape) entry(seq uint64) *tape.Entry {
	i, ok := t.index[seq]
	if !ok {
		return nil
	}
	return &t.Entries[i]
}

// cut says whether a part of the tape was dropped, or of entries of these kinds
// the bodies: then not to find something means nothing.
func (t *Tape) cut(kinds ...tape.Kind) bool {
	return t.Meta.Dropped > 0 || t.stubbed(kinds...)
}

// stubbed says whether the content of entries of these kinds was dropped.
func (t *Tape) stubbed(kinds ...tape.Kind) bool {
	for _, k := range kinds {
		if t.stubs[k] {
			return true
		}
	}
	return false
}

// chose says whether the tape was made under a choice of the latitude ledger
// that is not the default.
func (t *Tape) chose(knobs ...string) string {
	for _, k := range knobs {
		if v := t.Meta.Latitude[k]; v != "" {
			return k + "=" + v
		}
	}
	return ""
}

// of walks the entries of a kind that have their body.
func (t *Tape) of(kind tape.Kind) iter.Seq[*tape.Entry] {
	return func(yield func(*tape.Entry) bool) {
		for i := range t.Entries {
			if e := &t.Entries[i]; e.Kind == kind && e.Omitted == 0 && !yield(e) {
				return
			}
		}
	}
}

// last is the latest virtual time on the tape.
func (t *Tape) last() int64 {
	var at int64
	for i := range t.Entries {
		at = max(at, t.Entries[i].At)
	}
	return at
}

// header finds a header whatever the case of its letters, and says whether it is
// there.
func header(list []tape.Header, name string) (string, bool) {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return list[i].Value, true
		}
	}
	return "", false
}

// served says whether an exchange was answered with success, and not in place
// of the service by a fault.
func served(x *tape.Exchange) bool { return x.Response.Status >= 200 && x.Response.Status < 300 }

// replayed says whether an answer was given before.
func replayed(x *tape.Exchange) bool {
	v, _ := header(x.Response.Header, "Idempotent-Replayed")
	return v == "true"
}

// faulted says whether a fault has shaped the answer.
func faulted(x *tape.Exchange) bool {
	_, asked := header(x.Response.Header, "Sandbox-Fault")
	return asked || x.Fault != "" || x.Response.Status == 0
}

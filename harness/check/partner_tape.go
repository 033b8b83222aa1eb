package check

import (
	"cmp"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"sync"

	"paysandbox/mockserver/tape"
)

// noteOperation puts a note on the tape: what the harness asked for, armed or
// saw, and what an application tells about itself.
const noteOperation = "addNote"

// note is the body of a note.
type note struct {
	// Kind is what the note is about, see the Note constants.
	Kind string          `json:"kind"`
	Text string          `json:"text"`
	Data json.RawMessage `json:"data"`
}

// The kinds of notes that checks read.
const (
	// NoteTask announces a task to the application: data is a partner.Task.
	NoteTask = "task"
	// NoteDone says which exchange did a task: data is {task, exchange}.
	NoteDone = "done"
	// NoteTrouble says that trouble was armed: data is {clause, armed}.
	NoteTrouble = "trouble"
	// NoteRedirect says that a payer came back to the application: data is
	// {payment, registration, status}, one of the first two being an id.
	NoteRedirect = "redirect"
	// NoteState is what the application's state probe answered: data is
	// {payments: [{paymentRequestId, fulfilled, reversed}]}, each a count.
	NoteState = "state"
	// NoteProbe is the application's own: data is {url} of its state probe.
	NoteProbe = "state-probe"
	// NoteVirtual says that the application's own time is the virtual one: it
	// knows of every move of the clock, and under a clock that stands still waits
	// by moving it. Any other application lives by the wall.
	NoteVirtual = "virtual-time"
)

// notes walks the notes of a kind, with their data read into a fresh value each.
// Data that does not fit is passed over.
func notes[D any](t *Tape, kind string) iter.Seq2[*tape.Entry, D] {
	return func(yield func(*tape.Entry, D) bool) {
		for e := range t.of(tape.KindControl) {
			if e.Exchange.Operation != noteOperation || e.Exchange.Response.Status >= 300 {
				continue
			}
			var n note
			var data D
			if json.Unmarshal(e.Exchange.Request.Body, &n) != nil || n.Kind != kind || len(n.Data) == 0 || json.Unmarshal(n.Data, &data) != nil {
				continue
			}
			if !yield(e, data) {
				return
			}
		}
	}
}

// waited is the moment of an entry in nanoseconds, such that differences are the
// time that the partner's application let pass. With a clock that runs the moves
// of the clock are taken out: they are the harness's doing. What happens within a
// move, on the way to where the clock was moved, has that part taken out. With one
// that stands still they are all the time there is.
func (t *Tape) waited(e *tape.Entry) int64 {
	if t.Meta.Clock != "real" {
		return e.At
	}
	n, _ := slices.BinarySearchFunc(t.moves, e.Seq, func(m move, seq uint64) int {
		return cmp.Compare(m.seq, seq)
	})
	if n == 0 {
		return e.At
	}
	m := t.moves[n-1]
	return e.At - m.before - min(m.by, max(0, e.At-m.from))
}

// move is a move of the clock by some time, from when, and by how much it had been
// moved before in all, in nanoseconds.
type move struct {
	seq              uint64
	from, by, before int64
}

// moved notes a move of the clock, whose entry is there already.
func (t *Tape) moved(seq uint64, by int64) {
	m := move{seq: seq, from: t.entry(seq).Clock.From, by: by}
	if n := len(t.moves); n > 0 {
		m.before = t.moves[n-1].before + t.moves[n-1].by
	}
	t.moves = append(t.moves, m)
}

// lazy gives a regular expression that is read when it is first used.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// keepsTime says whether the application is known to see the time of the tape:
// the clock runs, or the application lives by the virtual one.
func (t *Tape) keepsTime() bool {
	if t.stubbed(tape.KindClock) {
		return false
	}
	return t.Meta.Clock == "real" || t.virtual()
}

// virtual says whether the application has told that it lives by the virtual
// time.
func (t *Tape) virtual() bool {
	for range notes[any](t, NoteVirtual) {
		return true
	}
	return false
}

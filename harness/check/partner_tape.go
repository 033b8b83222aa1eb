package check

import (
	"encoding/json"
	"iter"

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
// of the clock are taken out: they are the harness's doing. With one that stands
// still they are all the time there is.
func (t *Tape) waited(e *tape.Entry) int64 {
	if t.Meta.Clock != "real" {
		return e.At
	}
	at := e.At
	for i := range t.moves {
		if t.moves[i].seq >= e.Seq {
			break
		}
		at -= t.moves[i].by
	}
	return at
}

// move is a move of the clock, and by how much.
type move struct {
	seq uint64
	by  int64
}

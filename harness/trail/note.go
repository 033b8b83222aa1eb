package trail

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
	// NoteVirtual says that the application's own time is the virtual one: it
	// knows of every move of the clock, and under a clock that stands still waits
	// by moving it. Any other application lives by the wall.
	NoteVirtual = "virtual-time"
)

// notes walks the notes of a kind, with their data read into a fresh value each.
// Data that does not fit is passed over.
func notes[D any](t *Trail, kind string) iter.Seq2[*tape.Entry, D] {
	return func(yield func(*tape.Entry, D) bool) {
		for e := range t.Of(tape.KindControl) {
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

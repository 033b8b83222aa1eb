package trail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	quick "github.com/go-json-experiment/json"

	"paysandbox/mockserver/tape"
)

// noteOperation puts a note on the tape: what the harness asked for, armed or
// saw, and what an application tells about itself.
const noteOperation = "addNote"

// Note is the body of a note.
type Note struct {
	// Kind is what the note is about, see the Note constants.
	Kind string          `json:"kind"`
	Text string          `json:"text"`
	Data json.RawMessage `json:"data,omitempty"`

	entry *tape.Entry
}

// NewNote makes a note of data that can be written as JSON.
func NewNote(kind, text string, data any) Note {
	return Note{Kind: kind, Text: text, Data: Quote(data)}
}

// NoteOf reads the note that an entry has put on the tape, of one of some kinds where
// any are named; one of no kind when it has put none. Notes can be long: those of
// other kinds are not read.
func NoteOf(e *tape.Entry, kinds ...string) Note {
	if e.Kind != tape.KindControl || e.Exchange == nil || e.Exchange.Operation != noteOperation || !Served(e.Exchange) ||
		len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind string) bool { return Noted(e, kind) }) {
		return Note{}
	}
	n, err := decode[Note](e.Exchange.Request.Body)
	if err != nil || len(kinds) > 0 && !slices.Contains(kinds, n.Kind) {
		return Note{}
	}
	n.entry = e
	return n
}

// decode reads JSON as encoding/json does, which has the last word on what is odd, in half
// the time.
func decode[T any](raw []byte) (v T, err error) {
	if quick.Unmarshal(raw, &v, quick.MatchCaseInsensitiveNames(true)) == nil {
		return v, nil
	}
	var again T
	err = json.Unmarshal(raw, &again)
	return again, err
}

// readNotes are the notes of the tape, in its order.
func (t *Trail) readNotes() []Note {
	var list []Note
	for e := range t.Of(tape.KindControl) {
		if n := NoteOf(e); n.Kind != "" {
			list = append(list, n)
		}
	}
	return list
}

// Into reads the data into a value, and says whether it fits.
func (n *Note) Into(data any) bool { return len(n.Data) > 0 && json.Unmarshal(n.Data, data) == nil }

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
	// {payments: [{paymentRequestId, fulfilled, reversed}]}, each a count. An answer
	// that is too long for a note stands there as what has changed since the last
	// one, in several notes where need be: {payments, others: "unchanged", more}.
	// tookMs is how long the application took to answer, in milliseconds, where that
	// was long.
	NoteState = "state"
	// NoteUnread says that the state probe's answer could not be used: data is
	// {problem}.
	NoteUnread = "state-unread"
	// NoteProbe is the application's own: data is {url} of its state probe.
	NoteProbe = "state-probe"
	// NoteOutput is about what the application prints: data is {stream}, which is read
	// from then on, or {stream, found}, a secret by its name.
	NoteOutput = "output"
	// NoteUses says how the application learns what has changed: data is {polling},
	// true for one that registers no webhook and reads states instead.
	NoteUses = "uses"
	// NoteVirtual says that the application's own time is the virtual one: it
	// knows of every move of the clock, and under a clock that stands still waits
	// by moving it. Any other application lives by the wall.
	NoteVirtual = "virtual-time"
	// NoteReset says that the tape does not begin with the first call: a reset
	// itself is not on it.
	NoteReset = "reset"
	// NoteInterrupted says that the application is ended from outside: what it
	// leaves undone from then on is not its fault.
	NoteInterrupted = "interrupted"
	// NoteBrokeOff says which journeys did not come to their end: data is {journeys}.
	NoteBrokeOff = "broke-off"
	// NoteEnough says that no more trouble is made: a test suite may go on until it
	// finds one on the tape.
	NoteEnough = "enough"
	// NoteIntent is a test suite's own: it says which payment is meant before the
	// application asks for it, see [Announcement].
	NoteIntent = "intent"
	// NoteWaits says which calls and events trouble waits for: data is {for}. The one at the
	// end of a session says also which clauses had no turn: {for, short, waiting, traffic}.
	NoteWaits = "waits"
)

// notes walks the notes of a kind, with their data read into a fresh value each.
// Data that does not fit is passed over.
func notes[D any](t *Trail, kind string) iter.Seq2[*tape.Entry, D] {
	return func(yield func(*tape.Entry, D) bool) {
		for _, n := range Once(t, "notes", t.readNotes) {
			if n.Kind != kind || len(n.Data) == 0 {
				continue
			}
			if data, err := decode[D](n.Data); err == nil && !yield(n.entry, data) {
				return
			}
		}
	}
}

// Announcement is a payment that a test suite means, announced before the application asks for
// it: which operation, its amount in cents, its location's id, its due date
// (YYYY-MM-DD), each where it matters. With Parts above 1 the amount is a sum that as
// many calls share. Reference ties it to the call that carries it; without one the next
// call of the operation is meant.
type Announcement struct {
	Entry      *tape.Entry `json:"-"`
	Operation  string      `json:"operation"`
	Reference  string      `json:"reference"`
	Amount     *int64      `json:"amount"`
	Parts      int         `json:"parts"`
	LocationID string      `json:"locationId"`
	DueDate    string      `json:"dueDate"`
}

// Announcements are the payments that were announced, oldest first. What cannot be meant
// is none, and stands among [Trail.Misread].
func (t *Trail) Announcements() []Announcement {
	var list []Announcement
	for e, in := range notes[Announcement](t, NoteIntent) {
		if in.Entry = e; in.wrong() == "" {
			list = append(list, in)
		}
	}
	return list
}

// Output is a note about what the application prints: that a stream is read from then
// on, or which secret stood there.
type Output struct {
	Entry         *tape.Entry `json:"-"`
	Stream, Found string
}

// Outputs are the notes about what the application prints, oldest first.
func (t *Trail) Outputs() []Output {
	var list []Output
	for e, o := range notes[Output](t, NoteOutput) {
		o.Entry = e
		list = append(list, o)
	}
	return list
}

// Polls says whether the application was said to read states instead of receiving
// events, and has registered no webhook.
func (t *Trail) Polls() bool {
	type uses struct{ Polling bool }
	return Once(t, "polls", func() bool {
		for _, u := range notes[uses](t, NoteUses) {
			if u.Polling {
				return len(t.Controls("addWebhook")) == 0
			}
		}
		return false
	})
}

// Misread is a note of a test suite that does not say what is meant.
type Misread struct {
	Entry *tape.Entry
	// Kind is that of the note, Problem what is wrong with its data.
	Kind, Problem string
}

// Misread are the notes by which a test suite means to announce something, and does not:
// what is judged by them would be less than it believes.
func (t *Trail) Misread() []Misread {
	var list []Misread
	for _, n := range Once(t, "notes", t.readNotes) {
		problem := ""
		switch n.Kind {
		case NoteIntent:
			var in Announcement
			if problem = n.strictly(&in, "operation, reference, amount, parts, locationId, dueDate"); problem == "" {
				problem = in.wrong()
			}
		case NoteDeliberate:
			var d deliberate
			if problem = n.strictly(&d, "operation, calls"); problem == "" && d.Operation != "" {
				problem = noOperation(d.Operation)
			}
		}
		if problem != "" {
			list = append(list, Misread{n.entry, n.Kind, problem})
		}
	}
	return list
}

// strictly reads the data, and says what of it does not fit; members are those that
// it has.
func (n *Note) strictly(data any, members string) string {
	d := json.NewDecoder(bytes.NewReader(n.Data))
	d.DisallowUnknownFields()
	err := d.Decode(data)
	var typed *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &typed) && typed.Field != "":
		return typed.Field + " is a " + typed.Value
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return "there is no member " + strings.TrimPrefix(err.Error(), "json: unknown field ") + "; its members are " + members
	default:
		return "its data is no object; its members are " + members
	}
}

// wrong says what of an announcement cannot be meant, "" for nothing.
func (in *Announcement) wrong() string {
	if problem := noOperation(in.Operation); problem != "" {
		return problem
	}
	if _, err := time.Parse(time.DateOnly, in.DueDate); in.DueDate != "" && err != nil {
		return fmt.Sprintf("the dueDate %q is no day, as 2026-03-31 is", in.DueDate)
	}
	return ""
}

// noOperation says that there is no operation of a name, "" where there is.
func noOperation(id string) string {
	if operations[id] == nil {
		return fmt.Sprintf("there is no operation %q, as createPayment is one", id)
	}
	return ""
}

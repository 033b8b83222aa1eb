package trail

import (
	"encoding/json"
	"strings"

	"paysandbox/mockserver/tape"
)

// Task is a task that was announced to the application.
type Task struct {
	ID   int             `json:"id"`
	Do   string          `json:"do"`
	With json.RawMessage `json:"with"`

	entry *tape.Entry
	text  string
	done  uint64
}

// Done is what a note tells about a task that was done: by which exchange, and whom its ids
// stand for.
type Done struct {
	Task     int               `json:"task"`
	Exchange uint64            `json:"exchange"`
	Names    map[string]string `json:"names,omitempty"`
}

// Tasks are the tasks of a tape.
type Tasks struct {
	List []*Task
	// Did are the exchanges that have done a task.
	Did map[uint64]bool
}

// Tasks lists what the application was told to do, and what it did of it.
func (t *Trail) Tasks() *Tasks { return Once(t, "tasks", t.readTasks) }

func (t *Trail) readTasks() *Tasks {
	a := &Tasks{Did: map[uint64]bool{}}
	byID := map[int]*Task{}
	for e, o := range notes[Task](t, NoteTask) {
		o.entry, o.text = e, strings.ToLower(string(o.With))
		a.List = append(a.List, &o)
		byID[o.ID] = &o
	}
	for e, d := range notes[Done](t, NoteDone) {
		a.Did[d.Exchange] = true
		if o := byID[d.Task]; o != nil {
			o.done = e.Seq
		}
	}
	return a
}

// Mentions says whether an entry announces a task about something.
func (a *Tasks) Mentions(e *tape.Entry, id string) bool {
	for _, o := range a.List {
		if o.entry.Seq == e.Seq {
			return id != "" && strings.Contains(o.text, id)
		}
	}
	return false
}

// Covers says whether the application makes a call about something because it
// was told to: it has done a task, or there is one that is not done yet.
func (a *Tasks) Covers(call *tape.Entry, id string) bool {
	if a.Did[call.Seq] {
		return true
	}
	for _, o := range a.List {
		if o.entry.Seq < call.Seq && (o.done == 0 || o.done > call.Seq) && id != "" && strings.Contains(o.text, id) {
			return true
		}
	}
	return false
}

// Asks counts the tasks of a kind about something that were announced after one
// entry and before another.
func (a *Tasks) Asks(do, about string, since, until uint64) int {
	n := 0
	for _, o := range a.List {
		if o.Do == do && o.entry.Seq > since && o.entry.Seq < until && strings.Contains(o.text, about) {
			n++
		}
	}
	return n
}

// Payments counts the tasks before an entry that ask for a payment of an amount.
func (a *Tasks) Payments(amount int64, before uint64) int {
	n := 0
	for _, o := range a.List {
		wanted, ok := ReadBody(o.With).Whole("amount")
		if OperationNamed(o.Do).RequestsPayment() && o.entry.Seq < before && ok && wanted == amount {
			n++
		}
	}
	return n
}

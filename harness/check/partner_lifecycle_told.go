package check

import (
	"encoding/json"
	"strings"

	"paysandbox/mockserver/tape"
)

// order is a task that was announced to the application.
type order struct {
	ID   int             `json:"id"`
	Do   string          `json:"do"`
	With json.RawMessage `json:"with"`

	entry *tape.Entry
	text  string
	done  uint64
}

// announced are the tasks of a tape.
type announced struct {
	list []*order
	// did are the exchanges that have done a task.
	did map[uint64]bool
}

// announced lists what the application was told to do, and what it did of it.
func (t *Tape) announced() *announced {
	a := &announced{did: map[uint64]bool{}}
	byID := map[int]*order{}
	for e, o := range notes[order](t, NoteTask) {
		o.entry, o.text = e, strings.ToLower(string(o.With))
		a.list = append(a.list, &o)
		byID[o.ID] = &o
	}
	type finished struct {
		Task     int    `json:"task"`
		Exchange uint64 `json:"exchange"`
	}
	for e, d := range notes[finished](t, NoteDone) {
		a.did[d.Exchange] = true
		if o := byID[d.Task]; o != nil {
			o.done = e.Seq
		}
	}
	return a
}

// mentions says whether an entry announces a task about something.
func (a *announced) mentions(e *tape.Entry, id string) bool {
	for _, o := range a.list {
		if o.entry.Seq == e.Seq {
			return id != "" && strings.Contains(o.text, id)
		}
	}
	return false
}

// covers says whether the application makes a call about something because it
// was told to: it has done a task, or there is one that is not done yet.
func (a *announced) covers(call *tape.Entry, id string) bool {
	if a.did[call.Seq] {
		return true
	}
	for _, o := range a.list {
		if o.entry.Seq < call.Seq && (o.done == 0 || o.done > call.Seq) && id != "" && strings.Contains(o.text, id) {
			return true
		}
	}
	return false
}

// asks counts the tasks of a kind about something that were announced after one
// entry and before another.
func (a *announced) asks(do, about string, since, until uint64) int {
	n := 0
	for _, o := range a.list {
		if o.Do == do && o.entry.Seq > since && o.entry.Seq < until && strings.Contains(o.text, about) {
			n++
		}
	}
	return n
}

// payments counts the tasks before an entry that ask for a payment of an amount.
func (a *announced) payments(amount int64, before uint64) int {
	n := 0
	for _, o := range a.list {
		wanted, ok := read(o.With).whole("amount")
		if o.Do == "createPayment" && o.entry.Seq < before && ok && wanted == amount {
			n++
		}
	}
	return n
}

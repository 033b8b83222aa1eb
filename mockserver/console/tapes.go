package console

import (
	"slices"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// running is the tape of an integration that runs.
type running struct{ i *integration.Integration }

// Bounds are the numbers of the oldest and the newest entry.
func (t running) Bounds() (first, last uint64) {
	first, last, _ = t.i.Newest()
	return first, last
}

// Read gives the entries that pass, oldest first.
func (t running) Read(f tape.Filter) []tape.Entry { return t.i.Peek(f).Entries }

// Back gives the entries that pass, newest first.
func (t running) Back(f tape.Filter, fn func(tape.Entry) bool) { t.i.Look(f, fn) }

// Entry gives one entry.
func (t running) Entry(seq uint64) (tape.Entry, bool) { return t.i.Entry(seq) }

// Meta says what the tape is of.
func (t running) Meta() tape.Meta { return t.i.Peek(tape.Filter{Limit: 1, Bytes: 1}).Meta }

// opened is a tape that was read from a file.
type opened struct {
	name    string
	meta    tape.Meta
	entries []tape.Entry
	book    problemBook
	played  played
}

// Bounds are the numbers of the oldest and the newest entry.
func (t *opened) Bounds() (first, last uint64) {
	if len(t.entries) == 0 {
		return 0, 0
	}
	return t.entries[0].Seq, t.entries[len(t.entries)-1].Seq
}

// Read gives the entries that pass, oldest first.
func (t *opened) Read(f tape.Filter) []tape.Entry {
	var list []tape.Entry
	at, _ := t.find(f.Since + 1)
	for _, e := range t.entries[at:] {
		if !f.Match(e) {
			continue
		}
		if list = append(list, e); f.Limit > 0 && len(list) == f.Limit {
			break
		}
	}
	return list
}

// Back gives the entries that pass, newest first.
func (t *opened) Back(f tape.Filter, fn func(tape.Entry) bool) {
	for _, e := range slices.Backward(t.entries) {
		if f.Match(e) && !fn(e) {
			return
		}
	}
}

// find is the place of an entry.
func (t *opened) find(seq uint64) (int, bool) {
	return slices.BinarySearchFunc(t.entries, seq, func(e tape.Entry, seq uint64) int {
		switch {
		case e.Seq < seq:
			return -1
		case e.Seq > seq:
			return 1
		default:
			return 0
		}
	})
}

// Entry gives one entry.
func (t *opened) Entry(seq uint64) (tape.Entry, bool) {
	if at, ok := t.find(seq); ok {
		return t.entries[at], true
	}
	return tape.Entry{}, false
}

// Meta says what the tape is of.
func (t *opened) Meta() tape.Meta { return t.meta }

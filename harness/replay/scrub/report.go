package scrub

import (
	"maps"
	"slices"

	"paysandbox/harness/replay/recording"
)

// Report tells what was replaced, by kind and never what; what was not looked at; and
// what may have been missed.
type Report struct {
	// Replaced are how many values were replaced, by kind.
	Replaced map[string]int `json:"replaced"`
	// NotLookedAt are bodies that could not be looked into, or not by the names in them.
	NotLookedAt []Note `json:"notLookedAt,omitempty"`
	// Missed are places of texts that look random, or read like a name, and that no rule knows, or that hold what was replaced elsewhere.
	Missed []Note `json:"missed,omitempty"`
	// More counts further ones of both.
	More int `json:"more,omitempty"`
}

// Note is one place.
type Note struct {
	Place recording.Place `json:"place"`
	// What says what is there, or where in the entry.
	What string `json:"what"`
}

// maxNotes is how many places a report lists.
const maxNotes = 200

func (r *Report) count(k kind) {
	if r.Replaced == nil {
		r.Replaced = map[string]int{}
	}
	r.Replaced[string(k)]++
}

func (r *Report) unread(at recording.Place, what string) {
	r.NotLookedAt = r.add(r.NotLookedAt, Note{at, what})
}

func (r *Report) suspect(at recording.Place, where string) {
	r.Missed = r.add(r.Missed, Note{at, where + " looks random"})
}

// named lists a text that reads like a name.
func (r *Report) named(at recording.Place, where string) {
	r.Missed = r.add(r.Missed, Note{at, where + " reads like a name"})
}

// leave lists what stays though it was replaced elsewhere.
func (r *Report) leave(at recording.Place, what string) {
	r.Missed = r.add(r.Missed, Note{at, what + " that was replaced elsewhere"})
}

func (r *Report) add(list []Note, n Note) []Note {
	if slices.Contains(list, n) {
		return list
	}
	if len(list) >= maxNotes {
		r.More++
		return list
	}
	return append(list, n)
}

func (r *Report) clone() Report {
	return Report{Replaced: maps.Clone(r.Replaced), NotLookedAt: slices.Clone(r.NotLookedAt), Missed: slices.Clone(r.Missed), More: r.More}
}

// Package feed reads a tape for people: rows with their outcome in words, filters
// that stand in an address, search that says how far it has looked, causes and
// effects, problems by what they have in common, and a signature step by step.
//
// It owns how an entry is told, and the bounds of looking for it. It must not know
// pages or HTTP requests, holds nothing of a tape but what it was asked for, and
// changes nothing.
package feed

import "paysandbox/mockserver/tape"

// Tape is where entries are read: of an integration that runs, or of a file.
type Tape interface {
	// Bounds are the numbers of the oldest and the newest entry, 0 for none.
	Bounds() (first, last uint64)
	// Read gives the entries that pass the filter, oldest first.
	Read(f tape.Filter) []tape.Entry
	// Back gives the entries that pass the filter, newest first, until fn says stop.
	Back(f tape.Filter, fn func(tape.Entry) bool)
	// Entry gives one entry.
	Entry(seq uint64) (tape.Entry, bool)
	// Meta says what the tape is of.
	Meta() tape.Meta
}

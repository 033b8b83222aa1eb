// Package world holds everything that one integration owns (companies, payers,
// payments, plans, consents, messages) and the rules by which it changes. What
// any deterministic machine needs stands in kernel, and what becomes of webhook
// events in delivery.
//
// A World is a plain value with methods. It never reads the wall clock, never
// draws from a global random source, never does I/O and never locks: the caller
// says what time it is and gives one input after the other. The same seed and
// the same inputs in the same order reach the same state and answer the same
// bytes.
//
// One file holds one resource. company.go is the one to read first: a request
// type with its JSON tags, a rule function that collects every finding, the use
// case (verb + noun) and the row that is kept. Rows hold no pointers; texts live
// in the arena, so that a world of a million payments costs the garbage
// collector nothing.
//
// The state machines are the tables named …Machine; the kernel's Transition is
// the only writer of a status.
package world

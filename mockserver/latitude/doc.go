// Package latitude is the ledger of every behaviour that the specification
// leaves open: one Knob for each open question, its default, its alternatives
// and the evidence they rest on.
//
// It owns the names of knobs and choices, which are permanent because users
// write them into scripts and tapes, and Settings, the plain value that says
// what one integration chose. Code asks it one thing:
//
//	if settings.Is(latitude.ZipPlusFourOnly) { … }
//
// It must not carry any of the behaviour itself, keep state, or do I/O beyond
// its own embedded files: it is used inside the deterministic world.
//
// The house, in two halves that a test holds together:
//
//   - knob.go, choices.go and table.go are what the running server needs: names,
//     choices and defaults as Go tables that cost nothing at start-up. To add
//     a knob, add it there and to the ledger.
//   - ledger/*.yaml, one file an area, is what people need: questions,
//     meanings, evidence. It is parsed when somebody first asks for it.
package latitude

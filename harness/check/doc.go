// Package check judges tapes. A check is a pure function from a tape to verdicts
// with evidence: the numbers of the tape entries that it rests on. The standing
// checks ([Standing]) hold for every tape whatever a scenario has asserted.
//
// It owns the checks, the tables of what was promised (state machines, events,
// the retry schedule) as plain data, and nothing else: it makes no calls, reads
// no clock, draws nothing, and knows the server by its tape, its OpenAPI
// document and the clause catalogue only. About what has been dropped from a
// tape it never says pass or fail: it says inconclusive.
package check

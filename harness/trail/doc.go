// Package trail reads a tape as a harness does: the calls of the application, the
// deliveries and what the receiver made of them, notes, tasks, answers of the state
// probe, changes of state, and how much time the application let pass between them.
// It owns the one lenient reader of JSON bodies and the one table of what the
// operations of the partner API do; whoever judges a tape, follows it or tells about
// it asks here, and reads nothing of a tape by itself.
//
// It judges nothing, makes no calls, reads no clock and changes no entry.
package trail

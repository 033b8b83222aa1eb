// Package kernel is what a deterministic state machine needs, without knowing of
// payments: its present and the order of what happens (Core), tables and texts
// that cost the garbage collector nothing, timers, declared machines, the
// records that go on the tape with their causes, what is found wrong with a
// request, and the one error type.
//
// Nothing here reads the wall clock, draws from a global random source, does
// I/O or locks.
package kernel

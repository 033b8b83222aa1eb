// Package kernel is what a deterministic state machine needs, without knowing
// of payments: what is said about a wrong request, and the one error type.
//
// Nothing here reads the wall clock, draws from a global random source, does
// I/O or locks.
package kernel

// Package verify runs acceptance features against a service and says what they
// have found out about its clauses.
//
// It owns the order of a run: filter, preflight, play, hold every scenario's tape
// to the standing checks, gate. It must not know the sandbox by anything but its
// wire, and prints nothing: what happens goes to a report sink, and the outcome
// is a report. Features, time and the means to make calls are handed in.
package verify

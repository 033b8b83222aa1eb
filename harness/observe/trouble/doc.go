// Package trouble decides which trouble an application that is watched is given, and
// when.
//
// It owns the table of troubles and the order in which they are armed ([Planner]),
// which gives way to the trouble that somebody else has armed. It is pure: what was
// put on the tape and the time go in, actions come out.
package trouble

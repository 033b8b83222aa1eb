// Package prelude makes a script of a recording, and puts before it what the recording
// takes for granted: companies, payers, payments and tokens from before it began, as
// few as its answers allow. Each is told as an assumption.
//
// It makes no calls; what happened between two recorded calls is inferred elsewhere.
package prelude

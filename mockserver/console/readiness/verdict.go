// Package readiness holds verdicts as the console shows them: the newest one on a tape,
// those of stored reports, and the trend of several. It comes to no verdict and reads
// no file: cmd hands in who does.
package readiness

import (
	"context"

	"paysandbox/mockserver/tape"
)

// Judge comes to the verdict on a tape: whether the integration that made it is
// ready, or with a label what was done under that. cmd hands it in.
type Judge func(ctx context.Context, meta tape.Meta, entries []tape.Entry, label string) (Verdict, error)

// Verdict is whether an integration is ready for production.
type Verdict struct {
	// Word is the verdict, Tone its colour (good, warn or bad), Reason why.
	Word, Tone, Reason string
	// Clauses are all that were judged, in the order of the catalogue.
	Clauses []Clause
	// Missing is what was not seen.
	Missing []Missing
	// Notes tell about the tape what the clauses do not.
	Notes []string
}

// Clause is the verdict on one clause.
type Clause struct {
	ID, Title, Level, Area, Source string
	// Word is the verdict, Tone its colour.
	Word, Tone string
	// Reason is why, Expected, Received and Fix tell the first piece of evidence, and
	// Entries are its numbers on the tape.
	Reason, Expected, Received, Fix string
	Entries                         []uint64
	// Blocks says that it must be mended before production.
	Blocks bool
}

// Missing is a clause that nothing on the tape had to do with.
type Missing struct {
	Clause, Level, Title string
	// How says how to bring it up, Why what stands in the way, and Journeys are those
	// in which it comes up.
	How, Why string
	Journeys []string
	// Rehearsal is trouble that brings it up, nil where no trouble does.
	Rehearsal *Rehearsal
}

// Rehearsal is trouble that shows a clause: a fault for calls to come, or a delivery
// profile for deliveries to come.
type Rehearsal struct {
	// Says tells what happens next.
	Says string
	// Fault is the fault as forms write it: names and values in turn; empty for a profile.
	Fault []string
	// Profile is for the Next deliveries that tell ForStatus, or with an empty one any.
	Profile, ForStatus string
	Next               int
}

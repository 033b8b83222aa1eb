package journey

import (
	"errors"
	"io/fs"
	"time"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/report"
)

// ErrUnknown says that a plan names a journey that there is not.
var ErrUnknown = errors.New("there is no such journey")

// ErrNotHere says that a story cannot be told with what the service has chosen
// where the specification is silent.
var ErrNotHere = errors.New("this story cannot be told with")

// Plan says which journeys are played, and by whom.
type Plan struct {
	// Scenarios holds the journeys, one .feature file each.
	Scenarios fs.FS
	// Names are the journeys to be played, in this order; none means all.
	Names []string
	// Sink hears of the steps while they are played; nil hears nothing. Only
	// scenarios and their steps are told: runs and clauses are the caller's.
	Sink report.Sink
	// Setting is what is around the stories.
	task.Setting
}

// Played is what came of one journey.
type Played struct {
	Journey
	// Err is why the story broke off; nil when it came to its end.
	Err error
	// Step is the step that failed, with its keyword; empty when none did.
	Step string
	// From and To are the numbers of the last entries on the tape before the
	// journey and at its end.
	From, To uint64
	// Took is the time that it took by the plan's clock.
	Took time.Duration

	// silent is true when the story waited in vain, and nobody has called anything.
	silent bool
}

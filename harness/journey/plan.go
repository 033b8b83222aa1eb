package journey

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/report"
)

// Actor is the partner of a story. Everybody else is played by the harness.
type Actor interface {
	// Perform does a task, or announces it to those who do it. That the service
	// refuses what the story expects it to refuse is no error.
	Perform(ctx context.Context, t partner.Task) error
	// Settle returns when nothing more happens by itself: what was sent has come
	// in, and what it made due is done. An actor that cannot know returns at once.
	Settle(ctx context.Context) error
}

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
	// Actor is the partner.
	Actor Actor
	// Stage plays everybody else, on the one integration of the play.
	Stage *partner.Stage
	// Patience is how long a step waits for traffic that fits; 0 does not wait.
	Patience time.Duration
	// Sink hears of the steps while they are played; nil hears nothing. Only
	// scenarios and their steps are told: runs and clauses are the caller's.
	Sink report.Sink
	// Now tells the time that steps took.
	Now func() time.Time
	// Progress hears where a journey begins and ends, what a step waits for, which
	// calls come near it, and what the others of the story do; it may be nil.
	Progress func(text string)
	// Visit opens an address as the payer's browser and gives the HTTP status. Nil
	// means that payers do not come back to the partner.
	Visit func(ctx context.Context, address string) (status int, err error)
	// Probe asks the partner's application what it has handed over: the JSON that
	// its state probe answers. Nil, or an empty answer, means that there is none.
	Probe func(ctx context.Context) ([]byte, error)
	// Seed decides who the people of the stories are.
	Seed uint64
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

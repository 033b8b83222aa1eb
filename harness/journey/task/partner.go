package task

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
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

// Setting is what a play has around it.
type Setting struct {
	// Actor is the partner.
	Actor Actor
	// Stage plays everybody else, on the one integration of the play.
	Stage *partner.Stage
	// Patience is how long a step waits for traffic that fits; 0 does not wait.
	Patience time.Duration
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

// Progresses tells a person how far it is.
func (s *Setting) Progresses(text string) {
	if s.Progress != nil {
		s.Progress(text)
	}
}

// Partner is handed the tasks of one journey, and what it has done is found on the
// tape.
type Partner struct {
	*Setting
	Tape *Tape
	// Out is true while the service is out.
	Out bool
	// number counts the tasks of the whole play.
	number *int
	// claimed are the exchanges that have done a task already, later what the
	// partner is to do some time later.
	claimed map[uint64]bool
	later   []*Intent
}

// NewPartner makes the partner of a journey; number counts the tasks of all.
func NewPartner(s *Setting, number *int) *Partner {
	return &Partner{Setting: s, Tape: &Tape{setting: s, Trail: trail.New(tape.Meta{}, nil)}, number: number, claimed: map[uint64]bool{}}
}

// Next is the number of the next task.
func (p *Partner) Next() int {
	*p.number++
	return *p.number
}

// Settle lets everything that was set off come to its end.
func (p *Partner) Settle(ctx context.Context) error {
	if err := p.Actor.Settle(ctx); err != nil {
		return err
	}
	return p.Tape.Look(ctx, 0)
}

// Note puts a remark on the tape. A service that takes none gets none.
func (p *Partner) Note(ctx context.Context, kind, text string, data any) error {
	_, err := p.Stage.Do(ctx, "/notes", trail.NewNote(kind, text, data))
	var refused *partner.Refused
	if errors.As(err, &refused) && refused.Answer.Status == http.StatusNotFound {
		return nil
	}
	return err
}

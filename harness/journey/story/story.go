package story

import (
	"context"
	"fmt"
	"hash/fnv"

	"paysandbox/harness/journey/task"
)

// Story is a journey under way.
type Story struct {
	*task.Partner
	roster
	// back is where the payer goes who was last on a page of the service.
	back returning
	// said is what a person needs to hear once only.
	said map[string]bool
	// secret is the webhook secret that the partner was told of last.
	secret string
}

// returning is a payer on the way back to the partner.
type returning struct {
	address, entity string
	// registration is true when the entity is one, and no payment.
	registration bool
}

// New begins a story; number counts the tasks of the whole play. A journey of
// another name has other people and references.
func New(s *task.Setting, number *int, journey string) *Story {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\x00%d", journey, s.Seed)
	return &Story{Partner: task.NewPartner(s, number), roster: newRoster(h.Sum64()), said: map[string]bool{}}
}

// Tell lets a person know what the others of the story do.
func (s *Story) Tell(what string) { s.Progresses("story: " + what) }

// once tells something that need not be said again in the same story.
func (s *Story) once(what string) {
	if !s.said[what] {
		s.said[what] = true
		s.Tell(what)
	}
}

// Tidy takes back what a story that broke off has armed.
func (s *Story) Tidy(ctx context.Context) error {
	if s.Out {
		return s.comesUp(ctx)
	}
	return s.Tape.Look(ctx, 0)
}

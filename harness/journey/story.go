package journey

import (
	"errors"
	"fmt"
	"hash/fnv"

	"paysandbox/fixtures"
	"paysandbox/harness/partner"
)

// story is a journey under way: the names that it uses, and the ids that stand
// for them.
type story struct {
	plan  *Plan
	tape  *reader
	stage *partner.Stage
	// task counts the tasks of the whole play.
	task *int

	draw      *fixtures.People
	tag       string
	companies map[string]*firm
	people    map[string]*human
	// payments are by their payer and amount, plans by their names.
	payments map[string]*payment
	plans    map[string]*agreement
	// claimed are the exchanges that have done a task already.
	claimed map[uint64]bool
	// back is where the payer goes who was last on a page of the service.
	back returning
	// told is what a person needs to hear once only.
	said map[string]bool
	// out is true while the service is out.
	out bool
	// secret is the webhook secret that the partner was told of last.
	secret string
}

// firm is a company of the story.
type firm struct {
	name, ref, id string
	locations     map[string]string
}

// human is a person of the story.
type human struct {
	fixtures.Payer
	id, redirect string
	// method is the saved card.
	method string
}

// payment is a payment, a card authorisation or the charge of a card.
type payment struct {
	who    *human
	amount int64
	id     string
	back   string
	// wanted is the intent while it is not known to be done.
	wanted *intent
}

// agreement is a recurring plan.
type agreement struct {
	id       string
	amount   int64
	consents map[string]string
}

// returning is a payer on the way back to the partner.
type returning struct {
	address, entity string
	// registration is true when the entity is one, and no payment.
	registration bool
}

func newStory(p *Plan, r *reader, task *int, journey string) *story {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\x00%d", journey, p.Seed)
	seed := h.Sum64()
	return &story{
		plan: p, tape: r, stage: p.Stage, task: task,
		draw: fixtures.NewPeople(seed), tag: fmt.Sprintf("%08x", uint32(seed)), //nolint:gosec // G115: a part of it will do
		companies: map[string]*firm{}, people: map[string]*human{},
		payments: map[string]*payment{}, plans: map[string]*agreement{}, claimed: map[uint64]bool{},
		said: map[string]bool{},
	}
}

// tells lets a person know what the others of the story do.
func (s *story) tells(what string) {
	if s.plan.Progress != nil {
		s.plan.Progress("story: " + what)
	}
}

// once tells something that need not be said again in the same story.
func (s *story) once(what string) {
	if !s.said[what] {
		s.said[what] = true
		s.tells(what)
	}
}

var (
	errStranger = errors.New("the story does not know")
	errUnbound  = errors.New("the service has not given an id yet for")
)

// firm gives a company that is known to the service.
func (s *story) firm(noun string) (*firm, error) {
	f := s.companies[noun]
	switch {
	case f == nil:
		return nil, fmt.Errorf("%w the %s", errStranger, noun)
	case f.id == "":
		return nil, fmt.Errorf("%w the %s", errUnbound, noun)
	}
	return f, nil
}

// human gives a person, who is invented at the first time.
func (s *story) human(name string) *human {
	h := s.people[name]
	if h == nil {
		h = &human{Payer: s.draw.Payer()}
		s.people[name] = h
	}
	return h
}

// payer gives a person who is known to the service.
func (s *story) payer(name string) (*human, error) {
	h := s.people[name]
	switch {
	case h == nil:
		return nil, fmt.Errorf("%w %s", errStranger, name)
	case h.id == "":
		return nil, fmt.Errorf("%w %s", errUnbound, name)
	}
	return h, nil
}

// paymentKey names a payment by its payer and amount.
func paymentKey(name, amount string) string { return name + "'s " + amount }

// payment gives a payment that is known to the service.
func (s *story) payment(name, amount string) (*payment, error) {
	p := s.payments[paymentKey(name, amount)]
	switch {
	case p == nil:
		return nil, fmt.Errorf("%w %s", errStranger, paymentKey(name, amount))
	case p.id == "":
		return nil, fmt.Errorf("%w %s", errUnbound, paymentKey(name, amount))
	}
	return p, nil
}

// agreed gives a plan that is known to the service.
func (s *story) agreed(name string) (*agreement, error) {
	p := s.plans[name]
	switch {
	case p == nil:
		return nil, fmt.Errorf("%w the plan %s", errStranger, name)
	case p.id == "":
		return nil, fmt.Errorf("%w the plan %s", errUnbound, name)
	}
	return p, nil
}

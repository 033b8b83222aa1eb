package story

import (
	"errors"
	"fmt"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/harness/journey/task"
	"paysandbox/harness/trail"
)

// roster is who and what a story speaks of: its names, and the ids that stand for
// them.
type roster struct {
	// tag makes references and secrets the journey's own.
	tag       string
	draw      *fixtures.People
	companies map[string]*firm
	people    map[string]*human
	// payments are by their payer and amount, plans by their names.
	payments map[string]*payment
	plans    map[string]*agreement
}

func newRoster(seed uint64) roster {
	return roster{
		tag: fmt.Sprintf("%08x", uint32(seed)), draw: fixtures.NewPeople(seed), //nolint:gosec // G115: a part of it will do
		companies: map[string]*firm{}, people: map[string]*human{}, payments: map[string]*payment{}, plans: map[string]*agreement{},
	}
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
	wanted *task.Intent
}

// agreement is a recurring plan.
type agreement struct {
	id       string
	amount   int64
	consents map[string]string
}

var (
	errStranger = errors.New("the story does not know")
	errUnbound  = errors.New("the service has not given an id yet for")
)

// firm gives a company that is known to the service.
func (s *roster) firm(noun string) (*firm, error) {
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
func (s *roster) human(name string) *human {
	h := s.people[name]
	if h == nil {
		h = &human{Payer: s.draw.Payer()}
		s.people[name] = h
	}
	return h
}

// payer gives a person who is known to the service.
func (s *roster) payer(name string) (*human, error) {
	h := s.people[name]
	switch {
	case h == nil:
		return nil, fmt.Errorf("%w %s", errStranger, name)
	case h.id == "":
		return nil, fmt.Errorf("%w %s", errUnbound, name)
	}
	return h, nil
}

// payerOf gives a person and a company who are both known to the service.
func (s *roster) payerOf(name, noun string) (*human, *firm, error) {
	h, err := s.payer(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := s.firm(noun)
	return h, f, err
}

// paymentKey names a payment by its payer and amount.
func paymentKey(name, amount string) string { return name + "'s " + amount }

// payment gives a payment that is known to the service.
func (s *roster) payment(name, amount string) (*payment, error) {
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
func (s *roster) agreed(name string) (*agreement, error) {
	p := s.plans[name]
	switch {
	case p == nil:
		return nil, fmt.Errorf("%w the plan %s", errStranger, name)
	case p.id == "":
		return nil, fmt.Errorf("%w the plan %s", errUnbound, name)
	}
	return p, nil
}

// known says whether a payer belongs to the story.
func (s *roster) known(payer string) bool {
	for _, h := range s.people {
		if h.id == payer && payer != "" {
			return true
		}
	}
	return false
}

// ours says whether a payment belongs to the story.
func (s *roster) ours(id string) bool {
	for _, p := range s.payments {
		if p.id == id {
			return true
		}
	}
	return false
}

// asked says whether a call asks this person, by id, number or address.
func (h *human) asked(c *trail.Call) bool {
	id, phone, mail := c.Sent().Text("registrationId"), c.Sent().Text("contactNumber"), c.Sent().Text("emailAddress")
	return strings.EqualFold(id, h.id) && id != "" || phone == h.Mobile && phone != "" || strings.EqualFold(mail, h.Email) && mail != ""
}

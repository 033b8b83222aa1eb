package story

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

func stateExpectations() []Step {
	return []Step{
		step(company+` is (Unverified|Verified|Rejected)`, bind2((*Story).companyIs)),
		step(person+` is Registered`, bind1((*Story).isRegistered)),
		step(person+`'s `+money+` is ([A-Z][A-Za-z]+)`, bind3((*Story).paymentIs)),
		step(`the plan `+quoted+` is ([A-Z][a-z]+)`, bind2((*Story).planIs)),
		step(person+` was asked for `+money+` only once`, bind2((*Story).askedOnce)),
	}
}

// becomes waits until an entity is in a state.
func (s *Story) becomes(ctx context.Context, what, entity, state string) error {
	return s.Tape.Until(ctx, what+" to be "+state, func() string {
		switch now := s.Tape.State(entity); now {
		case state:
			return ""
		case "":
			return "the tape shows no state of it"
		default:
			return "it is " + now
		}
	})
}

func (s *Story) companyIs(ctx context.Context, noun, state string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.becomes(ctx, f.name, f.id, state)
}

func (s *Story) isRegistered(ctx context.Context, name string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	return s.becomes(ctx, name, h.id, "Registered")
}

func (s *Story) paymentIs(ctx context.Context, name, amount, state string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.becomes(ctx, paymentKey(name, amount), p.id, state)
}

func (s *Story) planIs(ctx context.Context, title, state string) error {
	p, err := s.agreed(title)
	if err != nil {
		return err
	}
	return s.becomes(ctx, "the plan "+title, p.id, state)
}

// askedOnce counts the payments that the service has made, whatever answers got
// lost.
func (s *Story) askedOnce(ctx context.Context, name, amount string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.Tape.Until(ctx, "one payment of "+paymentKey(name, amount), func() string {
		n := 0
		for c := range s.Tape.CallsTo("createPayment") {
			if c.Sent().Cents("amount") == p.amount && p.who.asked(c) && s.Tape.Made(c.Entry.Seq, "payment") != "" {
				n++
			}
		}
		if n == 1 {
			return ""
		}
		return fmt.Sprintf("there are %d", n)
	})
}

func heardExpectations() []Step {
	return []Step{
		step(`the partner has heard that `+company+` is ([A-Z][a-z]+)`, bind2((*Story).heardOfCompany)),
		step(`the partner has heard that `+person+`'s `+money+` is ([A-Z][A-Za-z]+)`, bind3((*Story).heardOfPayment)),
		step(company+` has got an e-mail with its links`, bind1((*Story).hasLinks)),
		step(person+` has got an (SMS|e-mail) about `+money, bind3((*Story).hasMessage)),
	}
}

func (s *Story) heardOfCompany(ctx context.Context, noun, status string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.heard(ctx, f.name, f.id, status)
}

func (s *Story) heardOfPayment(ctx context.Context, name, amount, status string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.heard(ctx, paymentKey(name, amount), p.id, status)
}

// heard waits until the partner has accepted an event about an entity. A partner
// that has no address for events hears of nothing, which is its own affair.
func (s *Story) heard(ctx context.Context, what, entity, status string) error {
	ids, err := s.endpoints(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.Tape.Until(ctx, fmt.Sprintf("the partner to accept the event that %s is %s", what, status), func() string {
		wrong := "no such event was delivered"
		for i := range s.Tape.Entries {
			e := &s.Tape.Entries[i]
			if e.Attempt == nil || !s.says(e.Attempt.Event, entity, status) {
				continue
			}
			if e.Attempt.Status >= 200 && e.Attempt.Status < 300 {
				return ""
			}
			wrong = fmt.Sprintf("entry %d: it was answered with %s", e.Seq, task.StatusText(e.Attempt.Status))
		}
		return wrong
	})
}

// says says whether an event is about an entity and a status.
func (s *Story) says(event, entity, status string) bool {
	for i := range s.Tape.Entries {
		e := &s.Tape.Entries[i]
		if e.Event != nil && e.Event.ID == event && len(e.Entities) > 0 && e.Entities[0] == entity {
			data := trail.ReadBody(e.Event.Body).Object("Data")
			return data.Text("Status") == status
		}
	}
	return false
}

// hasLinks looks for the e-mail that follows the verification.
func (s *Story) hasLinks(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.told(ctx, "an e-mail to "+f.name+" with two links", func(e *tape.Entry) bool {
		return e.Message.Channel == tape.ChannelEmail && len(e.Entities) > 0 && e.Entities[0] == f.id && links(e.Message) == 2
	})
}

// hasMessage looks for a message to a person that names an amount.
func (s *Story) hasMessage(ctx context.Context, name, kind, amount string) error {
	h := s.human(name)
	channel, to := tape.ChannelSMS, h.Mobile
	if kind == "e-mail" {
		channel, to = tape.ChannelEmail, h.Email
	}
	if to == "" {
		return fmt.Errorf("%w %s by %s: the partner has registered nobody of that name with such an address", errSilent, name, kind)
	}
	return s.told(ctx, "an "+kind+" to "+name+" about "+amount, func(e *tape.Entry) bool {
		return e.Message.Channel == channel && strings.EqualFold(e.Message.To, to) && names(e.Message, amount)
	})
}

var errSilent = errors.New("nothing can reach")

// told waits for a message.
func (s *Story) told(ctx context.Context, what string, is func(*tape.Entry) bool) error {
	return s.Tape.Until(ctx, what, func() string {
		for i := range s.Tape.Entries {
			if e := &s.Tape.Entries[i]; e.Message != nil && is(e) {
				return ""
			}
		}
		return "there was none"
	})
}

// links counts the addresses that a message holds.
func links(m *tape.Message) int {
	n := len(m.Links)
	for _, p := range m.Params {
		if strings.HasPrefix(p.Value, "http") {
			n++
		}
	}
	return n
}

// names says whether a message tells an amount.
func names(m *tape.Message, amount string) bool {
	for _, p := range m.Params {
		if strings.Contains(p.Value, amount) {
			return true
		}
	}
	return strings.Contains(m.Text, amount)
}

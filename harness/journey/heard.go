package journey

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paysandbox/mockserver/tape"
)

func heardExpectations() []Step {
	return []Step{
		step(`the partner has heard that `+company+` is ([A-Z][a-z]+)`, bind2((*story).heardOfCompany)),
		step(`the partner has heard that `+person+`'s `+money+` is ([A-Z][A-Za-z]+)`, bind3((*story).heardOfPayment)),
		step(company+` has got an e-mail with its links`, bind1((*story).hasLinks)),
		step(person+` has got an (SMS|e-mail) about `+money, bind3((*story).hasMessage)),
	}
}

func (s *story) heardOfCompany(ctx context.Context, noun, status string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.heard(ctx, f.name, f.id, status)
}

func (s *story) heardOfPayment(ctx context.Context, name, amount, status string) error {
	p, err := s.payment(name, amount)
	if err != nil {
		return err
	}
	return s.heard(ctx, paymentKey(name, amount), p.id, status)
}

// heard waits until the partner has accepted an event about an entity. A partner
// that has no address for events hears of nothing, which is its own affair.
func (s *story) heard(ctx context.Context, what, entity, status string) error {
	ids, err := s.endpoints(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.tape.until(ctx, fmt.Sprintf("the partner to accept the event that %s is %s", what, status), func() string {
		wrong := "no such event was delivered"
		for i := range s.tape.entries {
			e := &s.tape.entries[i]
			if e.Attempt == nil || !s.says(e.Attempt.Event, entity, status) {
				continue
			}
			if e.Attempt.Status >= 200 && e.Attempt.Status < 300 {
				return ""
			}
			wrong = fmt.Sprintf("entry %d: it was answered with %s", e.Seq, statusText(e.Attempt.Status))
		}
		return wrong
	})
}

// says says whether an event is about an entity and a status.
func (s *story) says(event, entity, status string) bool {
	for i := range s.tape.entries {
		e := &s.tape.entries[i]
		if e.Event != nil && e.Event.ID == event && len(e.Entities) > 0 && e.Entities[0] == entity {
			data, _ := member(object(e.Event.Body), "Data").(map[string]any)
			return text(data, "Status") == status
		}
	}
	return false
}

// hasLinks looks for the e-mail that follows the verification.
func (s *story) hasLinks(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.told(ctx, "an e-mail to "+f.name+" with two links", func(e *tape.Entry) bool {
		return e.Message.Channel == tape.ChannelEmail && len(e.Entities) > 0 && e.Entities[0] == f.id && links(e.Message) == 2
	})
}

// hasMessage looks for a message to a person that names an amount.
func (s *story) hasMessage(ctx context.Context, name, kind, amount string) error {
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
func (s *story) told(ctx context.Context, what string, is func(*tape.Entry) bool) error {
	return s.tape.until(ctx, what, func() string {
		for i := range s.tape.entries {
			if e := &s.tape.entries[i]; e.Message != nil && is(e) {
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

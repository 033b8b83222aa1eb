// Package entry writes what a world has recorded as entries of the tape.
package entry

import (
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// Scratch is an entry that is used again for each record.
type Scratch struct {
	// Entry is the one in hand.
	Entry      tape.Entry
	entity     uuid.UUID
	entities   [1]string // as it is written
	timer      tape.Timer
	transition tape.Transition
	event      tape.Event
	message    tape.Message
}

// Forget lets go of all that the entries held.
func (s *Scratch) Forget() { *s = Scratch{} }

// maxTouched bounds how many entities an input is filed under.
const maxTouched = 8

// Touched adds to the entities that a call names those that it has changed.
func Touched(named []string, records []kernel.Record) []string {
	last := uuid.Nil
	for n := range records {
		id := records[n].Entity
		if id == last || id == uuid.Nil || len(named) >= maxTouched {
			continue
		}
		last = id
		if text := id.String(); !slices.Contains(named, text) {
			named = append(named, text)
		}
	}
	return named
}

// Of translates a record into an entry that is valid until the next one.
func (s *Scratch) Of(r *kernel.Record) *tape.Entry {
	if s.entity != r.Entity || s.entities[0] == "" {
		s.entity, s.entities[0] = r.Entity, r.Entity.String()
	}
	s.Entry = tape.Entry{Seq: r.Seq, Cause: r.Cause, At: r.At, Entities: s.entities[:]}
	switch r.Kind {
	case kernel.RecordTimer:
		s.timer = tape.Timer{Name: r.Name, Due: r.Due, Scheduled: r.Cause}
		s.Entry.Kind, s.Entry.Timer = tape.KindTimer, &s.timer
	case kernel.RecordTransition:
		s.transition = tape.Transition{
			Machine: r.Machine, Entity: s.entities[0], From: r.From, To: r.To, Event: r.Event, Reason: r.Reason,
		}
		s.Entry.Kind, s.Entry.Transition = tape.KindTransition, &s.transition
	case kernel.RecordEvent:
		s.event = tape.Event{Name: r.Name, ID: r.ID.String(), Body: r.Body}
		s.Entry.Kind, s.Entry.Event = tape.KindEvent, &s.event
	case kernel.RecordMessage:
		s.message = messageOf(r.Message)
		s.Entry.Kind, s.Entry.Message = tape.KindMessage, &s.message
	case kernel.RecordFindings:
		s.Entry.Kind, s.Entry.Findings, s.Entry.Entities = tape.KindFinding, findingsOf(r.Findings), nil
	default:
		panic("entry: the world has recorded an unknown kind")
	}
	return &s.Entry
}

func messageOf(m *kernel.Message) tape.Message {
	out := tape.Message{Channel: m.Channel, To: m.To, Template: m.Template, Params: make([]tape.Param, 0, len(m.Values)+1)}
	for _, v := range m.Values {
		out.Params = append(out.Params, tape.Param{Name: v.Name, Value: v.Text})
	}
	if m.Bounced {
		out.Params = append(out.Params, tape.Param{Name: "bounced", Value: "true"})
	}
	return out
}

func findingsOf(list []kernel.Finding) []tape.Finding {
	out := make([]tape.Finding, 0, len(list))
	for n := range list {
		out = append(out, findingOf(&list[n]))
	}
	return out
}

func findingOf(f *kernel.Finding) tape.Finding {
	return tape.Finding{
		Pointer: f.Pointer, Clause: f.Clause, Source: string(f.Source), Received: f.Received,
		Expected: f.Expected, Fix: f.Fix, Advisory: f.Advisory,
	}
}

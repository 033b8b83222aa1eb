package integration

import (
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// scratch is what Do reuses from call to call, under the lock.
type scratch struct {
	entry      tape.Entry
	entities   [1]string
	timer      tape.Timer
	transition tape.Transition
	event      tape.Event
	message    tape.Message
	effects    []kernel.Effect
}

// fireBatch is how many timers fire between two moves of records to the tape.
const fireBatch = 256

// fire makes a virtual time the present, after everything that is due by then
// has happened and is on the tape.
func (i *Integration) fire(to int64) {
	for n := 1; ; n++ {
		due, ok := i.world.NextDue()
		if !ok || due > to {
			break
		}
		i.world.FireNext()
		if n%fireBatch == 0 {
			i.flush()
		}
	}
	i.world.Advance(to)
	i.flush()
}

// flush moves what the world has recorded to the tape and keeps its effects.
func (i *Integration) flush() { i.keep(i.world.Take()) }

// keep puts records on the tape, in order.
func (i *Integration) keep(records []kernel.Record, effects []kernel.Effect) {
	for n := range records {
		i.append(i.scratch.entryOf(&records[n]))
	}
	i.scratch.effects = append(i.scratch.effects, effects...)
}

// maxTouched bounds how many entities an input is filed under.
const maxTouched = 8

// touched adds to the entities that a call names those that it has changed.
func touched(named []string, records []kernel.Record) []string {
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

// entryOf translates a record into an entry that is valid until the next one.
func (s *scratch) entryOf(r *kernel.Record) *tape.Entry {
	s.entities[0] = r.Entity.String()
	s.entry = tape.Entry{Seq: r.Seq, Cause: r.Cause, At: r.At, Entities: s.entities[:]}
	switch r.Kind {
	case kernel.RecordTimer:
		s.timer = tape.Timer{Name: r.Name, Due: r.Due, Scheduled: r.Cause}
		s.entry.Kind, s.entry.Timer = tape.KindTimer, &s.timer
	case kernel.RecordTransition:
		s.transition = tape.Transition{
			Machine: r.Machine, Entity: s.entities[0], From: r.From, To: r.To, Event: r.Event, Reason: r.Reason,
		}
		s.entry.Kind, s.entry.Transition = tape.KindTransition, &s.transition
	case kernel.RecordEvent:
		s.event = tape.Event{Name: r.Name, ID: r.ID.String(), Body: r.Body}
		s.entry.Kind, s.entry.Event = tape.KindEvent, &s.event
	case kernel.RecordMessage:
		s.message = messageOf(r.Message)
		s.entry.Kind, s.entry.Message = tape.KindMessage, &s.message
	case kernel.RecordFindings:
		s.entry.Kind, s.entry.Findings, s.entry.Entities = tape.KindFinding, findingsOf(r.Findings), nil
	default:
		panic("integration: the world has recorded an unknown kind")
	}
	return &s.entry
}

func messageOf(m *kernel.Message) tape.Message {
	out := tape.Message{Channel: m.Channel, To: m.To, Template: m.Template}
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

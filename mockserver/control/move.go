package control

import (
	"slices"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/world"
)

// Moved is an entity after a step of its state machine.
type Moved struct {
	// ID is the entity's id.
	ID string `json:"id" required:"true" format:"uuid" example:"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"`
	// Status is its state now.
	Status string `json:"status" required:"true" example:"Processing"`
}

// known refuses an event that a machine does not have, and names the nearest.
func known(m *kernel.Machine, event string) error {
	events := m.Events()
	if slices.Contains(events, event) {
		return nil
	}
	return invalid(wrong("path:event", "control.event", quoted(event),
		"an event of the "+m.Name+": "+joined(events), "nearest: "+spelling.Nearest(event, events)))
}

// outcome refuses a text that is none of the outcomes, and names the nearest.
func outcome(given string, outcomes ...string) error {
	if slices.Contains(outcomes, given) {
		return nil
	}
	return invalid(wrong("/outcome", "control.outcome", quoted(given), "one of "+joined(outcomes), "nearest: "+spelling.Nearest(given, outcomes)))
}

// leadsTo is the state that an event of a machine always leads to.
func leadsTo(m *kernel.Machine, event string) string {
	for _, mv := range m.Moves {
		if mv.Event == event {
			return m.States[mv.To]
		}
	}
	return ""
}

// moved answers for an entity that has taken a step, in the state that the step
// led to.
func (x *exchange) moved(status string, err error) (Moved, error) {
	if err != nil {
		return Moved{}, err
	}
	return Moved{ID: strings.ToLower(x.Param("id")), Status: status}, nil
}

// step makes an endpoint that takes a step of a machine without more words.
// state tells the entity's state afterwards.
func step(m *kernel.Machine, move func(w *world.World, id, event string) error, state func(w *world.World, id, event string) (string, error)) endpoint {
	return acts(func(w *world.World, x *exchange) (Moved, error) {
		id, event := x.Param("id"), x.Param("event")
		if err := known(m, event); err != nil {
			return Moved{}, err
		}
		if err := move(w, id, event); err != nil {
			return Moved{}, err
		}
		return x.moved(state(w, id, event))
	})
}

// ledBy is the state of an entity whose events each lead to one state.
func ledBy(m *kernel.Machine) func(*world.World, string, string) (string, error) {
	return func(_ *world.World, _, event string) (string, error) { return leadsTo(m, event), nil }
}

// illegal says that a state does not admit an event, as the world does.
func illegal(m *kernel.Machine, id, state, event string) error {
	var legal []string
	if s, ok := m.StateNamed(state); ok {
		legal = m.Legal(s)
	}
	return &kernel.Error{
		Code: kernel.IllegalTransition, Machine: m.Name, State: state, Event: event, Legal: legal,
		Detail: "the " + m.Name + " " + id + " is " + state + " and does not admit " + event,
	}
}

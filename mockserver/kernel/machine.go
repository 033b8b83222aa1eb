package kernel

import (
	"slices"
	"strings"

	"github.com/google/uuid"
)

// State is a row of its machine's States. 0 is "not yet created".
type State uint8

// Move is one allowed step of a machine.
type Move struct {
	// Event is the verb that causes the step.
	Event string
	// From and To are states of the machine; From 0 is creation.
	From, To State
	// Emits is the webhook event that the step sends, or "".
	Emits string
}

// Machine is a declared state machine: the table is all there is to it.
type Machine struct {
	// Name is the resource that the machine moves.
	Name string
	// States are the names of the states; the first is the empty name of what
	// does not exist yet.
	States []string
	// Moves are all allowed steps, in the order in which they are told.
	Moves []Move
}

// StateNamed gives the state with the name, as the API writes it.
func (m *Machine) StateNamed(name string) (State, bool) {
	i := slices.Index(m.States, name)
	return State(max(i, 0)), i > 0 //nolint:gosec // G115: a machine has few states.
}

// Find gives the step that the event takes from a state.
func (m *Machine) Find(from State, event string) (Move, bool) {
	for i := range m.Moves {
		if m.Moves[i].From == from && m.Moves[i].Event == event {
			return m.Moves[i], true
		}
	}
	return Move{}, false
}

// Legal lists the events that a state admits, in table order.
func (m *Machine) Legal(from State) []string {
	var legal []string
	for _, mv := range m.Moves {
		if mv.From == from {
			legal = append(legal, mv.Event)
		}
	}
	return legal
}

// Events lists every event of the machine once, in table order.
func (m *Machine) Events() []string {
	var events []string
	for _, mv := range m.Moves {
		if !slices.Contains(events, mv.Event) {
			events = append(events, mv.Event)
		}
	}
	return events
}

// Mermaid prints the table as a Mermaid state diagram.
func (m *Machine) Mermaid() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, mv := range m.Moves {
		from := "[*]"
		if mv.From != 0 {
			from = m.States[mv.From]
		}
		b.WriteString("    " + from + " --> " + m.States[mv.To] + ": " + mv.Event)
		if mv.Emits != "" {
			b.WriteString(" / " + mv.Emits)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Refusal says that a state does not admit an event.
func (m *Machine) Refusal(id uuid.UUID, from State, event string) *Error {
	legal := m.Legal(from)
	detail := "the " + m.Name + " " + id.String() + " is " + m.States[from] + " and does not admit " + event
	if len(legal) == 0 {
		detail += "; no event leads out of " + m.States[from]
	} else {
		detail += "; it admits " + strings.Join(legal, ", ")
	}
	return &Error{Code: IllegalTransition, Detail: detail, Machine: m.Name, State: m.States[from], Event: event, Legal: legal}
}

package play

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
)

// Script is what is played.
type Script struct {
	World World  `json:"world"`
	Steps []Step `json:"steps"`
}

// World is how the world begins that a script is played to.
type World struct {
	Seed        uint64            `json:"seed"`
	Environment string            `json:"environment"`
	Start       time.Time         `json:"start"`
	Latitude    map[string]string `json:"latitude,omitempty"`
	Strict      bool              `json:"strict,omitempty"`
	// Undone are recorded values that a person has said to stand for nothing in it.
	Undone []correlate.Value `json:"undone,omitempty"`
}

// Step is one call, one move, or the moment of a webhook, at a virtual time.
type Step struct {
	At time.Time `json:"at"`
	// Call is made, or Move is carried out.
	Call *Call `json:"call,omitempty"`
	Move *Move `json:"move,omitempty"`
	// Heard is the number of a received webhook, from 1: nothing is carried out, but
	// what it tells has happened by then.
	Heard int `json:"heard,omitempty"`
	// Why tells an assumption in one sentence; it is empty for what was recorded.
	Why string `json:"why,omitempty"`
}

// Text tells a step in one line.
func (s *Step) Text() string {
	switch {
	case s.Call != nil:
		return strings.TrimSpace(s.Call.Exchange.Method + " " + s.Call.Exchange.Path + " " + string(s.Call.Exchange.Body))
	case s.Move != nil && s.Why != "":
		return s.Why
	case s.Move != nil:
		return strings.TrimSpace("people: " + s.Move.Path + " " + string(s.Move.Body))
	case s.Heard > 0:
		return fmt.Sprintf("webhook %d arrives", s.Heard)
	default:
		return "the clock reaches " + s.At.UTC().Format(time.RFC3339)
	}
}

// Prelude is the number of a call that the recording does not have.
const Prelude = -1

// Call is a call of the partner API.
type Call struct {
	// N is the place of the exchange in the recording, or Prelude.
	N        int                `json:"n"`
	Exchange recording.Exchange `json:"exchange"`
	// Admitted puts the world's credentials in the place of the recording's: they were
	// right where it was recorded.
	Admitted bool `json:"admitted,omitempty"`
	// Fault is what the sandbox is asked to do instead, as a Sandbox-Fault header has it.
	Fault string `json:"fault,omitempty"`
	// Smaller says that its body is smaller than the recorded one: of its answer the status
	// alone can be compared.
	Smaller bool `json:"smaller,omitempty"`
	// Struck are the pointers of what the file has struck out of its body: usual values stand there.
	Struck []string `json:"struck,omitempty"`
	// Broken says that the fault stands for the service's own failure.
	Broken bool `json:"broken,omitempty"`
	// Met says that the next call is made while this one is at work, Meets that this is
	// such a call: it was told so where it was recorded.
	Met   bool `json:"met,omitempty"`
	Meets bool `json:"meets,omitempty"`
	// Stands are recorded values that those of the answer stand for: a value's Where is
	// the pointer in the answer.
	Stands []correlate.Value `json:"stands,omitempty"`
}

// Move is what somebody other than the partner did: a call of the control API.
type Move struct {
	// Path begins behind the integration; ids in it are the recording's.
	Path string          `json:"path"`
	Body json.RawMessage `json:"body,omitempty"`
	// Entity is the recorded id that it is about, Machine and Event its move.
	Entity  string `json:"entity,omitempty"`
	Machine string `json:"machine,omitempty"`
	Event   string `json:"event,omitempty"`
	// Stands are as those of a call.
	Stands []correlate.Value `json:"stands,omitempty"`
}

// Clone copies the script's list of steps.
func (s *Script) Clone() Script {
	return Script{World: s.World, Steps: slices.Clone(s.Steps)}
}

// Calls counts the recorded calls.
func (s *Script) Calls() int {
	n := 0
	for i := range s.Steps {
		if c := s.Steps[i].Call; c != nil && c.N != Prelude {
			n++
		}
	}
	return n
}

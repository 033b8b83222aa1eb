package replay

import (
	"strings"

	"paysandbox/harness/replay/play"
)

// Title names the case in a few words.
func (c *Case) Title() string {
	f := c.Diagnosis.Fault
	if f == nil {
		return "Nothing went wrong"
	}
	cause := f.Clause
	if f.Knob != "" {
		cause = f.Knob
	}
	return strings.TrimSpace(f.Call + " shows " + cause + " (" + string(f.Side) + ")")
}

// Moves are what payers, companies and banks did in the time of the recording, as
// machine.event, in order.
func (c *Case) Moves() []string {
	first := uint64(0)
	partner := map[uint64]bool{}
	for i := range c.Run.Answers {
		a := &c.Run.Answers[i]
		if a.N != play.Prelude && first == 0 {
			first = a.Seq
		}
		partner[a.Seq] = true
	}
	var list []string
	for i := range c.Run.Entries {
		e := &c.Run.Entries[i]
		if m := e.Transition; m != nil && m.From != "" && e.Seq > first && !partner[e.Cause] && !strings.HasPrefix(m.Machine, "webhook") {
			list = append(list, m.Machine+"."+m.Event)
		}
	}
	return list
}

package replay

import (
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
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
// machine.event, in order; what time alone has brought is not among them.
func (c *Case) Moves() []string {
	first := uint64(0)
	for i := range c.Run.Answers {
		if a := &c.Run.Answers[i]; a.N != play.Prelude && first == 0 {
			first = a.Seq
		}
	}
	people := map[uint64]bool{}
	var list []string
	for i := range c.Run.Entries {
		e := &c.Run.Entries[i]
		people[e.Seq] = e.Kind == tape.KindControl && e.Seq > first
		if m := e.Transition; m != nil && m.From != "" && people[e.Cause] && !strings.HasPrefix(m.Machine, "webhook") {
			list = append(list, m.Machine+"."+m.Event)
		}
	}
	return list
}

// ofService is the clause of the service that the fault is about: what the partner owes is none.
func (c *Case) ofService() string {
	f := c.Diagnosis.Fault
	if f == nil {
		return ""
	}
	if _, known := clause.Lookup(f.Clause); known && !strings.HasPrefix(f.Clause, clause.IntegrationPrefix) {
		return f.Clause
	}
	if a := c.Run.Of(f.N); a != nil {
		return trail.OperationNamed(a.Operation).Clause
	}
	return ""
}

// webhooks are those that a fault of their receiver, of their signature or of a company's event,
// or what cannot be told of it, rests on.
func (c *Case) webhooks() []recording.Received {
	f := c.Diagnosis.Fault
	if f == nil || f.Heard == 0 || f.Side == diagnose.Service && f.Clause != "event.company" && f.Clause != "event.signature" {
		return nil
	}
	var list []recording.Received
	for _, n := range f.Webhooks {
		w := c.Recording.Received[n-1]
		if f.Side == diagnose.Service && w.Signature != "" {
			w.Signature = recording.Valid // what the service has to do is told
		}
		list = append(list, w)
	}
	return list
}

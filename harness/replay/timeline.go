package replay

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Happening is one thing of a case, as it was recorded and as it was replayed.
type Happening struct {
	At time.Time
	// N is the number of a call or of a webhook, as the diagnosis has it; 0 for none.
	N int
	// Kind is call, webhook, people or time.
	Kind string
	// What tells it; Recorded and Replayed are what came of it, "" where nothing is known.
	What, Recorded, Replayed string
	// Assumed says that no file tells it.
	Assumed bool
	// Differences are those that show in it, Faults what went wrong there.
	Differences []compare.Difference
	Faults      []diagnose.Fault
	// Bodies are those of a call, or of a webhook.
	Bodies []Body
}

// Timeline tells a case thing by thing, in the order of its play.
func (c *Case) Timeline() []Happening {
	answers := map[int]*play.Answered{}
	for i := range c.Run.Answers {
		answers[c.Run.Answers[i].Step] = &c.Run.Answers[i]
	}
	var list []Happening
	room := mostOfBodies
	for i := range c.Run.Script.Steps {
		s := &c.Run.Script.Steps[i]
		h := Happening{At: s.At.UTC(), Assumed: s.Why != ""}
		switch {
		case s.Call != nil:
			c.called(&h, s, answers[i], &room)
		case s.Heard > 0:
			w := &c.Recording.Received[s.Heard-1]
			told := compare.Tell(w.Body)
			h.Kind, h.What, h.Recorded = "webhook", strings.TrimSpace(told.Name+" "+told.Says), string(w.Signature)
			h.N, h.Faults = s.Heard, c.faults(func(f *diagnose.Fault) bool { return f.Heard == s.Heard })
			h.Differences = c.differ(func(d *compare.Difference) bool { return d.Heard == s.Heard })
			h.Bodies = bodies(&h, &room, nil, w.Body, nil)
		case s.Move != nil:
			h.Kind, h.What, h.Replayed = "people", s.Text(), c.Run.Moved[i]
		default:
			h.Kind, h.What = "time", s.Text()
		}
		h.What = string(trail.Show([]byte(h.What)))
		list = append(list, h)
	}
	for _, d := range c.differ(func(d *compare.Difference) bool { return d.N == play.Prelude && d.Heard == 0 }) {
		list = append(list, Happening{Kind: "webhook", What: d.Call, Replayed: d.Replayed, Differences: []compare.Difference{d}})
	}
	return list
}

// called tells a call. Its bodies are those that the files tell, and their answers: what stands in for others is not shown.
func (c *Case) called(h *Happening, s *play.Step, a *play.Answered, room *int) {
	x := &s.Call.Exchange
	h.Kind, h.What = "call", x.Method+" "+x.Path
	if s.Call.N == play.Prelude {
		h.Assumed = true
	} else if h.Recorded = string(x.Answer.Known); x.Answer.Status > 0 {
		h.Recorded = strconv.Itoa(x.Answer.Status)
	}
	if a != nil && a.Status > 0 {
		h.Replayed = strconv.Itoa(a.Status)
	}
	if s.Call.N != play.Prelude {
		h.N, h.Faults = s.Call.N+1, c.faults(func(f *diagnose.Fault) bool { return f.N == s.Call.N && f.Heard == 0 })
		h.Differences = c.differ(func(d *compare.Difference) bool { return d.N == s.Call.N && d.Heard == 0 })
		var here []byte
		if a != nil {
			here = a.Body
		}
		h.Bodies = bodies(h, room, x.Body, x.Answer.Body, here)
	}
}

// faults are those that are asked for.
func (c *Case) faults(asked func(*diagnose.Fault) bool) []diagnose.Fault {
	return slices.DeleteFunc(slices.Clone(c.Diagnosis.Faults), func(f diagnose.Fault) bool { return !asked(&f) })
}

// differ are the differences that mean something, of those that are asked for.
func (c *Case) differ(asked func(*compare.Difference) bool) []compare.Difference {
	var list []compare.Difference
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Class != compare.TimeOrID && asked(d) {
			list = append(list, *d)
		}
	}
	return list
}

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
	first := c.begun()
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

// begun is the last entry before the recording begins: its first call, or what was made before the webhook that comes before that; 0
// where it has no calls.
func (c *Case) begun() (last uint64) {
	steps := c.Run.Script.Steps
	heard := slices.IndexFunc(steps, func(s play.Step) bool { return s.Heard > 0 })
	for i := range c.Run.Answers {
		switch a := &c.Run.Answers[i]; {
		case a.N == play.Prelude && a.Step < heard:
			last = a.Seq
		case a.N == play.Prelude:
		case heard < 0 || a.Step < heard:
			return a.Seq
		default:
			return last
		}
	}
	return 0
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

// inBody are the clauses whose fault is to be seen in the body of the one call that they are about.
var inBody = []string{"partner.reference.", "partner.body.", "partner.amount.", "partner.privacy.", "partner.intent."}

// owed is the clause that the partner has not kept and that no call is refused for, and the number of the call whose body shows it, 0 for none.
func (c *Case) owed() (id string, call int) {
	f := c.Diagnosis.Fault
	if f == nil || !strings.HasPrefix(f.Clause, clause.IntegrationPrefix) {
		return "", 0
	}
	if slices.ContainsFunc(inBody, func(begin string) bool { return strings.HasPrefix(f.Clause, begin) }) {
		call = f.N + 1
	}
	return f.Clause, call
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

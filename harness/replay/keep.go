package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/minimise"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// ErrKeep says that what is to be kept is not written as it should be, or not there.
var ErrKeep = errors.New("nothing to keep")

// shows says of a play whether it shows something.
type shows func(run *play.Run) bool

// Minimise makes the smallest script that still shows what is to be kept: "" the first
// fault, or else the first difference; "clause=ID", "call=N" (what call N was answered),
// "difference", or "state=ID:STATE". The case that it gives is played to that script.
func (c *Case) Minimise(ctx context.Context, keep string, o Options) (*Case, minimise.Result, error) {
	m := &maker{Options: o, rec: c.Recording}
	whole := c.adopting()
	test, evidence, err := c.kept(m, keep, &whole)
	if err != nil {
		return nil, minimise.Result{}, err
	}
	result, err := minimise.Run(ctx, minimise.Task{
		Sandbox: o.Sandbox, Script: whole, Shows: test, Evidence: evidence, Parallel: o.Parallel, Progress: o.Progress,
	})
	if err != nil {
		return nil, result, fmt.Errorf("minimise: %w", err)
	}
	part, script := pruned(c.Recording, &result.Script, evidence)
	script = c.unchosen(script) // the choices are found again
	small, err := Again(ctx, part, &script, Options{Sandbox: o.Sandbox, Knobs: Chosen(c.Choices), Parallel: o.Parallel})
	if err != nil {
		return nil, result, err
	}
	small.Notes, result.After = nil, len(small.Script.Steps) // with what people did, where that is inferred again
	return small, result, nil
}

// pruned is the part of a recording that a script has, and the script with its numbers.
// What is evidence is compared whole.
func pruned(r *recording.Recording, s *play.Script, evidence []int) (*recording.Recording, play.Script) {
	part := &recording.Recording{Sources: slices.Clone(r.Sources), Services: r.Services}
	script := s.Clone()
	now := map[string]int{}
	var heard []int // in the order in which they came, which may be another than that in which things happened
	for i := range script.Steps {
		if n := script.Steps[i].Heard; n > 0 {
			heard = append(heard, n)
		}
	}
	slices.Sort(heard)
	heard = slices.Compact(heard)
	for i, n := range heard {
		part.Received = append(part.Received, r.Received[n-1])
		now["webhook "+strconv.Itoa(n)] = i + 1
	}
	for i := range script.Steps {
		step := &script.Steps[i]
		if c := step.Call; c != nil && c.N >= 0 {
			now["call "+strconv.Itoa(c.N+1)] = len(part.Exchanges) + 1
			one := *c
			one.Smaller = !slices.Contains(evidence, c.N) && !bytes.Equal(c.Exchange.Body, r.Exchanges[c.N].Body)
			one.N = len(part.Exchanges)
			step.Call = &one
			if part.Exchanges = append(part.Exchanges, one.Exchange); len(c.Struck) > 0 && !one.Smaller { // usual values stand in the script alone
				part.Exchanges[one.N].Body = r.Exchanges[c.N].Body
			}
		}
		if step.Heard > 0 {
			step.Heard = now["webhook "+strconv.Itoa(step.Heard)]
		}
	}
	for i := range part.Sources { // what is left out did arrive
		part.Sources[i].ReceivedComplete = part.Sources[i].ReceivedComplete && len(part.Received) == len(r.Received)
	}
	for i := range script.Steps {
		script.Steps[i].Why = renumbered(script.Steps[i].Why, now)
	}
	return part, script
}

// untilCall ends an assumption that names the call, or the webhook, which shows it.
var untilCall = trail.Pattern(`, before (call|webhook) ([0-9]+)( .*|, .*)?$`)

// renumbered is an assumption with the number that its call or webhook has now; without it, where it is left out.
func renumbered(why string, now map[string]int) string {
	found := untilCall().FindStringSubmatchIndex(why)
	if found == nil {
		return why
	}
	if n := now[why[found[2]:found[5]]]; n > 0 {
		return why[:found[4]] + strconv.Itoa(n) + why[found[5]:]
	}
	return why[:found[0]]
}

// kept is the test of what is to be kept, and the exchanges that it rests on.
func (c *Case) kept(m *maker, keep string, script *play.Script) (shows, []int, error) {
	what, value, _ := strings.Cut(keep, "=")
	switch {
	case keep == "" && c.Diagnosis.Fault != nil && (c.Diagnosis.Side != diagnose.Undecidable || len(c.Diagnosis.Fault.Webhooks) > 1):
		return c.keepFault(m, c.Diagnosis.Fault, nil, script)
	case keep == "" || keep == "difference":
		return c.keepDifference(m, script)
	case what == "clause":
		for i := range c.Diagnosis.Faults {
			if f := &c.Diagnosis.Faults[i]; f.Clause == value || slices.Contains(f.Also, value) {
				return c.keepFault(m, f, c.Diagnosis.Faults[:i], script)
			}
		}
		return nil, nil, fmt.Errorf("%w: no fault of the case breaks the clause %q", ErrKeep, value)
	case what == "call":
		return c.keepCall(value)
	case what == "state":
		return c.keepState(value)
	default:
		return nil, nil, fmt.Errorf("%w: %q is not clause=ID, call=N, difference or state=ID:STATE", ErrKeep, keep)
	}
}

// keepFault keeps a fault; those before it may go or stay.
func (c *Case) keepFault(m *maker, f *diagnose.Fault, before []diagnose.Fault, script *play.Script) (shows, []int, error) {
	if f.Side == diagnose.Choice && f.Knob != diagnose.EventFirst && !f.Unseen() { // which no answer shows
		return c.keepDifference(m, script)
	}
	if f.N < 0 && f.Heard == 0 {
		return nil, nil, fmt.Errorf("%w: %s never came, and a part of the recording has fewer webhooks still: say which state leads to it (--keep state=ID:STATE)", ErrKeep, f.Call)
	}
	var evidence []int
	for _, n := range f.Calls {
		evidence = append(evidence, n-1)
	}
	return func(run *play.Run) bool {
		return c.served(run) && c.alike(run, f.N) && f.Shown(m.excerpt(run, evidence, c.Differences), before)
	}, evidence, nil
}

// excerpt is what the diagnosis of a part of the recording rests on, as if that were all of it: what is left has to show the
// fault by itself. What is known of differences stays so.
func (m *maker) excerpt(run *play.Run, evidence []int, known []compare.Difference) *diagnose.Input {
	part, script := pruned(m.rec, &run.Script, evidence)
	own := *run
	own.Script, own.Answers = script, slices.Clone(run.Answers)
	calls := map[int]int{}
	for i := range own.Answers {
		a := &own.Answers[i]
		now := script.Steps[a.Step].Call.N
		calls[a.N], a.N = now, now
	}
	heard := map[int]int{}
	for i := range script.Steps {
		heard[run.Script.Steps[i].Heard] = script.Steps[i].Heard
	}
	list := compare.Run(m.rec, run, false)
	compare.Settle(list, known)
	for _, d := range known { // which do not show in a play under the choice
		if _, left := calls[d.N]; d.Class == compare.Choice && d.N >= 0 && left {
			list = append(list, d)
		}
	}
	for i := range list {
		d := &list[i]
		if d.N >= 0 {
			d.N = calls[d.N]
		}
		d.Heard = heard[d.Heard]
	}
	explain.Explain(part, &own, list)
	return &diagnose.Input{
		Recording: part, Run: &own, Differences: list, Document: m.Sandbox.Document, Contradictions: infer.Contradictions(m.Sandbox.Routes, part, &script),
	}
}

// alike says whether a call that was refused is refused for the same as in the case: a
// body that is smaller may lack something else.
func (c *Case) alike(run *play.Run, n int) bool {
	was, is := c.Run.Of(n), run.Of(n)
	return was == nil || was.Status < 400 || is != nil && slices.Equal(compare.Findings(was.Body), compare.Findings(is.Body))
}

// served says whether no call is refused that was served where it was recorded, as far as that is known, and in the case: with
// a smaller body it might be, and that would be another fault.
func (c *Case) served(run *play.Run) bool {
	return !slices.ContainsFunc(run.Answers, func(a play.Answered) bool {
		if a.N < 0 || a.Status < 400 || c.Recording.Exchanges[a.N].Answer.Status >= 300 {
			return false
		}
		was := c.Run.Of(a.N)
		return was == nil || was.Status < 400
	})
}

// keepDifference keeps the first difference that means something, else the first that is told; one that a choice
// explains shows under the default.
func (c *Case) keepDifference(m *maker, script *play.Script) (shows, []int, error) {
	d := c.Diagnosis.First
	if d == nil && len(c.Differences) > 0 {
		d = &c.Differences[0]
	}
	if d == nil {
		return nil, nil, fmt.Errorf("%w: the case has no difference", ErrKeep)
	}
	if knob, _, _ := strings.Cut(d.Choice, "="); knob != "" {
		script.World.Latitude = maps.Clone(script.World.Latitude)
		delete(script.World.Latitude, knob)
	}
	var evidence []int
	if d.N >= 0 {
		evidence = []int{d.N}
	}
	return func(run *play.Run) bool { return diagnose.Different(compare.Run(m.rec, run, false), d) }, evidence, nil
}

// keepCall keeps what one call was answered.
func (c *Case) keepCall(value string) (shows, []int, error) {
	n, err := strconv.Atoi(value)
	was := c.Run.Of(n - 1)
	if err != nil || was == nil {
		return nil, nil, fmt.Errorf("%w: the case has no call %q", ErrKeep, value)
	}
	return func(run *play.Run) bool {
		a := run.Of(n - 1)
		return a != nil && a.Status == was.Status && len(compare.Bodies(a.Operation, named(was), named(a), &run.Links)) == 0
	}, []int{n - 1}, nil
}

// named is the body of a refusal; of what was served the status is enough.
func named(a *play.Answered) []byte {
	if a.Status < 400 {
		return nil
	}
	return []byte(fmt.Sprintf("%q", compare.Findings(a.Body)))
}

// keepState keeps that a resource comes to a state.
func (c *Case) keepState(value string) (shows, []int, error) {
	id, state, ok := strings.Cut(value, ":")
	if !ok || state == "" {
		return nil, nil, fmt.Errorf("%w: state=ID:STATE wants an id and a state", ErrKeep)
	}
	test := func(run *play.Run) bool {
		ours, found := run.Links.Find("", id)
		if !found {
			return false
		}
		for i := range run.Entries {
			if t := run.Entries[i].Transition; t != nil && strings.EqualFold(t.Entity, ours) && t.To == state {
				return true
			}
		}
		return false
	}
	if !test(c.Run) {
		return nil, nil, fmt.Errorf("%w: nothing with the id %q comes to %q in this case; there are %s", ErrKeep, id, state, c.states())
	}
	return test, nil, nil
}

// states are what can be kept: the last state of each thing of the case whose id is known.
func (c *Case) states() string {
	last := map[string]string{}
	for i := range c.Run.Entries {
		if t := c.Run.Entries[i].Transition; t != nil {
			last[strings.ToLower(t.Entity)] = t.To
		}
	}
	var list []string
	for _, l := range c.Run.Links.All() {
		if state := last[strings.ToLower(l.Replayed)]; state != "" && len(list) < mostStates {
			list = append(list, l.Recorded+":"+state)
		}
	}
	if list == nil {
		return "no ids of which states are known"
	}
	return strings.Join(slices.Compact(list), ", ")
}

// mostStates is how many states are told.
const mostStates = 8

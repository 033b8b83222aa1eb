package infer

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Guide plays people and banks as the recording shows them.
type Guide struct {
	script *play.Script
	// sights are in the order of their steps; before is for each the step of the latest one
	// of the same resource before it, -1 for none.
	sights []Sight
	before []int
	// last is the last state that the recording has shown, by resource.
	last map[string]string
	been map[string]bool
	// Told says that the script has what people did: webhooks show nothing more.
	Told bool
}

// New makes a guide for a script of a recording.
func New(routes *correlate.Routes, r *recording.Recording, s *play.Script) *Guide {
	g := &Guide{script: s, sights: Sights(routes, r, s), last: map[string]string{}, been: map[string]bool{}}
	type place struct{ step, before int }
	latest := map[string]place{}
	for i := range g.sights {
		id, step := g.sights[i].about(), g.sights[i].Step
		at, known := latest[id]
		switch {
		case !known:
			at = place{step, -1}
		case at.step < step:
			at = place{step, at.step}
		}
		latest[id], g.before = at, append(g.before, at.before)
	}
	return g
}

// behind is the place of the first sight behind a step.
func (g *Guide) behind(step int) int {
	return sort.Search(len(g.sights), func(i int) bool { return g.sights[i].Step > step })
}

// Before gives the moves that have to come before a step, so that it can show what the
// recording shows.
func (g *Guide) Before(now *play.Now, step int) []play.Step {
	g.meant(now, step)
	var steps []play.Step
	for i := g.behind(step - 1); i < g.behind(step); i++ {
		steps = append(steps, g.lead(now, &g.sights[i], g.script.Steps[step].At)...)
	}
	return append(steps, g.charged(now, step)...)
}

// meant links the payment of a move that is known already, and that no answer has made, before it is shown.
func (g *Guide) meant(now *play.Now, step int) {
	m := g.script.Steps[step].Move
	if m == nil || m.Machine != "payment" && m.Machine != "saved-card-charge" {
		return
	}
	if _, linked := now.Links.Find(correlate.Payment, m.Entity); linked {
		return
	}
	if at := slices.IndexFunc(g.sights, func(s Sight) bool { return s.Type == correlate.Payment && strings.EqualFold(s.ID, m.Entity) }); at >= 0 {
		adopt(now, &g.sights[at])
	}
}

// charged lets a payer who is charged have linked an account before, where nothing says
// that the payer had not: registering is what a payer is asked for.
func (g *Guide) charged(now *play.Now, n int) []play.Step {
	step := &g.script.Steps[n]
	if step.Call == nil || step.Call.N == play.Prelude || g.Told {
		return nil
	}
	sent, answer := trail.ReadBody(step.Call.Exchange.Body), trail.ReadBody(step.Call.Exchange.Answer.Body)
	if mask, shown := answer["accountMask"]; shown && mask == nil || step.Call.Exchange.Answer.Known == recording.NotRecorded && !g.shows(now, n) { // no account was linked, or nobody can say
		return nil
	}
	s := Sight{N: step.Call.N, Type: correlate.Registration, Status: "Registered"}
	for _, member := range []string{"registrationId", "registrationUserId"} {
		if s.ID = sent.Text(member); s.ID != "" {
			break
		}
	}
	id, linked := now.Links.Find(s.Type, s.ID)
	if !linked || g.last[s.about()] != "" { // the world is asked for its state only where that says something
		return nil
	}
	state := now.World().States[strings.ToLower(id)]
	if state.Machine != "registration" || state.Name != "Pending" {
		return nil
	}
	now.World().States[strings.ToLower(id)] = play.State{Machine: state.Machine, Name: s.Status}
	m, ok := move("registration", "complete", &s)
	if !ok {
		return nil
	}
	return []play.Step{{At: step.At, Move: &m, Why: fmt.Sprintf("%s, before call %d charges for it", who(&m), s.N+1)}}
}

// shows says whether the recording shows behind a step a payment from a linked account that none of the answers before has made.
func (g *Guide) shows(now *play.Now, step int) bool {
	return slices.ContainsFunc(g.sights[g.behind(step):], func(s Sight) bool {
		_, linked := now.Links.Find(s.Type, s.ID)
		return s.Type == correlate.Payment && s.Mask != "" && !linked
	})
}

// lead gives the moves by which a resource comes to the state that is shown.
func (g *Guide) lead(now *play.Now, s *Sight, at time.Time) []play.Step {
	id, state, known := standing(now, s)
	if !known || g.again(s) || g.Told && s.Heard > 0 {
		return nil
	}
	if !g.follows(s, state.Machine) || state.Name == s.Status {
		return nil
	}
	events, ok := way(state.Machine, state.Name, s.Status)
	if !ok {
		return nil
	}
	if s.Type == debit { // the recording has no id of it: the world's is meant
		world := *s
		world.ID, s = id, &world
	}
	steps := g.moves(events, state.Machine, s, at)
	now.World().States[strings.ToLower(id)] = play.State{Machine: state.Machine, Name: s.Status}
	return steps
}

// again says whether a webhook tells what was shown before: it was late, or came twice.
func (g *Guide) again(s *Sight) bool {
	key := s.about() + " " + s.Status
	been := g.been[key]
	g.been[key] = true
	return been && s.Heard > 0
}

// follows says whether a state can come after the one that was shown before.
func (g *Guide) follows(s *Sight, machine string) bool {
	if before := g.last[s.about()]; before != "" && !Reachable(machine, before, s.Status) {
		return false
	}
	g.last[s.about()] = s.Status
	return true
}

func (g *Guide) moves(events []string, machine string, s *Sight, at time.Time) []play.Step {
	var steps []play.Step
	if len(events) == 1 && events[0] == "pay" { // within the second that is told it comes by itself
		steps = append(steps, play.Step{At: at.Add(time.Second)})
	}
	for _, event := range events {
		if m, ok := move(machine, event, s); ok {
			steps = append(steps, play.Step{At: at, Move: &m, Why: who(&m) + ", " + s.seen()})
		}
	}
	return steps
}

// settles is how long the sandbox takes from Processing to Paid.
const settles = 5 * time.Second

// After gives the moves that have to come behind a step and not only before what shows
// them: what is refused by a bank must be so before it is collected by itself; and where
// a payment had the time to be collected by itself, the payer approved it that long before.
func (g *Guide) After(now *play.Now, step int) []play.Step {
	steps := g.approved(now, step)
	for i := g.behind(step); i < len(g.sights); i++ {
		s := &g.sights[i]
		if g.Told && s.Heard > 0 || s.Status != "Failed" && s.Status != "Denied" || g.laterThan(step, i) ||
			g.script.Steps[s.Step].At.Sub(g.script.Steps[step].At) < settles {
			continue
		}
		id, _ := now.Links.Find(s.Type, s.ID)
		state := now.World().States[strings.ToLower(id)]
		if state.Name != "Processing" {
			continue
		}
		if events, ok := way(state.Machine, state.Name, s.Status); ok {
			steps = append(steps, g.moves(events, state.Machine, s, g.script.Steps[step].At)...)
			now.World().States[strings.ToLower(id)] = play.State{Machine: state.Machine, Name: s.Status}
		}
	}
	return steps
}

// approved are the approvals by which payments are Paid, by themselves, when it is shown.
func (g *Guide) approved(now *play.Now, step int) []play.Step {
	if step+1 >= len(g.script.Steps) {
		return nil
	}
	var steps []play.Step
	for i := g.behind(step); i < len(g.sights); i++ {
		s := &g.sights[i]
		if s.Status != "Paid" || g.Told && s.Heard > 0 || g.laterThan(step, i) {
			continue
		}
		at := g.script.Steps[s.Step].At.Add(-settles - 2*time.Second)
		if at.Before(g.script.Steps[step].At) || !at.Before(g.script.Steps[step+1].At) {
			continue
		}
		id, _ := now.Links.Find(s.Type, s.ID)
		state := now.World().States[strings.ToLower(id)]
		events, ok := way(state.Machine, state.Name, s.Status)
		if ok && slices.Equal(events, []string{"approve", "pay"}) {
			steps = append(steps, g.moves(events[:1], state.Machine, s, at)...)
			now.World().States[strings.ToLower(id)] = play.State{Machine: state.Machine, Name: "Processing"}
		}
	}
	return steps
}

// laterThan says whether something else is shown of a resource between a step and the
// sight at a place.
func (g *Guide) laterThan(step, i int) bool { return g.before[i] > step }

package replay

import (
	"context"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/trail"
)

// rounds bounds how often a recording is played to find what must have happened.
const rounds = 5

// settled plays until nothing is refused any more that people's moves can mend.
func (m *maker) settled(ctx context.Context) (*play.Run, error) {
	var run *play.Run
	var err error
	for range rounds {
		if run, err = m.play(ctx, m.base.World); err != nil {
			return nil, err
		}
		missing := infer.Repair(m.rec, run)
		if len(missing) == 0 {
			break
		}
		m.tell("%d moves of people are missing: played again", len(missing))
		m.base = infer.Insert(&m.base, missing)
	}
	return run, nil
}

// play plays the script as it is known to a world, guided by the recording.
func (m *maker) play(ctx context.Context, w play.World) (*play.Run, error) {
	return m.playing(ctx, &play.Script{World: w, Steps: m.base.Steps})
}

// playing plays a script, guided by the recording.
func (m *maker) playing(ctx context.Context, script *play.Script) (*play.Run, error) {
	guide := infer.New(m.Sandbox.Routes, m.rec, script)
	guide.Told = m.told
	return m.Sandbox.Play(ctx, script, guide)
}

// shownWrong plays what was refused, and of which the file has struck out what that may have been for: a call that is refused for
// something that is shown is played as it was sent, the others are not carried out.
func (m *maker) shownWrong(ctx context.Context, run *play.Run) (*play.Run, error) {
	tried, some := m.base.Clone(), false
	for i := range tried.Steps {
		if c := tried.Steps[i].Call; !m.told && c != nil && c.N >= 0 && c.Fault != "" && prelude.RefusedForStruck(&m.rec.Exchanges[c.N]) != nil && !correlate.Shortened(m.rec.Exchanges[c.N].Body) {
			one := *c
			one.Fault, some = "", true
			tried.Steps[i].Call = &one
		}
	}
	if !some {
		return run, nil
	}
	other, err := m.playing(ctx, &tried)
	if err != nil {
		return nil, err
	}
	base, changed := m.base.Clone(), false
	for i := range base.Steps {
		if c := base.Steps[i].Call; c != nil && c.Fault != tried.Steps[i].Call.Fault && m.findsShown(other, c.N) {
			base.Steps[i].Call, changed = tried.Steps[i].Call, true
		}
	}
	if !changed {
		return run, nil
	}
	m.base = base
	return m.play(ctx, m.base.World)
}

// findsShown says whether a call is refused for the form of something that the file shows.
func (m *maker) findsShown(run *play.Run, n int) bool {
	a := run.Of(n)
	if a == nil || a.Status != 400 {
		return false
	}
	struck, _ := correlate.Struck(m.rec.Exchanges[n].Body)
	return slices.ContainsFunc(trail.ReadBody(a.Body).List("findings"), func(f trail.Body) bool {
		advice, _ := f.Get("advisory").(bool)
		within := func(at string) bool { return strings.EqualFold(at, f.Text("pointer")) }
		return !advice && !explain.AboutState(f.Text("clause")) && !slices.ContainsFunc(struck, within)
	})
}

// otherSeeds is how many are tried to tell what is drawn from what is meant, and mostSeeds how many where none of them lets a
// verification take as long as it took.
const otherSeeds, mostSeeds = 3, 12

// drawn plays under other seeds. What differs under one seed alone means nothing, and
// of the seeds that leaving the least open is kept.
func (m *maker) drawn(ctx context.Context, run *play.Run, list []compare.Difference) (*play.Run, []compare.Difference, error) {
	from := m.base.World.Seed
	for n := range uint64(mostSeeds) {
		if n >= otherSeeds && !compare.Verifying(list) {
			break
		}
		w := m.base.World
		w.Seed = from + 2 + n
		other, err := m.play(ctx, w)
		if err != nil {
			return nil, nil, err
		}
		theirs := m.compare(other)
		lasts := compare.Verifying(list) && !compare.Verifying(theirs)
		compare.Drawn(list, other, run)
		compare.Drawn(theirs, run, other)
		if open(theirs) < open(list) || lasts && open(theirs) == open(list) {
			run, list, m.base.World.Seed = other, theirs, w.Seed
		}
		if open(list) == 0 {
			break
		}
	}
	compare.Verified(list)
	return m.banked(ctx, run, list)
}

// banked plays with a bank that takes its days, as banks do in production, where payments are shown on their way for longer than in a
// sandbox. What is left of that is time.
func (m *maker) banked(ctx context.Context, run *play.Run, list []compare.Difference) (*play.Run, []compare.Difference, error) {
	w := m.base.World
	if w.Latitude["live"] != "true" || !compare.Settling(list) {
		return run, list, nil
	}
	w.Latitude = maps.Clone(w.Latitude)
	w.Latitude["payment-timing"] = "slow"
	other, err := m.play(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	if theirs := m.compare(other); open(theirs) < open(list) {
		run, list, m.base.World = other, theirs, w
	}
	compare.Settled(list)
	return run, list, nil
}

// adopting is the case's script, in which each call stands for what was taken to be its answer's while the case was made: no guide says so again.
func (c *Case) adopting() play.Script {
	script := c.Script.Clone()
	for _, l := range c.Run.Links.All() {
		if l.Where != infer.Adopted {
			continue
		}
		for _, a := range c.Run.Answers {
			where := ""
			correlate.Walk(a.Body, func(path []string, v any) {
				if text, is := v.(string); is && where == "" && strings.EqualFold(text, l.Replayed) {
					where = correlate.Pointer(path)
				}
			})
			if where == "" {
				continue
			}
			call := *script.Steps[a.Step].Call
			call.Stands = append(slices.Clone(call.Stands), correlate.Value{Type: l.Type, Text: l.Recorded, Where: where})
			script.Steps[a.Step].Call = &call
			break
		}
	}
	return script
}

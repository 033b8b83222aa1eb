package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/taped"
	"paysandbox/mockserver/tape"
)

// Knob is a choice of the latitude ledger with its values other than the default.
type Knob struct {
	Name   string
	Values []string
}

// Options say how cases are made.
type Options struct {
	Sandbox *play.Sandbox
	// Again plays the file of a saved tape as it stands, input by input; its error tells
	// the first difference. Nil plays a tape's calls as those of any recording.
	Again func(ctx context.Context, tape []byte) error
	// Knobs are the choices that may explain a difference; none are tried when empty.
	Knobs []Knob
	// Latitude are choices that are known.
	Latitude map[string]string
	// Parallel is how many plays run at once; 0 is one.
	Parallel int
	// Progress is told what is being done; nil tells nobody.
	Progress func(text string)
}

// Case is what a recording comes to.
type Case struct {
	Recording *recording.Recording `json:"-"`
	// Script reproduces the recording: with what was assumed.
	Script play.Script `json:"-"`
	Run    *play.Run   `json:"-"`
	// Assumptions are what was taken for granted or inferred, Notes what else is to be
	// known about the import.
	Assumptions []string `json:"assumptions,omitempty"`
	Notes       []string `json:"notes,omitempty"`
	// Choices are those of the service that the recording shows, by their knobs.
	Choices     map[string]string    `json:"choices,omitempty"`
	Links       []correlate.Link     `json:"links,omitempty"`
	Differences []compare.Difference `json:"differences,omitempty"`
	Diagnosis   diagnose.Diagnosis   `json:"diagnosis"`
}

// maker makes one case.
type maker struct {
	Options
	rec  *recording.Recording
	base play.Script
	// begun is the script before any move was put in that had to be inferred.
	begun play.Script
	// told says that the script needs no guessing: it is a saved tape's, or a stored
	// case's. missed says that events are looked for which the partner never got.
	told, missed bool
	// saved is that tape, nil for none; same says that it came out again as it was.
	saved *taped.Tape
	same  bool
}

// Tape is a saved tape: besides what a recording of it has, it tells what people did.
type Tape struct {
	Meta    tape.Meta
	Entries []tape.Entry
	// file is what it was read from.
	file []byte
}

// Make makes the case of a recording. The tape is nil unless the recording was read
// from one alone. Of a recording of several clients it is the case of the first of them
// with whom something went wrong.
func Make(ctx context.Context, r *recording.Recording, saved *Tape, o Options) (*Case, error) {
	if parts := apart(o.Sandbox.Routes, r); saved == nil && parts != nil {
		return makeApart(ctx, parts, o)
	}
	m := &maker{Options: o, rec: r}
	c := &Case{Recording: r, Choices: map[string]string{}}
	if saved != nil {
		m.saved = taped.Saved(saved.Meta, saved.Entries, r)
		m.base, m.told = saved.script(r), true
		run, told := m.exactly(ctx, saved)
		for _, note := range []string{told, saved.under()} {
			if note != "" {
				c.Notes = append(c.Notes, note)
			}
		}
		if run != nil {
			m.same = true
			m.diagnosed(c, run)
			return c, nil
		}
	} else {
		begun := prelude.Begin(o.Sandbox.Routes, r)
		m.base, m.missed, c.Notes = begun.Script, true, begun.Notes
	}
	return c, m.conclude(ctx, c)
}

// Again makes a stored case anew: by its script, which says what people did.
func Again(ctx context.Context, r *recording.Recording, script *play.Script, o Options) (*Case, error) {
	m := &maker{Options: o, rec: r, base: script.Clone(), told: true, missed: !fromTape(r) && whole(r, script)}
	c := &Case{Recording: r, Choices: map[string]string{}}
	return c, m.conclude(ctx, c)
}

// fromTape says whether a recording was read from a saved tape, which tells itself what was
// sent.
func fromTape(r *recording.Recording) bool {
	return slices.ContainsFunc(r.Sources, func(s recording.Source) bool { return s.Format == "tape" })
}

// whole says whether a script has all calls and webhooks of a recording: where calls were
// left out, the events of others are no longer to be expected.
func whole(r *recording.Recording, script *play.Script) bool {
	calls, heard := 0, 0
	for i := range script.Steps {
		if script.Steps[i].Call != nil {
			calls++
		}
		if script.Steps[i].Heard > 0 {
			heard++
		}
	}
	return calls >= len(r.Exchanges) && heard >= len(r.Received)
}

// conclude plays, compares and diagnoses.
func (m *maker) conclude(ctx context.Context, c *Case) error {
	m.base.World.Latitude = joined(m.base.World.Latitude, m.Latitude)
	if !m.told {
		m.base.Steps = slices.Clone(m.base.Steps)
		atOnce(m.rec, &m.base)
	}
	m.begun = m.base
	run, err := m.settled(ctx)
	if err != nil {
		return err
	}
	if run, err = m.shownWrong(ctx, run); err != nil {
		return err
	}
	if run, err = m.explained(ctx, run, c); err != nil {
		return err
	}
	m.diagnosed(c, run)
	return nil
}

// diagnosed says what a play comes to.
func (m *maker) diagnosed(c *Case, run *play.Run) {
	c.Run, c.Script, c.Links = run, run.Script, run.Links.All()
	c.Notes = append(c.Notes, skipped(m.rec)...)
	c.Notes = append(c.Notes, run.Impossible()...)
	done := possible(run)
	c.Assumptions = append(prelude.Notes(&done), assumptions(c.Differences)...)
	c.Diagnosis = diagnose.Of(&diagnose.Input{
		Recording: m.rec, Run: run, Differences: c.Differences, Document: m.Sandbox.Document, Saved: m.saved, Same: m.same,
		Contradictions: infer.Contradictions(m.Sandbox.Routes, m.rec, &run.Script),
	})
	c.met()
}

// assumptions tell what answers and webhooks show of things from before the recording that it
// does not tell, each of them once.
func assumptions(list []compare.Difference) []string {
	var told []string
	members := map[string][]string{}
	for i := range list {
		d := &list[i]
		if who := d.Who(); d.Assumed {
			name := d.Where[strings.LastIndexByte(d.Where, '/')+1:]
			if members[who] == nil {
				told = append(told, who)
			}
			if !slices.Contains(members[who], name) {
				members[who] = append(members[who], name)
			}
		}
	}
	for i, who := range told {
		told[i] = fmt.Sprintf("%s: what it shows of %s comes from before the recording, which does not tell it", who, strings.Join(members[who], ", "))
	}
	return told
}

// possible is the script without the moves that were not: they came by themselves.
func possible(run *play.Run) play.Script {
	s := play.Script{World: run.Script.World}
	for i := range run.Script.Steps {
		if _, vain := run.Moved[i]; !vain {
			s.Steps = append(s.Steps, run.Script.Steps[i])
		}
	}
	return s
}

// compare lists what differs.
func (m *maker) compare(run *play.Run) []compare.Difference {
	return compare.Run(m.rec, run, m.missed)
}

func (m *maker) tell(format string, args ...any) {
	if m.Progress != nil {
		m.Progress(fmt.Sprintf(format, args...))
	}
}

func joined(maps ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range maps {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// skipped tells what the import left out.
func skipped(r *recording.Recording) []string {
	var list []string
	for _, s := range recording.Together(r.Skipped) {
		n := max(1, s.Count)
		place := s.Place.Source
		if s.Place.Line > 0 {
			place += fmt.Sprintf(" line %d", s.Place.Line)
		} else if s.Place.Entry > 0 {
			place += fmt.Sprintf(" entry %d", s.Place.Entry)
		}
		if n > 1 {
			place += " and on"
		}
		list = append(list, fmt.Sprintf("Left out (%d), %s: %s", n, place, s.Why))
	}
	return list
}

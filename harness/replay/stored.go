package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
)

// errLink says that a link in case.yaml cannot be followed.
var errLink = errors.New("a link that is added says `type`, `recorded`, and where its value is made: the `call` by its number from 1 and `where`, the JSON pointer in its answer; one with `undone: true` needs the first two alone")

// linked carries out what a person has written in the links of case.yaml: those that are
// undone stand for nothing, and those without a replayed value are added.
func (s *Stored) linked(script *play.Script) error {
	script.World.Undone = nil
	for i := range s.Links {
		if l := &s.Links[i]; l.Undone {
			script.World.Undone = append(script.World.Undone, correlate.Value{Type: l.Type, Text: l.Recorded})
			s.unstand(script, l)
		}
	}
	for i := range s.Links {
		l := &s.Links[i]
		if l.Type == "" || l.Recorded == "" {
			return fmt.Errorf("link %d: %w", i+1, errLink)
		}
		if l.Undone || l.Replayed != "" {
			continue
		}
		at := slices.IndexFunc(script.Steps, func(s play.Step) bool { return s.Call != nil && s.Call.N != play.Prelude && s.Call.N == l.Call-1 })
		if at < 0 || !strings.HasPrefix(l.Where, "/") {
			return fmt.Errorf("link %d, of %s: %w", i+1, l.Recorded, errLink)
		}
		c := script.Steps[at].Call
		c.Stands = append(c.Stands, correlate.Value{Type: l.Type, Text: l.Recorded, Where: l.Where})
	}
	return nil
}

// unstand takes a value away from what the script says itself, unless another link has it.
func (s *Stored) unstand(script *play.Script, gone *correlate.Link) {
	same := func(t correlate.Type, text string) bool {
		return t == gone.Type && strings.EqualFold(text, gone.Recorded)
	}
	if slices.ContainsFunc(s.Links, func(l correlate.Link) bool { return !l.Undone && same(l.Type, l.Recorded) }) {
		return
	}
	drop := func(list []correlate.Value) []correlate.Value {
		return slices.DeleteFunc(list, func(v correlate.Value) bool { return same(v.Type, v.Text) })
	}
	for i := range script.Steps {
		if c := script.Steps[i].Call; c != nil {
			c.Stands = drop(c.Stands)
		}
		if m := script.Steps[i].Move; m != nil {
			m.Stands = drop(m.Stands)
		}
	}
}

// Unmade tells of the added links for which the replay has shown nothing.
func (s *Stored) Unmade(c *Case) []string {
	var list []string
	for _, l := range s.Links {
		made := func(one correlate.Link) bool {
			return one.Type == l.Type && strings.EqualFold(one.Recorded, l.Recorded)
		}
		if !l.Undone && l.Replayed == "" && !slices.ContainsFunc(c.Links, made) {
			list = append(list, fmt.Sprintf("The link of %s %s was not made: the answer of call %d shows nothing at %s", l.Type, l.Recorded, l.Call, l.Where))
		}
	}
	return list
}

// links are those of the case, and those that were undone.
func (c *Case) links() []correlate.Link {
	list := slices.Clone(c.Links)
	for _, v := range c.Script.World.Undone {
		list = append(list, correlate.Link{Type: v.Type, Recorded: v.Text, Undone: true})
	}
	return list
}

// errVersion says that a case was written by another release.
var errVersion = errors.New("make it anew from the partner's files, `paysandbox replay FILE --to case=FOLDER`, or replay it with the release that wrote it")

// readStored reads case.yaml. Another version has other members, so it is looked at first.
func readStored(text []byte) (s Stored, err error) {
	var only struct {
		Case int `yaml:"case"`
	}
	if err := yaml.Load(text, &only); err != nil {
		return s, err
	}
	if only.Case != version {
		return s, fmt.Errorf("the case is of version %d, this release reads version %d: %w", only.Case, version, errVersion)
	}
	err = yaml.Load(text, &s, yaml.WithKnownFields())
	return s, err
}

package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// The files of a case's folder: what is expected of it, what the partner's files say, what
// is played, and what came of it then, as a tape and in words.
const (
	fileCase      = "case.yaml"
	fileRecording = "recording.json"
	fileScript    = "script.json"
	fileTape      = "replay.tape"
	fileReport    = "report.md"
)

// Stored is what case.yaml says: where the case came from, what was assumed, and what it
// came to. What it came to is what is expected of it from then on.
type Stored struct {
	// Case is the version of the folder's form.
	Case    int                `yaml:"case"`
	Title   string             `yaml:"title"`
	Sources []recording.Source `yaml:"sources"`
	// Side, Clause and Signature are those of the first fault.
	Side      diagnose.Side `yaml:"side"`
	Clause    string        `yaml:"clause,omitempty"`
	Signature string        `yaml:"signature,omitempty"`
	// Differences are what differed, each by its class and in a line.
	Differences []string          `yaml:"differences,omitempty"`
	Choices     map[string]string `yaml:"choices,omitempty"`
	Assumptions []string          `yaml:"assumptions,omitempty"`
	// Links are what stands for what. A person undoes one with undone: true, and adds one by
	// the call and the pointer in its answer that show what the recorded value stands for.
	Links []correlate.Link `yaml:"links,omitempty"`
	Lines []string         `yaml:"diagnosis"`
	// entries are those of the tape of its replay.
	entries []tape.Entry
	// WebhookSecret checks signatures when webhooks are added; it may be left out.
	WebhookSecret string `yaml:"webhookSecret,omitempty"`
}

// version is that of the folder's form. 1 had links that could not be changed.
const version = 2

// errFolder says that a folder is no case.
var errFolder = errors.New("this folder is no case")

// Signature is equal for cases of one cause, "" where nothing went wrong.
func (c *Case) Signature() string {
	if c.Diagnosis.Fault == nil {
		return ""
	}
	return c.Diagnosis.Fault.Signature()
}

// Stored is what is kept of the case.
func (c *Case) Stored() Stored {
	s := Stored{
		Case: version, Title: c.Title(), Sources: c.Recording.Sources, Side: c.Diagnosis.Side, Signature: c.Signature(),
		Choices: c.Choices, Assumptions: c.Assumptions, Links: c.links(), Lines: c.Diagnosis.Lines,
	}
	if c.Diagnosis.Fault != nil {
		s.Clause = c.Diagnosis.Fault.Clause
	}
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Class != compare.TimeOrID {
			s.Differences = append(s.Differences, string(d.Class)+": "+d.Text())
		}
	}
	return s
}

// Save writes the case as a folder that can be replayed.
func (c *Case) Save(folder string, s *play.Sandbox) error {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return fmt.Errorf("save the case: %w", err)
	}
	files, err := c.Files(s)
	if err != nil {
		return fmt.Errorf("save the case: %w", err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return fmt.Errorf("save the case: %w", err)
		}
	}
	return nil
}

// Files are those of the case's folder, by their names.
func (c *Case) Files(s *play.Sandbox) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, make := range map[string]func() ([]byte, error){
		fileCase:      func() ([]byte, error) { return yaml.Dump(c.Stored()) },
		fileRecording: func() ([]byte, error) { return json.MarshalIndent(c.Recording, "", " ") },
		fileScript:    func() ([]byte, error) { return json.MarshalIndent(c.unchosen(c.Script), "", " ") },
		fileTape:      func() ([]byte, error) { return writeout.Write("tape", c.Written(s)) },
		fileReport:    func() ([]byte, error) { return writeout.Write("markdown", c.Written(s)) },
	} {
		var err error
		if files[name], err = make(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// unchosen is a script of the case under the defaults: what the service was found to choose shows as
// a difference when the case is made again.
func (c *Case) unchosen(s play.Script) play.Script {
	s.World.Latitude = maps.Clone(s.World.Latitude)
	for knob := range c.Choices {
		delete(s.World.Latitude, knob)
	}
	return s
}

// Written is the case as it is written out.
func (c *Case) Written(s *play.Sandbox) *writeout.Case {
	var differ []string
	for i := range c.Differences {
		differ = append(differ, c.Differences[i].Text())
	}
	owed, exactly := c.owed()
	return &writeout.Case{
		Owed: owed, Exactly: exactly, Clause: c.ofService(), Title: c.Title(), Lines: c.Diagnosis.Lines, Script: c.Script, Run: c.Run, Recorded: c.Recording.Exchanges, Routes: s.Routes, Base: s.Base,
		Assumptions: c.Assumptions, Choices: c.Chosen(), Differences: differ, Webhooks: c.webhooks(),
		OfExport: slices.ContainsFunc(c.Recording.Sources, func(s recording.Source) bool { return s.IsExport() }),
	}
}

// Known finds the stored cases of a folder of folders that have the signature of this
// one, by their names.
func (c *Case) Known(folder string) ([]string, error) {
	found, err := cases(folder)
	if err != nil {
		return nil, err
	}
	same := []string{} // none are told, too
	for _, path := range found {
		s, _, _, err := Load(path)
		if err != nil {
			return nil, err
		}
		if s.Signature != "" && s.Signature == c.Signature() {
			same = append(same, filepath.Base(path))
		}
	}
	return same, nil
}

// errNoCases says that a folder has no cases to compare with.
var errNoCases = errors.New("it holds no folder with a case, so nothing can be known from it; `paysandbox replay FILE --to case=FOLDER/NAME` writes one")

// HasCases says what is wrong with a folder of cases.
func HasCases(folder string) error {
	_, err := cases(folder)
	return err
}

// cases are the folders of the cases in a folder.
func cases(folder string) ([]string, error) {
	if IsCase(folder) {
		return nil, fmt.Errorf("%s: it is a case itself: give the folder that it lies in", folder)
	}
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("look for known cases: %w", err)
	}
	var found []string
	for _, one := range list {
		if path := filepath.Join(folder, one.Name()); one.IsDir() && IsCase(path) {
			found = append(found, path)
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s: %w", folder, errNoCases)
	}
	return found, nil
}

// Changed says what a case has come to otherwise than when it was stored.
func (s *Stored) Changed(c *Case) []string {
	now := c.Stored()
	var list []string
	if s.Side != now.Side {
		list = append(list, fmt.Sprintf("the side was %s and is %s", s.Side, now.Side))
	}
	if s.Signature != now.Signature {
		list = append(list, fmt.Sprintf("the fault was %q and is %q", s.Signature, now.Signature))
	}
	list = append(list, without("differs no more: ", s.Differences, now.Differences)...)
	list = append(list, without("differs now: ", now.Differences, s.Differences)...)
	return append(list, otherwise(happened(s.entries), happened(c.Run.Entries))...)
}

// without are the differences that others do not have, whichever session's pages they name.
func without(what string, list, others []string) (told []string) {
	known := map[string]bool{}
	for _, other := range others {
		known[session().ReplaceAllString(other, "/pages/")] = true
	}
	for _, one := range list {
		if !known[session().ReplaceAllString(one, "/pages/")] {
			told = append(told, what+one)
		}
	}
	return told
}

// session is whose pages an address names.
var session = trail.Pattern(`/pages/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/`)

// happened tells in a line each what calls were answered and which states came: what a
// replay has to come to again, whatever ids it draws. Webhooks have endpoints in some tapes.
func happened(entries []tape.Entry) []string {
	var list []string
	for i := range entries {
		switch e := &entries[i]; {
		case e.Kind == tape.KindExchange && e.Exchange != nil:
			list = append(list, fmt.Sprintf("%s is answered %d", e.Exchange.Operation, e.Exchange.Response.Status))
		case e.Transition != nil && !strings.HasPrefix(e.Transition.Machine, "webhook"):
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s: %s, %s to %s", e.Transition.Machine, e.Transition.Event, e.Transition.From, e.Transition.To)))
		}
	}
	return list
}

// otherwise is the first of what happened that is not so any more, none when all is.
func otherwise(was, is []string) []string {
	for i := range max(len(was), len(is)) {
		before, now := "nothing", "nothing"
		if i < len(was) {
			before = was[i]
		}
		if i < len(is) {
			now = is[i]
		}
		if before != now {
			return []string{fmt.Sprintf("the replay went otherwise from thing %d on: %q, and is %q", i+1, before, now)}
		}
	}
	return nil
}

package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// The files of a case's folder, besides those that it is written out to.
const (
	fileCase      = "case.yaml"
	fileRecording = "recording.json"
	fileScript    = "script.json"
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
	Links       []correlate.Link  `yaml:"links,omitempty"`
	Lines       []string          `yaml:"diagnosis"`
	// WebhookSecret checks signatures when webhooks are added; it may be left out.
	WebhookSecret string `yaml:"webhookSecret,omitempty"`
}

// version is that of the folder's form.
const version = 1

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
		Choices: c.Choices, Assumptions: c.Assumptions, Links: c.Links, Lines: c.Diagnosis.Lines,
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

// Save writes the case as a folder that can be replayed: case.yaml, the recording and
// the script.
func (c *Case) Save(folder string) error {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return fmt.Errorf("save the case: %w", err)
	}
	told, err := yaml.Dump(c.Stored())
	if err != nil {
		return fmt.Errorf("save the case: %w", err)
	}
	read, err := json.MarshalIndent(c.Recording, "", " ")
	if err != nil {
		return fmt.Errorf("save the case: %w", err)
	}
	script, err := json.MarshalIndent(c.Script, "", " ")
	if err != nil {
		return fmt.Errorf("save the case: %w", err)
	}
	for name, text := range map[string][]byte{fileCase: told, fileRecording: read, fileScript: script} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return fmt.Errorf("save the case: %w", err)
		}
	}
	return nil
}

// Load reads a case's folder.
func Load(folder string) (Stored, *recording.Recording, *play.Script, error) {
	var s Stored
	text, err := os.ReadFile(filepath.Join(folder, fileCase)) //nolint:gosec // the folder that the user named
	if err != nil {
		return s, nil, nil, fmt.Errorf("%s: %w: it has no %s", folder, errFolder, fileCase)
	}
	if err := yaml.Load(text, &s, yaml.WithKnownFields()); err != nil {
		return s, nil, nil, fmt.Errorf("%s: %w", filepath.Join(folder, fileCase), err)
	}
	if s.Case != version {
		return s, nil, nil, fmt.Errorf("%s: %w of version %d: it is of version %d", folder, errFolder, version, s.Case)
	}
	var r recording.Recording
	var script play.Script
	for name, into := range map[string]any{fileRecording: &r, fileScript: &script} {
		raw, err := os.ReadFile(filepath.Join(folder, name)) //nolint:gosec // as above
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			return s, nil, nil, fmt.Errorf("%s: %w", filepath.Join(folder, name), err)
		}
	}
	return s, &r, &script, nil
}

// Known finds the stored cases of a folder of folders that have the signature of this
// one, by their names.
func (c *Case) Known(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(folder, "*", fileCase))
	if err != nil {
		return nil, fmt.Errorf("look for known cases: %w", err)
	}
	var same []string
	for _, path := range found {
		s, _, _, err := Load(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		if s.Signature != "" && s.Signature == c.Signature() {
			same = append(same, filepath.Base(filepath.Dir(path)))
		}
	}
	return same, nil
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
	if len(s.Differences) != len(now.Differences) {
		list = append(list, fmt.Sprintf("%d things differed and %d do", len(s.Differences), len(now.Differences)))
	}
	return list
}

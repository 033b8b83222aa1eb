package main

import (
	_ "embed"
	"fmt"
	"os"

	"go.yaml.in/yaml/v4"
)

//go:embed stories.yaml
var stories []byte

// story is one report.
type story struct {
	Name string `yaml:"name"`
	// Tool records it; Also are further files that tell of the same.
	Tool string `yaml:"tool"`
	// Serve are flags of the sandbox.
	Serve []string `yaml:"serve"`
	// Real lets the clock run with the wall clock, also where no tool of its own records.
	Real bool `yaml:"real"`
	// Skew is how far the partner's clock is ahead, of the forms that are written here.
	Skew string `yaml:"skew"`
	// From is the first call that the recording has, from 1.
	From int `yaml:"from"`
	// Bodies is "none" where the recording leaves them out.
	Bodies string `yaml:"bodies"`
	// Hooks is the form in which received webhooks are written: raw, jsonl or none.
	Hooks  string  `yaml:"hooks"`
	Steps  []step  `yaml:"steps"`
	Expect expects `yaml:"expect"`
}

// step is a call, what somebody else does, or time that passes.
type step struct {
	// Do is a step that many stories have.
	Do string `yaml:"do"`
	// Call is a method and a path; {name} in it, and in bodies, is what the story knows.
	Call    string            `yaml:"call"`
	As      string            `yaml:"as"`
	Set     map[string]any    `yaml:"set"`
	Without []string          `yaml:"without"`
	Raw     string            `yaml:"raw"`
	Headers map[string]string `yaml:"headers"`
	Token   string            `yaml:"token"`
	Save    map[string]string `yaml:"save"`
	// Control is a path of the control API and a body.
	Control string `yaml:"control"`
	// After is the time that passes before.
	After string `yaml:"after"`
	Times int    `yaml:"times"`
	// Answer is what the proxy does to the answer.
	Answer *tampering `yaml:"answer"`
	// Heard waits until so many webhooks have arrived in all.
	Heard int `yaml:"heard"`
}

// tampering is what happens to an answer on its way.
type tampering struct {
	// Lost lets the call through and cuts the connection; Status and HTML are a
	// gateway's own answer, given after the call has come through.
	Lost   bool           `yaml:"lost"`
	Status int            `yaml:"status"`
	HTML   string         `yaml:"html"`
	Set    map[string]any `yaml:"set"`
	Drop   []string       `yaml:"drop"`
}

// expects is what is to be found: the file expect.yaml of a report.
type expects struct {
	// Report says in a sentence what was done; Made which tool wrote which file.
	Report string   `yaml:"report"`
	Made   string   `yaml:"made"`
	Files  []string `yaml:"files"`
	// WebhookSecret and ReceivedComplete are what the person who reads it knows besides.
	WebhookSecret    string `yaml:"webhook-secret,omitempty"`
	ReceivedComplete bool   `yaml:"received-complete,omitempty"`
	// Side is partner, service, choice, nobody or undecidable; Innocent says that nobody
	// is to be blamed for anything.
	Side     string `yaml:"side"`
	Innocent bool   `yaml:"innocent,omitempty"`
	// Clause is what was broken (of several that say the same, one), Knob the choice as
	// NAME=VALUE.
	Clause []string `yaml:"clause,omitempty"`
	Knob   string   `yaml:"knob,omitempty"`
	// Entry is the exchange of the recording, from 1, at which the first fault shows;
	// Received the webhook, from 1; Difference the exchange of the first difference, 0 for none.
	Entry      int `yaml:"entry,omitempty"`
	Received   int `yaml:"received,omitempty"`
	Difference int `yaml:"difference"`
	// Moves are what others did, as the machine and its event.
	Moves []string `yaml:"moves,omitempty"`
	// Exchanges and Webhooks are how many the readers have to find.
	Exchanges int `yaml:"exchanges"`
	Webhooks  int `yaml:"webhooks"`
}

// readStories reads the embedded file.
func readStories() ([]story, error) {
	var file struct {
		Macros  map[string][]step `yaml:"macros"`
		Stories []story           `yaml:"stories"`
	}
	if err := yaml.Unmarshal(stories, &file); err != nil {
		return nil, fmt.Errorf("read stories.yaml: %w", err)
	}
	seen := map[string]bool{}
	for i := range file.Stories {
		s := &file.Stories[i]
		if seen[s.Name] || s.Name == "" {
			return nil, fmt.Errorf("read stories.yaml: two stories are called %q", s.Name)
		}
		seen[s.Name] = true
		steps, err := unfold(s.Steps, file.Macros)
		if err != nil {
			return nil, fmt.Errorf("story %s: %w", s.Name, err)
		}
		s.Steps = steps
	}
	return file.Stories, nil
}

// unfold puts what many stories have in the place of its name.
func unfold(steps []step, macros map[string][]step) ([]step, error) {
	var all []step
	for _, s := range steps {
		if s.Do == "" {
			all = append(all, s)
			continue
		}
		many, ok := macros[s.Do]
		if !ok {
			return nil, fmt.Errorf("nothing is called %q", s.Do)
		}
		for range max(1, s.Times) {
			for i, one := range many {
				if i == 0 {
					one.After = s.After
				}
				if s.Answer != nil && one.Call != "" {
					one.Answer = s.Answer
				}
				if s.Save != nil {
					one.Save = s.Save
				}
				if one.Call != "" {
					one.Set, one.Without = merged(one.Set, s.Set), append(one.Without, s.Without...)
				}
				all = append(all, one)
			}
		}
	}
	return all, nil
}

func merged(a, b map[string]any) map[string]any {
	all := map[string]any{}
	for k, v := range a {
		all[k] = v
	}
	for k, v := range b {
		all[k] = v
	}
	return all
}

// write writes a file of a report.
func write(path string, data []byte) error {
	return os.WriteFile(path, data, 0o644) //nolint:gosec // fixtures are read by everybody
}

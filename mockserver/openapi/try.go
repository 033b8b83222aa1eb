package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed try.yaml
var partnerTries []byte

// tries says how each operation's example is tried, as try.yaml explains.
type tries struct {
	Samples map[string]string `yaml:"samples"`
	Made    map[string]made   `yaml:"made"`
	Try     map[string]try    `yaml:"try"`
}

// made is something that an example can need, and the call that makes it.
type made struct {
	Needs []string          `yaml:"needs"`
	When  string            `yaml:"when"`
	Call  string            `yaml:"call"`
	Body  string            `yaml:"body"`
	Sent  map[string]string `yaml:"sent"`
	Keep  map[string]string `yaml:"keep"`
}

// try is how one operation is tried.
type try struct {
	Needs  []string          `yaml:"needs"`
	Like   string            `yaml:"like"`
	With   map[string]string `yaml:"with"`
	Body   string            `yaml:"body"`
	Cannot string            `yaml:"cannot"`
}

// readTries reads the partner API's list and another one upon it.
func readTries(more []byte) (*tries, error) {
	all := &tries{}
	for _, raw := range [][]byte{partnerTries, more} {
		if err := yaml.Unmarshal(raw, all); err != nil {
			return nil, fmt.Errorf("read how examples are tried: %w", err)
		}
	}
	return all, nil
}

// Tried is how an example is tried, as the document says it in x-try.
type Tried struct {
	// Steps are the calls that make what the example needs, in order.
	Steps []Step `json:"steps"`
	// With are parameters by their names; others that are required are what a step kept
	// under their name.
	With map[string]string `json:"with"`
	// Body is the body; null for none.
	Body json.RawMessage `json:"body"`
	// Cannot says why the example cannot be tried; empty when it can.
	Cannot string `json:"cannot"`
}

// Step is one call. Sent and Keep name members, a/0/b for nested ones, of its body and
// of its answer, whose values later calls use as {name}.
// When is the only environment in which it is made, "" for every one.
type Step struct {
	When   string            `json:"when,omitempty"`
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Body   json.RawMessage   `json:"body"`
	Sent   map[string]string `json:"sent"`
	Keep   map[string]string `json:"keep"`
}

// of says how an operation is tried, false for one of which the list says nothing.
func (a *tries) of(id string) (Tried, bool, error) {
	t, known := a.Try[id]
	if !known {
		return Tried{}, false, nil
	}
	if t.Like != "" {
		t.Needs, t.Body = a.Made[t.Like].Needs, a.Made[t.Like].Body
	}
	out := Tried{With: t.With, Body: body(t.Body), Cannot: t.Cannot, Steps: []Step{}}
	err := a.steps(&out.Steps, t.Needs, map[string]bool{})
	return out, true, err
}

// steps adds the calls that make what is needed, each once.
func (a *tries) steps(list *[]Step, needs []string, done map[string]bool) error {
	for _, name := range needs {
		m, known := a.Made[name]
		if !known {
			return fmt.Errorf("an example needs %q, which nothing makes", name)
		}
		if done[name] {
			continue
		}
		done[name] = true
		if err := a.steps(list, m.Needs, done); err != nil {
			return err
		}
		method, path, _ := strings.Cut(m.Call, " ")
		*list = append(*list, Step{When: m.When, Method: method, Path: path, Body: body(m.Body), Sent: m.Sent, Keep: m.Keep})
	}
	return nil
}

// body is a text as a body; nil, which JSON writes as null, for an empty one.
func body(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([A-Za-z]+)\}`) })

// sample is a body as the document shows it: with values that could stand there.
func (a *tries) sample(body json.RawMessage) json.RawMessage {
	if body == nil {
		return nil
	}
	return placeholder().ReplaceAllFunc(slices.Clone(body), func(found []byte) []byte {
		name := string(found[1 : len(found)-1])
		switch s, known := a.Samples[name]; {
		case known:
			return []byte(s)
		case name == "today":
			return []byte(exampleDate)
		default:
			return []byte(exampleUUID)
		}
	})
}

package call

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/mockserver/tape"
)

// Outcome is what an action has come to, shown once on the page that follows.
type Outcome struct {
	Tone, Title, Text, Curl string
	// Entry is the action's number on the tape; "" when it left none.
	Entry string
	// Root begins the addresses of the integration that Entry is of; "" for the one
	// whose page is shown.
	Root     string
	Findings []tape.Finding
	// Refused is the path of the call that was refused, Typed what its form had brought: the
	// page shows it again, to be mended.
	Refused string
	Typed   url.Values
	// Each is what came of every single thing, where an action is about several.
	Each []Single
}

// Single is one thing of several that were done at once.
type Single struct{ Tone, Name, Text string }

// Outcomes keep the last actions' until the next page shows them.
type Outcomes struct {
	mu    sync.Mutex
	order []string
	byKey map[string]*Outcome
}

// maxOutcomes bounds what is kept.
const maxOutcomes = 256

// Put keeps an outcome and gives the key by which the next page finds it.
func (o *Outcomes) Put(out *Outcome) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byKey == nil {
		o.byKey = map[string]*Outcome{}
	}
	if len(o.order) >= maxOutcomes {
		delete(o.byKey, o.order[0])
		o.order = slices.Delete(o.order, 0, 1)
	}
	key := rand.Text()
	o.order = append(o.order, key)
	o.byKey[key] = out
	return key
}

// Get finds an outcome; nil when it is kept no more.
func (o *Outcomes) Get(key string) *Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byKey[key]
}

// OutcomeOf tells what a call came to.
func OutcomeOf(method, path string, a Answer) Outcome {
	out := Outcome{Tone: "good", Title: "Done: " + method + " " + path + " was answered " + strconv.Itoa(a.Status) + ".", Curl: a.Curl, Entry: a.Header.Get("Sandbox-Exchange")}
	var told struct{ Probe *probe }
	if json.Unmarshal(a.Body, &told) == nil && told.Probe != nil {
		out.probe(told.Probe)
	} else if strings.HasSuffix(path, "/probe") && a.OK() && json.Unmarshal(a.Body, &told.Probe) == nil {
		out.probe(told.Probe)
	}
	if a.OK() && a.Header.Get("Sandbox-Warning") != "" {
		out.Tone = "warn"
	}
	var e *Error
	if errors.As(a.Err(), &e) {
		out.Tone, out.Title, out.Text, out.Findings = "bad", method+" "+path+" was refused: "+strconv.Itoa(a.Status)+".", e.Detail, e.Findings
	}
	return out
}

// probe is what was found at an address.
type probe struct {
	Reachable     bool
	Status        int
	Error, Advice string
}

func (o *Outcome) probe(p *probe) {
	switch {
	case p.Reachable && p.Status > 0:
		o.Text = "Somebody listens there: the address answered " + strconv.Itoa(p.Status) + ". " + p.Advice
	case p.Reachable:
		o.Text = "Somebody listens there. " + p.Advice
	default:
		o.Tone, o.Text = "warn", "Nobody answers there: "+p.Error+". "+p.Advice
	}
}

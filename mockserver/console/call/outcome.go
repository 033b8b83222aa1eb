package call

import (
	"crypto/rand"
	"errors"
	"slices"
	"strconv"
	"sync"

	"paysandbox/mockserver/tape"
)

// Outcome is what an action has come to, shown once on the page that follows.
type Outcome struct {
	Tone, Title, Text, Curl string
	// Entry is the action's number on the tape; "" when it left none.
	Entry    string
	Findings []tape.Finding
}

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
	var e *Error
	if errors.As(a.Err(), &e) {
		out.Tone, out.Title, out.Text, out.Findings = "bad", method+" "+path+" was refused: "+strconv.Itoa(a.Status)+".", e.Detail, e.Findings
	}
	return out
}

package observe

import (
	"encoding/json"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// The operations of the control API that trouble is made of.
const (
	opNote       = "addNote"
	opArmFault   = "armFault"
	opRemove     = "removeFault"
	opClear      = "clearFaults"
	opSetProfile = "setProfile"
	opAddWebhook = "addWebhook"
)

// noteKind is the kind of the notes about trouble.
const noteKind = "trouble"

// armed is the data of a note about trouble. Stories write clause and armed
// alone.
type armed struct {
	// Clause is what the trouble is for, Clauses all that it can tell about.
	Clause  string   `json:"clause"`
	Clauses []string `json:"clauses,omitempty"`
	// Armed is the effect or the profile in words.
	Armed string `json:"armed"`
	// Fault is the armed fault's id, Profile the delivery profile.
	Fault   string `json:"fault,omitempty"`
	Profile string `json:"profile,omitempty"`
	// Endpoint is the webhook endpoint whose next deliveries go wrong.
	Endpoint string `json:"endpoint,omitempty"`
	Next     int    `json:"next,omitempty"`
}

// about are the clauses that the trouble is for.
func (a *armed) about() []string {
	if len(a.Clauses) > 0 || a.Clause == "" {
		return a.Clauses
	}
	return []string{a.Clause}
}

// note is the body of a note.
type note struct {
	Kind string          `json:"kind"`
	Text string          `json:"text"`
	Data json.RawMessage `json:"data"`
}

// control gives an entry's accepted control call of an operation.
func control(e *tape.Entry, operation string) *tape.Exchange {
	if e.Kind != tape.KindControl || e.Exchange == nil || e.Exchange.Operation != operation || e.Exchange.Response.Status >= 300 {
		return nil
	}
	return e.Exchange
}

// noteOf reads a note; the kind is empty when the entry is none.
func noteOf(e *tape.Entry) (kind string, data json.RawMessage) {
	var n note
	x := control(e, opNote)
	if x == nil || json.Unmarshal(x.Request.Body, &n) != nil {
		return "", nil
	}
	return n.Kind, n.Data
}

// troubleOf reads a note about trouble.
func troubleOf(e *tape.Entry) (armed, bool) {
	var a armed
	kind, data := noteOf(e)
	if kind != noteKind || json.Unmarshal(data, &a) != nil {
		return a, false
	}
	return a, len(a.about()) > 0
}

// meets says whether an entry is traffic that met the trouble. A note of a story
// says neither fault nor profile: any fault or profile of its words fits.
func (a *armed) meets(e *tape.Entry) bool {
	switch {
	case e.Exchange != nil && e.Kind == tape.KindExchange:
		id, effect, _ := strings.Cut(e.Exchange.Fault, ": ")
		return id != "" && (id == a.Fault || a.Fault == "" && a.Profile == "" && (id == a.Armed || effect == a.Armed))
	case e.Attempt != nil && e.Attempt.Profile != "":
		name := a.Profile
		if name == "" && a.Fault == "" {
			name = a.Armed
		}
		return (a.Endpoint == "" || a.Endpoint == e.Attempt.Endpoint) && e.Attempt.Profile.Has(name)
	default:
		return false
	}
}

// attempts counts how often trouble was armed for each clause, and how often
// traffic met it before the next trouble of the same kind.
func attempts(entries []tape.Entry, filter *clause.Filter) []report.Attempt {
	type open struct {
		armed
		met bool
	}
	var list []*open
	for i := range entries {
		if a, is := troubleOf(&entries[i]); is {
			list = append(list, &open{armed: a})
			continue
		}
		// The latest one that fits: trouble of a kind replaces what was there.
		for k := len(list) - 1; k >= 0; k-- {
			if list[k].meets(&entries[i]) {
				list[k].met = true
				break
			}
		}
	}
	var counts []report.Attempt
	for _, c := range clause.Integration() {
		n := report.Attempt{Clause: c.ID}
		for _, a := range list {
			if !slices.Contains(a.about(), c.ID) {
				continue
			}
			n.Armed++
			if a.met {
				n.Met++
			}
		}
		if n.Armed > 0 && filter.Takes(c.ID) {
			counts = append(counts, n)
		}
	}
	return counts
}

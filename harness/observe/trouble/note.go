package trouble

import (
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// The operations of the control API that trouble is made of.
const (
	opArmFault   = "armFault"
	opRemove     = "removeFault"
	opClear      = "clearFaults"
	opSetProfile = "setProfile"
	opAddWebhook = "addWebhook"

	opRemoveWebhook = "removeWebhook"
	opReset         = "resetIntegration"
)

// Note is the data of a note about trouble. Stories write clause and armed
// alone.
type Note struct {
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

// About are the clauses that the trouble is for.
func (a *Note) About() []string {
	if len(a.Clauses) > 0 || a.Clause == "" {
		return a.Clauses
	}
	return []string{a.Clause}
}

// control gives an entry's accepted control call of an operation.
func control(e *tape.Entry, operation string) *tape.Exchange {
	if e.Kind != tape.KindControl || e.Exchange == nil || e.Exchange.Operation != operation || e.Exchange.Response.Status >= 300 {
		return nil
	}
	return e.Exchange
}

// NoteOf reads a note about trouble.
func NoteOf(e *tape.Entry) (Note, bool) {
	var data Note
	n := trail.NoteOf(e, trail.NoteTrouble)
	is := n.Kind == trail.NoteTrouble && n.Into(&data) && len(data.About()) > 0
	return data, is
}

// Meets says whether an entry is traffic that met the trouble. A note of a story
// says neither fault nor profile: any fault or profile of its words fits.
func (a *Note) Meets(e *tape.Entry) bool {
	switch {
	case e.Exchange != nil && e.Kind == tape.KindExchange:
		id := e.Exchange.Fault.ID()
		return id != "" && (id == a.Fault || a.Fault == "" && a.Profile == "" && (id == a.Armed || e.Exchange.Fault.Effects() == a.Armed))
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

// Profile is how the deliveries to an endpoint go wrong, as the control API takes
// it: its name, for how many attempts, and for which status.
type Profile struct {
	Name      string `json:"profile"`
	Next      int    `json:"next,omitempty"`
	ForStatus string `json:"forStatus,omitempty"`
}

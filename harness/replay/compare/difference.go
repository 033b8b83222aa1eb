package compare

import (
	"fmt"

	"paysandbox/harness/replay/recording"
)

// Class says what a difference comes from.
type Class string

// The classes. A difference that none explains stays Unexplained.
const (
	// TimeOrID: it differs from one seed to another, so it means nothing.
	TimeOrID Class = "time-or-id"
	// Choice: another value of a named knob gives what was recorded.
	Choice Class = "choice"
	// Service: a clause that the service owes is broken.
	Service Class = "service"
	// Partner: a clause that the partner owes is broken.
	Partner Class = "partner"
	// Nobody: people, banks or time did what they may.
	Nobody      Class = "nobody"
	Unexplained Class = "unexplained"
)

// Difference is one thing in which recording and replay differ.
type Difference struct {
	// N is the exchange, from 0; Heard is the webhook, from 1, where it is about one.
	N     int `json:"n"`
	Heard int `json:"heard,omitempty"`
	// Place is where the recording has it.
	Place recording.Place `json:"place"`
	// Operation is that of the call, and Call the call in words.
	Operation string `json:"operation,omitempty"`
	Call      string `json:"call"`
	// Where is "status", a JSON pointer into the body, "header NAME" or "event".
	Where    string `json:"where"`
	Recorded string `json:"recorded"`
	Replayed string `json:"replayed"`
	Class    Class  `json:"class"`
	// Choice is the knob and its value, Clause the clause that is broken.
	Choice string `json:"choice,omitempty"`
	Clause string `json:"clause,omitempty"`
}

// Key is equal for differences of one recording that are the same.
func (d *Difference) Key() string {
	return fmt.Sprintf("%d/%d %s %s", d.N, d.Heard, d.Where, d.Recorded)
}

// Text tells a difference in one line.
func (d *Difference) Text() string {
	who := fmt.Sprintf("call %d", d.N+1)
	if d.Heard == 0 && d.N < 0 {
		who = "the webhooks"
	} else if d.Heard > 0 {
		who = fmt.Sprintf("webhook %d", d.Heard)
	}
	return who + ", " + d.Call + ": " + d.Sides()
}

// Sides tells where it is and what both sides say.
func (d *Difference) Sides() string {
	return fmt.Sprintf("%s was %s, the replay gives %s", d.Where, show(d.Recorded), show(d.Replayed))
}

func show(s string) string {
	const longest = 80
	if s == "" {
		return "absent"
	}
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

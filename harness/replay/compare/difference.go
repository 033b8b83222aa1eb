package compare

import (
	"fmt"
	"slices"
	"strings"

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
	// Assumed says that the replayed value is that of something from before the recording,
	// which does not tell it.
	Assumed bool `json:"assumed,omitempty"`
	// Choice is the knob and its value, Clause the clause that is broken.
	Choice string `json:"choice,omitempty"`
	Clause string `json:"clause,omitempty"`
}

// Key is equal for differences of one recording that are the same.
func (d *Difference) Key() string {
	return fmt.Sprintf("%d/%d %s %s", d.N, d.Heard, d.Where, d.Recorded)
}

// Text tells a difference in one line.
func (d *Difference) Text() string { return d.Who() + ": " + d.Sides() }

// Who names the call or the webhook.
func (d *Difference) Who() string {
	who := fmt.Sprintf("call %d", d.N+1)
	if d.Heard == 0 && d.N < 0 {
		who = "the webhooks"
	} else if d.Heard > 0 {
		who = fmt.Sprintf("webhook %d", d.Heard)
	}
	return who + ", " + d.Call
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

// Verifying says whether some of what is open is how long the verification of a company took: up to a day, which each seed draws.
// By a verification that was too short, a company that was rejected has been verified before.
func Verifying(list []Difference) bool {
	return slices.ContainsFunc(list, func(d Difference) bool {
		return d.verifies() || d.Class == Unexplained && d.ofVerification() && d.Recorded == "Rejected" && d.Replayed == "Verified"
	})
}

// Verified classes that as time: a verification that took longer than a day is told of by itself.
func Verified(list []Difference) {
	for i := range list {
		if list[i].verifies() {
			list[i].Class = TimeOrID
		}
	}
}

// Settling says whether some of what is open is how far a bank has come with a payment.
func Settling(list []Difference) bool { return slices.ContainsFunc(list, Difference.settles) }

// Settled classes as time how far a bank has come with a payment: in production that takes days.
func Settled(list []Difference) {
	for i := range list {
		if list[i].settles() {
			list[i].Class = TimeOrID
		}
	}
}

func (d Difference) verifies() bool {
	return d.Class == Unexplained && d.ofVerification() && d.Recorded == "Unverified" && (d.Replayed == "Verified" || d.Replayed == "Rejected")
}

// settles says whether it is how far a bank has come with a payment, which takes days and no time in a sandbox.
func (d Difference) settles() bool {
	end := d.Replayed == "Paid" || d.Replayed == "Failed" || d.Replayed == "Completed"
	return d.Class == Unexplained && (d.Where == "/status" || strings.HasSuffix(d.Where, "/transferStatus") || strings.HasSuffix(d.Where, "/status")) && end &&
		(d.Recorded == "Processing" || d.Recorded == "Processed")
}

// ofVerification says whether what differs is how far the verification of a company is.
func (d Difference) ofVerification() bool {
	return (d.Operation == "getCompanyStatus" || d.Operation == "getDefaultCompanyStatus") && d.Where == "/status"
}

// Assumed classes as nobody's the differences that are others, or none, where what was there
// before the recording was otherwise: the list is of a replay, theirs of one in which it was.
func Assumed(list, theirs []Difference) {
	replayed := map[string]string{}
	for i := range theirs {
		replayed[theirs[i].Key()] = theirs[i].Replayed
	}
	for i := range list {
		d := &list[i]
		if with, still := replayed[d.Key()]; d.Class == Unexplained && strings.HasPrefix(d.Where, "/") && (!still || with != d.Replayed) {
			d.Class, d.Assumed = Nobody, true
		}
	}
}

// Settle gives differences the classes that others have which are the same.
func Settle(list, known []Difference) {
	was := map[string]*Difference{}
	for i := range known {
		was[known[i].Key()] = &known[i]
	}
	for i := range list {
		if k := was[list[i].Key()]; k != nil && (k.Class == TimeOrID || k.Class == Nobody) {
			list[i].Class, list[i].Assumed = k.Class, k.Assumed
		}
	}
}

package feed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// Outcome is how a thing came out. It is the class of what shows it.
type Outcome string

// The outcomes.
const (
	// Plain is what is neither good nor bad.
	Plain Outcome = "plain"
	// Good went as it should.
	Good Outcome = "good"
	// Warned went, but not as production may want it.
	Warned Outcome = "warn"
	// Bad failed or was refused.
	Bad Outcome = "bad"
)

// Row is one entry in a list.
type Row struct {
	Seq, Cause uint64
	// Clock is the virtual time of day, Day the date, and Moment both in RFC 3339.
	Clock, Day, Moment string
	Kind               string
	// Sign is the direction: ▸ in, ◂ out, ◆ within.
	Sign string
	// Text is what happened, Note what is worth knowing about it.
	Text, Note string
	// Badge is the answer in a word.
	Badge   string
	Outcome Outcome
	// Entity is the main id that it is about, Client who called, Label what the
	// caller has named the call.
	Entity, Client, Label string
	Operation             string
	// Own says that the console has made the call, in somebody's place.
	Own bool
}

// Agent is what the console calls itself in calls of its own.
const Agent = "paysandbox-console"

// failures are states that something falls into, and successes those it is meant for.
var (
	failures  = []string{"Failed", "Rejected", "Unverified", "Expired", "Declined", "Denied", "Returned", "Disabled"}
	successes = []string{"Paid", "Verified", "Registered", "Accepted", "Authorised", "Captured", "Completed", "Active", "Succeeded"}
)

// RowOf tells an entry.
func RowOf(e *tape.Entry) Row {
	at := time.Unix(0, e.At).UTC()
	r := Row{
		Seq: e.Seq, Cause: e.Cause, Clock: at.Format("15:04:05.000"), Day: at.Format(time.DateOnly), Moment: at.Format(time.RFC3339Nano),
		Kind: e.Kind.String(), Sign: "◆", Outcome: Plain, Label: e.Label,
	}
	if len(e.Entities) > 0 {
		r.Entity = e.Entities[0]
	}
	switch {
	case e.Exchange != nil:
		r.exchange(e.Kind, e.Exchange)
		if len(e.Entities) > 1 {
			r.Entity = mainOf(e.Entities, e.Exchange)
		}
	case e.Attempt != nil:
		r.attempt(e.Attempt)
	default:
		r.within(e)
	}
	return r
}

// exchange tells a call and its answer.
func (r *Row) exchange(kind tape.Kind, x *tape.Exchange) {
	r.Sign, r.Operation = "▸", x.Operation
	r.Text = x.Method + " " + x.Path
	if len(x.Path) >= idLength {
		r.Text = x.Method + " " + brief(x.Path)
	}
	r.Client = tape.HeaderOf(x.Request.Header, "User-Agent")
	r.Own = kind == tape.KindExchange && strings.Contains(r.Client, Agent)
	if x.Operation == "addNote" && x.Response.Status == 200 {
		r.noted(x.Request.Body)
	}
	r.Badge = strconv.Itoa(x.Response.Status)
	switch code := x.Response.Status; {
	case code == 0:
		r.Badge, r.Outcome, r.Note = "no answer", Bad, "the connection was cut"
	case code >= 400:
		r.Outcome, r.Note = Bad, Refusal(x.Response.Body)
	default:
		r.Outcome = Good
		if w := tape.HeaderOf(x.Response.Header, "Sandbox-Warning"); w != "" {
			r.Outcome, r.Note = Warned, Warning(w)
		} else if kind != tape.KindExchange {
			r.Outcome = Plain
		}
	}
	if x.Fault != "" && !strings.HasSuffix(r.Note, string(x.Fault)) { // a refusal of its own names it
		r.Note = strings.TrimPrefix(r.Note+"; fault "+string(x.Fault), "; ")
	}
}

// noted tells a note by what it says.
func (r *Row) noted(body []byte) {
	var n struct{ Kind, Text string }
	if json.Unmarshal(body, &n) == nil && n.Kind != "" {
		r.Text = strings.TrimSuffix("note ("+n.Kind+"): "+n.Text, ": ")
	}
}

// attempt tells a delivery and what the receiver made of it.
func (r *Row) attempt(a *tape.Attempt) {
	r.Sign, r.Operation, r.Badge, r.Outcome = "◂", "POST "+a.URL, strconv.Itoa(a.Status), Good
	r.Text = r.Operation
	if a.Number > 1 {
		r.Text += " (attempt " + strconv.Itoa(a.Number) + ")"
	}
	if a.Status == 0 {
		r.Badge = "no answer"
	}
	if a.Status < 200 || a.Status > 299 {
		r.Outcome, r.Note = Bad, a.Reason
		if a.Error != "" && !strings.Contains(a.Reason, a.Error) {
			r.Note = strings.TrimSuffix(a.Error+"; "+a.Reason, "; ")
		}
		if a.Next > 0 {
			r.Note = strings.TrimPrefix(r.Note+"; again at "+time.Unix(0, a.Next).UTC().Format(time.TimeOnly), "; ")
		}
	}
	if id := tells(a.Body); id != "" {
		r.Entity = id
	}
	for name := range a.Profile.Each() {
		r.Note = strings.TrimSpace(r.Note + " (profile " + name + ")")
	}
}

// tells is the id of the payment or company that a delivery's body is about, "" when
// it names none. The entry itself is filed under the delivery, its event and endpoint.
func tells(body []byte) string {
	var b struct {
		Data struct{ PaymentID, CompanyID string }
	}
	if json.Unmarshal(body, &b) != nil {
		return ""
	}
	if id := cmp.Or(b.Data.PaymentID, b.Data.CompanyID); len(id) == idLength && ids().MatchString(id) {
		return id
	}
	return ""
}

// within tells what happened inside.
func (r *Row) within(e *tape.Entry) {
	switch {
	case e.Omitted > 0:
		r.Text, r.Outcome = "an entry that was too large to be kept ("+strconv.FormatInt(e.Omitted, 10)+" bytes)", Warned
	case e.Transition != nil:
		r.transition(e.Transition)
	case e.Event != nil:
		r.Text, r.Note = e.Event.Name, told(e.Event.Body)
	case e.Message != nil:
		r.Text, r.Note = e.Message.Channel+" to "+e.Message.To, e.Message.Template
	case e.Timer != nil:
		r.Text = "timer: " + e.Timer.Name
	case e.Clock != nil:
		r.Text = "the clock moved by " + Span(time.Duration(e.Clock.To-e.Clock.From))
		r.Note = "to " + time.Unix(0, e.Clock.To).UTC().Format(time.RFC3339)
	case e.Hangup != nil:
		r.Text, r.Outcome = "the caller hung up after "+time.Duration(e.Hangup.After).Round(time.Millisecond).String(), Warned
	case e.Fetch != nil:
		r.Sign, r.Text, r.Badge = "◂", "GET "+e.Fetch.URL, strconv.Itoa(e.Fetch.Status)
		if e.Fetch.Error != "" {
			r.Outcome, r.Note, r.Badge = Bad, e.Fetch.Error, "failed"
		}
	case len(e.Findings) > 0:
		r.finding(e.Findings)
	}
}

// Tag is the label as a list shows it.
func (r Row) Tag() string { return Tag(r.Label) }

// Tag is a label as it is shown: a trace's id is known by its beginning.
func Tag(label string) string {
	if len(label) == 32 && strings.Trim(label, "0123456789abcdef") == "" {
		return "trace " + label[:8]
	}
	return label
}

// Mark is the badge, unless the text ends with it already.
func (r Row) Mark() string {
	if strings.HasSuffix(r.Text, " "+r.Badge) {
		return ""
	}
	return r.Badge
}

func (r *Row) transition(t *tape.Transition) {
	r.Text, r.Badge, r.Note = strings.ReplaceAll(t.Machine, "-", " ")+" created", t.To, t.Reason
	if t.From != "" {
		r.Text = strings.ReplaceAll(t.Machine, "-", " ") + ": " + t.From + " → " + t.To
		if t.Event != "" {
			r.Note = strings.TrimSuffix(t.Event+", "+t.Reason, ", ")
		}
	}
	if t.From != "" { // what has only begun has neither failed nor succeeded
		r.Outcome = OutcomeOf(t.To)
	}
}

// OutcomeOf says what a state is.
func OutcomeOf(state string) Outcome {
	switch {
	case slices.Contains(failures, state):
		return Bad
	case slices.Contains(successes, state):
		return Good
	default:
		return Plain
	}
}

func (r *Row) finding(list []tape.Finding) {
	f := list[0]
	r.Outcome, r.Text, r.Note = Bad, "finding: "+f.Clause, strings.TrimPrefix(strings.TrimPrefix(f.Pointer, "/")+": "+f.Expected, ": ")+strings.TrimSuffix("; "+f.Fix, "; ")
	if f.Advisory {
		r.Outcome, r.Text = Warned, "warning: "+f.Clause
	}
	if more := len(list) - 1; more > 0 {
		r.Note += fmt.Sprintf(" (and %d more)", more)
	}
}

// told is the state that an event tells.
func told(body []byte) string {
	var b struct{ Data struct{ Status string } }
	if json.Unmarshal(body, &b) != nil {
		return ""
	}
	return b.Data.Status
}

// Span writes a duration in days, hours, minutes and seconds.
func Span(d time.Duration) string {
	days := d / (24 * time.Hour)
	rest := (d - days*24*time.Hour).Round(time.Millisecond)
	switch {
	case days == 0:
		return rest.String()
	case rest == 0:
		return strconv.Itoa(int(days)) + "d"
	default:
		return strconv.Itoa(int(days)) + "d" + strings.TrimSuffix(rest.String(), "0s")
	}
}

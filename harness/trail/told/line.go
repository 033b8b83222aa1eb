// Package told puts a tape's entry in words: in one line, and in full. It owns the words
// that terminals, written pages and reports share. It must not judge, and nothing that it
// says may do anything to a terminal.
package told

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Outcome says how a thing came out, which is its colour.
type Outcome int

// The outcomes.
const (
	// Aside is what people and programs do around the calls.
	Aside Outcome = iota
	// Good went as it should.
	Good
	// Warned went, but not as production may want it.
	Warned
	// Bad failed or was refused.
	Bad
)

// Line is one thing that happened.
type Line struct {
	// At is the virtual time.
	At time.Time
	// Seq is the entry's number on the tape.
	Seq uint64
	// Mark shows the direction: in, out, or within.
	Mark string
	// Text is what happened, Note what is worth knowing about it.
	Text, Note string
	Outcome    Outcome
	// Kind is the entry's kind.
	Kind tape.Kind
	// Label is what the caller named itself by, "" for nothing.
	Label string
}

// failures are the states into which a timer, a bank or a person lets a thing fall.
var failures = []string{"Failed", "Rejected", "Unverified", "Expired", "Declined", "Denied", "Disabled"}

// Of makes the line of an entry; false is for entries that say nothing beside
// those that they stand with.
func Of(e *tape.Entry) (Line, bool) {
	l := Line{At: time.Unix(0, e.At).UTC(), Seq: e.Seq, Kind: e.Kind, Label: e.Label}
	switch {
	case e.Exchange != nil:
		l.Mark = "▸"
		l.exchange(e.Exchange)
		if e.Kind == tape.KindControl && l.Outcome == Good {
			l.Outcome = Aside
		}
	case e.Event != nil:
		l.Mark, l.Outcome = "◆", Good
		l.Text = strings.TrimSpace(e.Event.Name + " " + status(e.Event.Body))
		l.Note = trail.Subject(e)
	case e.Attempt != nil:
		l.Mark = "◂"
		l.attempt(e.Attempt)
	case e.Transition != nil && e.Transition.From != "" && slices.Contains(failures, e.Transition.To):
		l.Mark, l.Outcome = "◆", Bad
		l.Text, l.Note = e.Transition.Machine+" "+e.Transition.Entity+" "+e.Transition.To, e.Transition.Reason
	case e.Fetch != nil, e.Message != nil, e.Clock != nil, e.Hangup != nil:
		l.Mark = "◆"
		return l, l.other(e)
	default:
		return l, false
	}
	return l, true
}

// exchange tells a call and its answer.
func (l *Line) exchange(x *tape.Exchange) {
	l.Text = x.Method + " " + x.Path + " " + strconv.Itoa(x.Response.Status)
	switch code := x.Response.Status; {
	case code == 0:
		l.Text, l.Outcome = x.Method+" "+x.Path+" no answer", Bad
	case code >= 400:
		l.Outcome, l.Note = Bad, refused(x.Response.Body)
	default:
		l.Outcome = Good
		if w, _ := trail.Header(x.Response.Header, "Sandbox-Warning"); w != "" {
			l.Outcome, l.Note = Warned, "warning: "+w
		}
	}
	if x.Fault != "" && !strings.HasSuffix(l.Note, string(x.Fault)) { // a refusal of its own names it
		l.Note = strings.TrimSpace(l.Note + " (" + string(x.Fault) + ")")
	}
}

// Among makes the line of one of several entries that stand in their order, see [Of]. What
// a call is warned of is said in words there: its own answer names the clauses alone.
func Among(entries []tape.Entry, n int) (Line, bool) {
	l, is := Of(&entries[n])
	if l.Outcome != Warned {
		return l, is
	}
	for _, e := range entries[n+1:] {
		if e.Exchange != nil {
			break
		}
		if f := e.Findings; len(f) > 0 && e.Cause == l.Seq {
			l.Note = "warning: " + strings.TrimPrefix(strings.TrimPrefix(f[0].Pointer, "/")+": "+f[0].Expected, ": ") + strings.TrimSuffix("; "+f[0].Fix, "; ") + more(f)
			break
		}
	}
	return l, is
}

// more counts the findings after the first.
func more[F any](list []F) string {
	if len(list) == 1 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", len(list)-1)
}

// attempt tells a delivery and what the receiver made of it.
func (l *Line) attempt(a *tape.Attempt) {
	answer := strconv.Itoa(a.Status)
	l.Outcome = Good
	if a.Status == 0 {
		answer = "no answer"
	}
	if a.Status < 200 || a.Status > 299 {
		l.Outcome, l.Note = Bad, a.Error
		if l.Note == "" {
			l.Note = a.Reason
		}
		if a.Next > 0 {
			l.Note = strings.TrimPrefix(l.Note+"; again at "+time.Unix(0, a.Next).UTC().Format(time.TimeOnly), "; ")
		}
	}
	l.Text = "POST " + a.URL + " " + answer
	if a.Number > 1 {
		l.Text += " (attempt " + strconv.Itoa(a.Number) + ")"
	}
	for name := range a.Profile.Each() {
		l.Text += " " + name
	}
}

// other tells what people rarely look for.
func (l *Line) other(e *tape.Entry) bool {
	switch {
	case e.Message != nil:
		l.Text, l.Note = e.Message.Channel+" to "+e.Message.To, e.Message.Template
	case e.Clock != nil && e.Clock.To != e.Clock.From:
		l.Text = "the clock moved by " + time.Duration(e.Clock.To-e.Clock.From).String()
	case e.Hangup != nil:
		l.Outcome, l.Text = Warned, "the caller hung up after "+time.Duration(e.Hangup.After).Round(time.Millisecond).String()
	case e.Fetch != nil && e.Fetch.Error != "":
		l.Outcome, l.Text, l.Note = Bad, "GET "+e.Fetch.URL+" failed", e.Fetch.Error
	default:
		return false
	}
	return true
}

// refused is what a refusal says, in a few words: its first finding.
func refused(body []byte) string {
	p := trail.ReadBody(body)
	list := p.List("findings")
	if len(list) == 0 {
		return cmp.Or(p.Text("detail"), p.Text("title"))
	}
	return strings.TrimPrefix(strings.TrimPrefix(list[0].Text("pointer"), "/")+": "+list[0].Text("expected"), ": ") + more(list)
}

// EventName is the name of an event and the state that it tells, from its body.
func EventName(body []byte) string {
	name := trail.ReadBody(body).Text("event")
	if name == "" {
		return "an event without a name"
	}
	return strings.TrimSpace(name + " " + status(body))
}

// EventEntity is the id of what an event is about, from its body.
func EventEntity(body []byte) string {
	data := trail.ReadBody(body).Object("data")
	return cmp.Or(data.Text("paymentId"), data.Text("companyId"))
}

// status is the state that an event tells.
func status(body []byte) string { return trail.ReadBody(body).Object("data").Text("status") }

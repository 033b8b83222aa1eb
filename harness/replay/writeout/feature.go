package writeout

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// feature writes a scenario in the steps of the acceptance features: what had to be
// there, what the partner asked, what people did, and what came of it.
func feature(c *Case) ([]byte, error) {
	f := scenario{Case: c, names: map[string]string{}, refs: map[string]string{}}
	answers := map[int]*play.Answered{}
	for i := range c.Run.Answers {
		answers[c.Run.Answers[i].Step] = &c.Run.Answers[i]
	}
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if d := s.At.Sub(at).Round(1e9); d >= 1e9 {
			f.when("%d %s pass", d/1e9, "seconds")
			at = s.At
		}
		switch {
		case s.Call != nil && answers[i] != nil:
			f.call(&s.Call.Exchange, answers[i], s.Call.Stands)
		case s.Move != nil:
			f.move(s.Move)
		}
	}
	var b strings.Builder
	b.WriteString("# Written by paysandbox replay.\n@area:cases @clause:" + c.clause() + " @needs:control\nFeature: " + oneLine(c.Title) + "\n\n  Scenario: What the partner reported\n")
	if c.Script.World.Environment == "rehearsal" {
		b.WriteString("    Given an integration in environment \"rehearsal\"\n")
	}
	for _, line := range f.lines {
		b.WriteString("    " + line + "\n")
	}
	return []byte(b.String()), nil
}

// clause is a clause of the service that the scenario tells of.
func (c *Case) clause() string {
	for i := len(c.Run.Answers) - 1; i >= 0; i-- {
		for _, f := range trail.ReadBody(c.Run.Answers[i].Body).List("findings") {
			if id := f.Text("clause"); id != "" {
				return id
			}
		}
	}
	return "payment.status.machine"
}

// scenario is a scenario under way.
type scenario struct {
	*Case
	lines []string
	// names are what the story calls recorded ids, refs the partner's references.
	names, refs map[string]string
	last        string
}

func (f *scenario) line(word, format string, args ...any) {
	if word == f.last {
		word = "And"
	} else {
		f.last = word
	}
	f.lines = append(f.lines, word+" "+fmt.Sprintf(format, args...))
}

func (f *scenario) given(format string, args ...any) { f.line("Given", format, args...) }
func (f *scenario) when(format string, args ...any)  { f.line("When", format, args...) }
func (f *scenario) then(format string, args ...any)  { f.line("Then", format, args...) }

// nouns are what the story calls what an operation makes.
var nouns = map[string]string{
	"createCompany": "company", "registerUser": "payer", "createPayment": "payment request", "authoriseCard": "card authorisation", "createPlan": "plan",
}

// call tells one call.
func (f *scenario) call(x *recording.Exchange, a *play.Answered, stands []correlate.Value) {
	noun, served := nouns[a.Operation], a.Status < 300
	switch {
	case f.token(x) && served:
	case noun != "" && served:
		f.made(noun, x, a, stands)
	case a.Operation == "getPaymentStatus" && served:
		f.when("the partner asks for the payment's status")
		f.then(`the answer's status is "%s"`, trail.ReadBody(a.Body).Text("status"))
	default:
		f.raw(x, a)
	}
}

// made tells that something was made, with those of its members that matter.
func (f *scenario) made(noun string, x *recording.Exchange, a *play.Answered, stands []correlate.Value) {
	article, known := "a", strings.TrimSuffix(noun, " request")
	for _, name := range f.names {
		if name == known {
			article, known = "another", "other "+strings.TrimSuffix(noun, " request")
			break
		}
	}
	switch noun {
	case "payment request", "plan", "card authorisation":
		if amount := trail.ReadBody(x.Body).Get("amount"); amount != nil {
			f.given(`%s %s with amount "%v"`, article, noun, amount)
			break
		}
		f.given("%s %s", article, noun)
	default:
		f.given("%s %s", article, noun)
	}
	list := stands
	if x.Answer.Known == recording.Whole {
		list = append(slices.Clone(stands), correlate.InBody(a.Operation, x.Answer.Body)...)
	}
	main := map[string]correlate.Type{
		"company": correlate.Company, "payer": correlate.Registration, "payment request": correlate.Payment, "card authorisation": correlate.Payment, "plan": correlate.Plan,
	}[noun]
	for _, v := range list {
		if v.Type == main {
			f.names[strings.ToLower(v.Text)] = known
		}
	}
	if ref := trail.ReadBody(x.Body).Text("companyReferenceId"); noun == "company" && ref != "" {
		f.names[strings.ToLower(ref)] = known + "'s reference"
	}
}

// raw tells a call as it was sent, with the story's names in the place of ids.
func (f *scenario) raw(x *recording.Exchange, a *play.Answered) {
	path := f.named(unquoted.Replace(target(x)))
	if len(x.Body) == 0 {
		f.when(`the client sends "%s %s"`, x.Method, path)
	} else {
		f.when(`the client sends "%s %s":`, x.Method, path)
		f.lines = append(f.lines, docString(f.named(string(x.Body)))...)
	}
	f.then("the answer has the status %d", a.Status)
}

// unquoted takes out of an address what would end the step that names it.
var unquoted = strings.NewReplacer(`"`, "%22", "\n", "%0A", "\r", "%0D")

// docString are the lines of a text below a step. Nothing in the text ends it: Gherkin
// reads escaped marks, of the kind that stands around it, as the marks.
func docString(body string) []string {
	mark, escaped := `"""`, `\"\"\"`
	if strings.Contains(body, mark) || strings.Contains(body, escaped) {
		mark, escaped = "```", "\\`\\`\\`"
	}
	return []string{"  " + mark, "  " + strings.ReplaceAll(strings.ReplaceAll(body, mark, escaped), "\n", "\n      "), "  " + mark}
}

func (f *scenario) named(text string) string {
	var ids []string
	for id := range f.names {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		text = strings.ReplaceAll(text, id, "{"+f.names[id]+"}")
	}
	return text
}

// move tells what somebody else did.
func (f *scenario) move(m *play.Move) {
	parts := strings.Split(strings.Trim(m.Path, "/"), "/")
	if len(parts) < 3 {
		f.lines = append(f.lines, "# people: "+m.Path)
		return
	}
	switch kind, event := parts[0], parts[2]; kind {
	case "registrations":
		for i := range f.lines { // the payer was there before
			f.lines[i] = strings.Replace(f.lines[i], " a payer", " a registered payer", 1)
		}
	case "payments", "plans", "consents", "cards":
		noun := map[string]string{"payments": "payment", "plans": "plan", "consents": "consent", "cards": "card authorisation"}[kind]
		f.when(`"%s" happens to the %s`, event, noun)
	case "companies":
		var body struct{ Outcome string }
		_ = json.Unmarshal(m.Body, &body)
		if f.Script.World.Environment == "rehearsal" {
			f.when(`the verification ends as "%s"`, body.Outcome)
		}
	default:
		f.lines = append(f.lines, "# people: "+m.Path)
	}
}

package writeout

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// feature writes a scenario in the steps of the acceptance features: what had to be
// there, what the partner asked, what people did, and what came of it.
func feature(c *Case) ([]byte, error) {
	f := scenario{Case: c, names: map[string]string{}, statuses: map[string]string{}, raws: map[string]bool{}, told: map[string]int{}, former: map[string]bool{}}
	answers := map[int]*play.Answered{}
	for i := range c.Run.Answers {
		answers[c.Run.Answers[i].Step] = &c.Run.Answers[i]
	}
	f.main, f.final = c.subject(answers)
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if d := s.At.Sub(at).Round(time.Second); d >= time.Second {
			f.waited, at = f.waited+d, s.At
			f.restless = max(0, f.restless-d)
		}
		switch {
		case s.Call != nil && answers[i] != nil:
			f.step = i
			f.fault = s.Call.Fault
			if inVain(&s.Call.Exchange) && s.Call.Exchange.Answer.Status == 0 && !f.used(s.Call.Stands) {
				f.lost(s.Call)
				continue
			}
			f.call(&s.Call.Exchange, answers[i], s.Call.Stands)
		case s.Move != nil && c.Run.Moved[i] == "": // others were not possible
			f.move(s.Move)
		}
	}
	f.counted()
	about := cmp.Or(f.delivered(), c.clause())
	if !slices.ContainsFunc(f.lines, func(line string) bool { return !strings.HasPrefix(line, "#") }) {
		return nil, errors.New("nothing of this case can be told as a scenario: it is about how the calls were made, or what the service sent by itself; write it as curl, har or markdown")
	}
	var b strings.Builder
	f.head(&b, about)
	for _, line := range f.lines {
		b.WriteString("    " + line + "\n")
	}
	return []byte(b.String()), nil
}

// head writes what stands above the steps, and what they start from.
func (f *scenario) head(b *strings.Builder, about string) {
	b.WriteString("# Written by paysandbox replay.\n@area:cases @clause:" + about + " @needs:control\nFeature: " + oneLine(f.Title) + "\n\n  Scenario: What the partner reported\n")
	if f.rehearsed || f.Script.World.Environment == "rehearsal" {
		b.WriteString("    Given an integration in environment \"rehearsal\"\n")
	}
	for _, knob := range slices.Sorted(maps.Keys(f.Script.World.Latitude)) {
		fmt.Fprintf(b, "    Given the service's choice of \"%s\" is \"%s\"\n", knob, f.Script.World.Latitude[knob])
	}
}

// clause is a clause of the service that the scenario tells of.
func (c *Case) clause() string {
	if c.Clause != "" {
		return c.Clause
	}
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
	// names are what the story calls recorded ids, statuses what was told of them last.
	names, statuses map[string]string
	last            string
	// main is the payment that the story is about, final the last step that is a call, step the one in hand.
	main        string
	final, step int
	// waited is the time that has passed since it was told last, restless how much longer a move may
	// bring others by itself.
	waited, restless time.Duration
	// fault is what the call in hand is met by, as Sandbox-Fault says it.
	fault string
	// raws are the calls that were told as they were sent, since the last move.
	raws map[string]bool
	// told counts what was made, by its noun.
	told map[string]int
	// rehearsed says that the events told of need a company's verification.
	rehearsed bool
	// paidInVain says that the answer to a payment was lost.
	paidInVain bool
	// former are the ids whose names others of their kind have taken.
	former map[string]bool
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
	case noun != "" && served && (!f.paidInVain || noun != "payment request" || f.used(correlate.InBody(a.Operation, x.Answer.Body))):
		f.made(noun, x, a, stands)
	case a.Operation == "getPaymentStatus" && served && strings.HasSuffix(strings.ToLower(f.named(x.Path)), "/payment/{payment}/status"):
		f.asked(trail.ReadBody(a.Body).Text("status"))
	case a.Operation == "addPlanPayer" && served && f.joins(x):
	default:
		f.raw(x, a)
	}
}

// made tells that something was made, with those of its members that matter.
func (f *scenario) made(noun string, x *recording.Exchange, a *play.Answered, stands []correlate.Value) {
	f.passes(false)
	list := stands
	if x.Answer.Known == recording.Whole {
		list = append(slices.Clone(stands), correlate.InBody(a.Operation, x.Answer.Body)...)
	}
	id := idAmong(list, noun)
	f.told[noun]++
	article, known := f.called(noun, id)
	if noun == "company" && f.told[noun] > 2 {
		f.lines = append(f.lines, "# a third company was there, which no step makes")
		return
	}
	amount := trail.ReadBody(x.Body).Get("amount")
	if amount != nil && slices.Contains([]string{"payment request", "plan", "card authorisation"}, noun) {
		f.given(`%s %s with amount "%v"`, article, noun, amount)
	} else {
		f.given("%s %s", article, noun)
	}
	if noun == "payment request" {
		f.restless = time.Minute // it may go on by itself
	}
	if inVain(x) {
		f.lines = append(f.lines, "# its answer never came to the partner")
	}
	if id != "" && (article == "another" || !f.has(known)) {
		f.rename(id, known)
	}
	if noun == "company" {
		f.place(x, known, list)
	}
}

// called is what a made thing is called: another one where there is one already.
func (f *scenario) called(noun, id string) (article, known string) {
	known = strings.TrimSuffix(noun, " request")
	if f.has(known) || noun == "company" && f.told[noun] > 1 || noun == "payment request" && f.main != "" && id != f.main {
		return "another", "other " + known
	}
	return "a", known
}

// rename gives the newest the name.
func (f *scenario) rename(id, known string) {
	for old, name := range f.names {
		if name == known {
			f.former[old] = true
			delete(f.names, old)
		}
	}
	f.names[id] = known
}

// raw tells a call as it was sent, with the story's names in the place of ids.
func (f *scenario) raw(x *recording.Exchange, a *play.Answered) {
	if id := trail.ReadBody(x.Body).Text("paymentMethodId"); id != "" && f.told["card"] == 1 {
		f.names[id] = "card"
	}
	path := f.named(unquoted.Replace(target(x)))
	if a.Status < 300 && f.unnamed(path+string(x.Body)) {
		f.lines = append(f.lines, "# "+x.Method+" "+path+": of an earlier one, which no step names any more")
		return
	}
	whole := x.Method + " " + path + " " + string(x.Body)
	if x.Method == http.MethodGet && a.Status < 300 && f.raws[whole] && f.step != f.final {
		return // it says the same again
	}
	f.raws[whole] = true
	f.passes(false)
	f.headers(x, a)
	if len(x.Body) == 0 {
		f.when(`the client sends "%s %s"`, x.Method, path)
	} else {
		f.when(`the client sends "%s %s":`, x.Method, path)
		f.lines = append(f.lines, docString(f.named(string(x.Body)))...)
	}
	f.then("the answer has the status %d", a.Status)
}

// unnamed says whether a path names what another of its kind has taken the name of.
func (f *scenario) unnamed(path string) bool {
	for id := range f.former {
		if strings.Contains(strings.ToLower(path), id) {
			return true
		}
	}
	return false
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

// move tells what somebody else did.
func (f *scenario) move(m *play.Move) {
	parts := strings.Split(strings.Trim(m.Path, "/"), "/")
	var body struct{ Card, Outcome string }
	_ = json.Unmarshal(m.Body, &body)
	if parts[0] == "payment-methods" && body.Card != "" {
		f.given(`a saved card "%s"`, body.Card)
		f.told["card"]++
		return
	}
	if len(parts) < 3 {
		f.lines = append(f.lines, "# people: "+m.Path)
		return
	}
	switch kind, event := parts[0], parts[2]; kind {
	case "registrations":
		which := " a "
		if f.names[strings.ToLower(m.Entity)] == "other payer" {
			which = " another "
		}
		for i := range f.lines { // the payer was there before
			f.lines[i] = strings.Replace(f.lines[i], which+"payer", which+"registered payer", 1)
		}
	case "payments", "plans", "consents", "cards":
		f.happens(event, kind, strings.ToLower(m.Entity))
	case "companies":
		if f.Script.World.Environment == "rehearsal" && f.told["company"] < 2 { // of others no step tells
			f.when(`the verification ends as "%s"`, body.Outcome)
		}
	default:
		f.lines = append(f.lines, "# people: "+m.Path)
	}
}

// happens tells what happened to one of a kind.
func (f *scenario) happens(event, kind, id string) {
	noun := map[string]string{"payments": "payment", "plans": "plan", "consents": "consent", "cards": "card authorisation"}[kind]
	if kind == "payments" && f.main != "" && id != f.main {
		f.lines = append(f.lines, fmt.Sprintf("# %s happens to %s", event, cmp.Or(f.names[id], "another payment")))
		return
	}
	if f.waited < time.Minute && event != "return" { // which needs what time brings; before others it may bring too much
		f.waited = 0
	}
	f.passes(false)
	f.when(`"%s" happens to the %s`, event, noun)
	f.restless, f.raws = time.Minute, map[string]bool{}
}

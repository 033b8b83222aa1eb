package writeout

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// feature writes a scenario, whatever it leaves out.
func feature(c *Case) ([]byte, error) {
	text, _, err := Feature(c)
	return text, err
}

// Feature writes a scenario in the steps of the acceptance features: what had to be
// there, what the partner asked, what people did, and what came of it. It gives what no step
// says, too, so that nobody takes the scenario for the whole case.
func Feature(c *Case) (text []byte, untold []string, err error) {
	f := scenario{Case: c, naming: newNaming(), statuses: map[string]string{}, raws: map[string]bool{}, told: map[string]int{}}
	answers := map[int]*play.Answered{}
	for i := range c.Run.Answers {
		answers[c.Run.Answers[i].Step] = &c.Run.Answers[i]
	}
	f.final = c.last(answers)
	f.calendar = c.Script.World.Latitude["live"] != "" // what comes by itself comes on banking days
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if d := s.At.Sub(at).Round(time.Second); d >= time.Second {
			f.waited, at = f.waited+d, s.At
			f.restless = max(0, f.restless-d)
		}
		switch {
		case s.Call != nil && answers[i] != nil:
			f.step, f.fault = i, s.Call.Fault
			if prelude.Lost(&s.Call.Exchange) && s.Call.Exchange.Answer.Status == 0 && !f.used(s.Call.Stands) {
				f.lost(s.Call)
				continue
			}
			f.call(s.Call, answers[i])
		case s.Move != nil && c.Run.Moved[i] == "": // others were not possible
			f.step = i
			f.move(s.Move)
		}
	}
	f.counted()
	about := cmp.Or(f.delivered(), c.clause())
	if !slices.ContainsFunc(f.lines, func(line string) bool { return !strings.HasPrefix(line, "#") }) {
		return nil, nil, errors.New("nothing of this case can be told as a scenario: it is about how the calls were made, or what the service sent by itself; write it as curl, har or markdown")
	}
	var b strings.Builder
	f.head(&b, about)
	for _, line := range f.lines {
		b.WriteString("    " + line + "\n")
	}
	if c.Owed != "" {
		f.untold = append(f.untold, c.Owed+", which no call is refused for: the calls are as the partner made them, but verify judges the service alone")
	}
	return []byte(b.String()), f.untold, nil
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
	naming
	// lines are the steps, untold what no step says.
	lines, untold []string
	// statuses are what was told last of payments, by their ids.
	statuses map[string]string
	last     string
	// final is the last step that is a call, step the one in hand.
	final, step int
	// waited is the time that has passed since it was told last, restless how much longer a move may
	// bring others by itself.
	waited, restless time.Duration
	// calendar says that dates are told, which are those of the case.
	calendar bool
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
}

// leave notes in the story what no step says.
func (f *scenario) leave(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	f.lines = append(f.lines, "# "+what)
	f.untold = append(f.untold, what)
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

// call tells one call.
func (f *scenario) call(c *play.Call, a *play.Answered) {
	x := &c.Exchange
	noun, served := trail.OperationNamed(a.Operation).Noun, a.Status < 300
	switch {
	case f.token(x) && served:
	case noun != "" && served && !f.exactly(c, a) && (!f.paidInVain || noun != "payment request" || f.used(correlate.InBody(a.Operation, x.Answer.Body))):
		f.made(noun, x, a, c.Stands)
	case a.Operation == "getPaymentStatus" && served && f.asked(x, trail.ReadBody(a.Body).Text("status")):
	case a.Operation == "addPlanPayer" && served && f.joins(x, f.shown(x, a, c.Stands)):
	default:
		f.raw(x, a, c.Stands)
	}
}

// exactly says whether a call has to stand as the partner made it: the fault is in its body, later steps are about
// a second location that it makes, or its reference is none that every path can have.
func (f *scenario) exactly(c *play.Call, a *play.Answered) bool {
	places := map[string]bool{}
	for _, v := range f.shown(&c.Exchange, a, c.Stands) {
		if v.Type == correlate.Location && f.speaks(f.step+1, v.Text) {
			places[strings.ToLower(v.Text)] = true
		}
	}
	ref := trail.ReadBody(c.Exchange.Body).Text("companyReferenceId")
	return len(places) > 1 || strings.ContainsAny(ref, "/?#% ") || c.N >= 0 && c.N == f.Exactly-1
}

// made tells that something was made, with those of its members that matter.
func (f *scenario) made(noun string, x *recording.Exchange, a *play.Answered, stands []correlate.Value) {
	f.passes(false)
	list := f.shown(x, a, stands)
	id := idAmong(list, noun)
	body := trail.ReadBody(x.Body)
	if ref := body.Text("companyReferenceId"); noun == "company" && id == "" { // no answer shows its id
		id = "the company " + strings.ToLower(ref)
	}
	f.of(noun, &body)
	f.key(x)
	article := f.article(noun)
	amount := body.Get("amount")
	switch {
	case noun == "company" && f.told[noun] > 1: // two have two references
		f.given(`a company with companyReferenceId "reference-%d"`, f.told[noun])
	case f.dated(noun, &body):
	case amount != nil && slices.Contains([]string{"payment request", "plan", "card authorisation"}, noun):
		f.given(`%s %s with amount "%v"`, article, noun, amount)
	default:
		f.given("%s %s", article, noun)
	}
	if noun == "payer" {
		f.lineOf[id] = len(f.lines) - 1
	}
	if noun == "payment request" {
		f.restless = time.Minute // it may go on by itself
	}
	if prelude.Lost(x) {
		f.lines = append(f.lines, "# its answer never came to the partner")
	}
	f.newest(noun, article, id)
	if noun == "company" {
		f.place(x, list)
	}
}

// shown are the values that a call's answer has, as they were recorded; or, where its body was not, as others show them.
func (f *scenario) shown(x *recording.Exchange, a *play.Answered, stands []correlate.Value) []correlate.Value {
	body := x.Answer.Body
	if x.Answer.Known != recording.Whole {
		body = f.Run.Links.Back(a.Body)
	}
	return append(slices.Clone(stands), correlate.InBody(a.Operation, body)...)
}

// raw tells a call as it was sent, with the story's names in the place of ids.
func (f *scenario) raw(x *recording.Exchange, a *play.Answered, stands []correlate.Value) {
	if a.Paged {
		f.leave("call %d asks for a page of a report, and the sandbox's own pages hold other rows", a.N+1)
		return
	}
	f.carded(x)
	path := f.named(unquoted.Replace(target(x)))
	whole := x.Method + " " + path + " " + string(x.Body)
	if id := f.stranger(x); id != "" && a.Status < 300 {
		f.leave("%s %s, of %s, which no step makes", x.Method, path, id)
		return
	}
	if a.Operation == "createCompany" && a.Status < 300 {
		f.article("company")
	}
	list := f.shown(x, a, stands)
	spoken := f.spoken(list)
	if x.Method == http.MethodGet && a.Status < 300 && f.raws[whole] && f.step != f.final && len(spoken) == 0 {
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
	f.because(a)
	if a.Status < 300 {
		f.brought(x, a, list, spoken)
	}
}

// brought names what a call that was told as it was sent has brought about.
func (f *scenario) brought(x *recording.Exchange, a *play.Answered, list, spoken []correlate.Value) {
	if a.Operation == "createCompany" { // the step notes that by itself
		f.newest("company", "a", idAmong(list, "company"))
		f.owner[strings.ToLower(trail.ReadBody(x.Body).Text("companyReferenceId"))] = f.current["company"]
	}
	f.called(spoken)
	f.traced(a.Seq)
}

// because tells what a refusal is for: the same status may come of another fault.
func (f *scenario) because(a *play.Answered) {
	if a.Status < 400 || f.Script.World.Latitude["error-body"] != "" {
		return
	}
	told := map[string]bool{}
	for _, one := range trail.ReadBody(a.Body).List("findings") {
		if id := one.Text("clause"); id != "" && !told[id] {
			told[id] = true
			f.then(`the call cites the clause "%s"`, id)
		}
	}
	if state := trail.ReadBody(a.Body).Text("state"); len(told) == 0 && state != "" {
		f.then(`the refusal speaks of "is %s"`, state)
	}
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

package writeout

import (
	"cmp"
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

// last is the last step that is a call.
func (c *Case) last(answers map[int]*play.Answered) (final int) {
	for i := range c.Script.Steps {
		if c.Script.Steps[i].Call != nil && answers[i] != nil {
			final = i
		}
	}
	return final
}

// ofDates are the members with dates of what a noun is made of, and what the partner does then.
var ofDates = map[string]struct {
	does    string
	members []string
}{
	"payment request": {"requests a payment", []string{"amount", "dueDate"}},
	"plan":            {"makes a plan", []string{"amount", "startDate", "endDate"}},
}

// dated tells that something was made for a date, on which more depends than on the amount; false where it has none.
func (f *scenario) dated(noun string, body *trail.Body) bool {
	with := ofDates[noun]
	meant := body.Text("dueDate") != "" || noun == "plan" && f.calendar
	if with.does == "" || !meant {
		return false
	}
	f.calendar = true
	f.given("the partner %s with:", with.does)
	for _, member := range with.members {
		if v := body.Get(member); v != nil && strings.TrimSpace(fmt.Sprint(v)) != "" {
			f.lines = append(f.lines, fmt.Sprintf("  | %s | %s |", member, cell.Replace(fmt.Sprint(v))))
		}
	}
	return true
}

// cell takes out of a value what would end its place in a table.
var cell = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", `\`, `\\`)

// idAmong is the id of what a noun is of, "" for none.
func idAmong(list []correlate.Value, noun string) string {
	main := map[string]correlate.Type{
		"company": correlate.Company, "payer": correlate.Registration, "payment request": correlate.Payment, "card authorisation": correlate.Payment, "plan": correlate.Plan,
	}[noun]
	for _, v := range list {
		if v.Type == main {
			return strings.ToLower(v.Text)
		}
	}
	return ""
}

// joins tells that the payer was added to the plan, of which a consent comes that steps can name; false where the story has no such payer,
// or plan.
func (f *scenario) joins(x *recording.Exchange, list []correlate.Value) bool {
	payer, plan := strings.ToLower(trail.ReadBody(x.Body).Text("registrationId")), ""
	for part := range strings.SplitSeq(strings.ToLower(x.Path), "/") {
		if f.known[part] != "" {
			plan = part
		}
	}
	if payer == "" || plan == "" || !f.turn("payer", payer) || !f.turn("plan", plan) {
		return false
	}
	f.passes(false)
	f.article("consent")
	f.when("the partner adds the payer to the plan")
	consent := ""
	for _, v := range list {
		if v.Type == correlate.Consent {
			consent = strings.ToLower(v.Text)
		}
	}
	f.newest("consent", "a", consent)
	return true
}

// asked tells that a payment's status was asked for, where it says something new; false where the story knows no such payment.
func (f *scenario) asked(x *recording.Exchange, status string) bool {
	id := ""
	for part := range strings.SplitSeq(strings.ToLower(x.Path), "/") {
		if f.known[part] != "" {
			id = part
		}
	}
	told, again := f.statuses[id]
	if !again {
		told = "Pending"
	}
	if told == status && (again || f.step != f.final) && id != "" {
		return true
	}
	if id == "" || !f.turn("payment", id) {
		return false
	}
	f.passes(told != status)
	f.statuses[id] = status
	f.when("the partner asks for the payment's status")
	f.then(`the answer's status is "%s"`, status)
	return true
}

// passes tells the time that has passed, if it is long, or if something may have come of it: what comes next
// depends on it, or a payment was made or moved a moment ago.
func (f *scenario) passes(depends bool) {
	if f.waited < time.Second || f.waited < time.Minute && !depends && f.restless == 0 {
		f.waited = 0
		return
	}
	n, unit := f.waited/time.Second, "second"
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if f.waited%u.size == 0 {
			n, unit = f.waited/u.size, u.name
			break
		}
	}
	if n == 1 {
		f.when("1 %s passes", unit)
	} else {
		f.when("%d %ss pass", n, unit)
	}
	f.waited = 0
}

// key tells the idempotency key of a call that another call has, too.
func (f *scenario) key(x *recording.Exchange) {
	key, _ := trail.Header(x.Header, "Idempotency-Key")
	n := 0
	for i := range f.Script.Steps {
		if c := f.Script.Steps[i].Call; c != nil && key != "" {
			if other, _ := trail.Header(c.Exchange.Header, "Idempotency-Key"); other == key {
				n++
			}
		}
	}
	if n > 1 {
		f.given(`the header "Idempotency-Key" is "%s"`, unquoted.Replace(key))
	}
}

// headers tells what of a call's head its refusal is about, and the fault that it is met by.
func (f *scenario) headers(x *recording.Exchange, a *play.Answered) {
	f.key(x)
	switch {
	case f.fault != "":
		f.given(`the next call is met by the fault "%s"`, unquoted.Replace(f.fault))
	case a.Status == http.StatusUnauthorized && !f.token(x):
		f.given(`the header "Authorization" is "Bearer no-longer"`)
	case a.Status == http.StatusUnsupportedMediaType:
		kind, _ := trail.Header(x.Header, "Content-Type")
		f.given(`the header "Content-Type" is "%s"`, unquoted.Replace(cmp.Or(kind, "text/plain")))
	}
}

// used says whether a step after the one in hand is about what an answer shows.
func (f *scenario) used(stands []correlate.Value) bool {
	for i := f.step + 1; i < len(f.Script.Steps); i++ {
		text := f.Script.Steps[i].Text()
		if m := f.Script.Steps[i].Move; m != nil {
			text += m.Path
		}
		for _, v := range stands {
			if strings.Contains(text, v.Text) {
				return true
			}
		}
	}
	return false
}

// lost tells a call whose answer never came: it was carried out, as far as is known, or it was not.
func (f *scenario) lost(call *play.Call) {
	x := &call.Exchange
	if len(x.Body) == 0 {
		f.leave("%s %s: its answer never came, and what was sent is not known", x.Method, f.named(unquoted.Replace(target(x))))
		return
	}
	f.passes(false)
	fault := "commit-then-drop"
	if call.Fault != "" {
		fault = "cut-connection"
	}
	f.given(`the next call is met by the fault "%s"`, fault)
	f.when(`nothing is answered when the client sends "%s %s":`, x.Method, f.named(unquoted.Replace(target(x))))
	f.lines = append(f.lines, docString(f.named(string(x.Body)))...)
	operation, _ := f.Routes.Match(x.Method, x.Path)
	f.paidInVain = f.paidInVain || trail.OperationNamed(operation).RequestsPayment()
}

// counted tells, where the answer to a payment was lost or nothing else is told, how many there are: who pays again without a look at the report
// has one too many.
func (f *scenario) counted() {
	made := map[string]bool{}
	for i := range f.Run.Entries {
		if t := f.Run.Entries[i].Transition; t != nil && t.Machine == "payment" {
			made[t.Entity] = true
		}
	}
	asks := f.then
	if told := slices.ContainsFunc(f.lines, func(line string) bool { return strings.HasPrefix(line, "Then ") }); !told && len(made) > 0 {
		asks = f.when // a scenario in which things are made alone
	} else if !f.paidInVain {
		return
	}
	asks("the partner asks for the transaction report")
	f.then("the answer lists %d transactions", len(made))
}

// head writes what stands above the steps, and what they start from.
func (f *scenario) head(b *strings.Builder, about string) {
	b.WriteString("# Written by paysandbox replay.\n@area:cases @clause:" + about + " @needs:control\nFeature: " + oneLine(f.Title) + "\n\n  Scenario: What the partner reported\n")
	if f.rehearsed || f.Script.World.Environment == "rehearsal" {
		b.WriteString("    Given an integration in environment \"rehearsal\"\n")
	}
	if f.calendar {
		b.WriteString("    Given the clock starts at \"" + f.Script.World.Start.UTC().Format(time.RFC3339) + "\"\n")
	}
	for _, knob := range slices.Sorted(maps.Keys(f.Script.World.Latitude)) {
		fmt.Fprintf(b, "    Given the service's choice of \"%s\" is \"%s\"\n", knob, f.Script.World.Latitude[knob])
	}
}

package writeout

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// subject is the payment that the case is about, which is the last that people or banks did something to, or
// that was asked for or refunded, and the last step that is a call.
func (c *Case) subject(answers map[int]*play.Answered) (payment string, final int) {
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if s.Call != nil && answers[i] != nil {
			final = i
			if _, rest, ok := strings.Cut(s.Call.Exchange.Path, "/Payment/"); ok {
				for part := range strings.SplitSeq(rest, "/") {
					if len(part) > 20 { // an id, no word
						payment = strings.ToLower(part)
					}
				}
			}
		} else if s.Move != nil && strings.HasPrefix(s.Move.Path, "/payments/") && s.Move.Entity != "" {
			payment = strings.ToLower(s.Move.Entity)
		}
	}
	return payment, final
}

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

// has says whether something has a name already.
func (f *scenario) has(name string) bool {
	for _, known := range f.names {
		if known == name {
			return true
		}
	}
	return false
}

// place gives a company's reference and its first location their names.
func (f *scenario) place(x *recording.Exchange, known string, stands []correlate.Value) {
	if ref := trail.ReadBody(x.Body).Text("companyReferenceId"); ref != "" {
		f.names[ref], f.names[strings.ToLower(ref)] = known+"'s reference", known+"'s reference"
	}
	if i := slices.IndexFunc(stands, func(v correlate.Value) bool { return v.Type == correlate.Location }); i >= 0 {
		f.names[stands[i].Text] = strings.Replace(known, "company", "location", 1)
	}
}

// joins tells that the payer was added to the plan, of which a consent comes that steps can name; false where it is another payer,
// or plan.
func (f *scenario) joins(x *recording.Exchange) bool {
	payer := strings.ToLower(trail.ReadBody(x.Body).Text("registrationId"))
	if f.names[payer] != "payer" || !strings.Contains(f.named(strings.ToLower(x.Path)), "{plan}") || f.told["consent"] > 0 {
		return false
	}
	f.told["consent"]++
	f.passes(false)
	f.when("the partner adds the payer to the plan")
	if id := trail.ReadBody(x.Answer.Body).Text("consentId"); id != "" {
		f.names[strings.ToLower(id)] = "consent"
	}
	return true
}

// asked tells that the payment's status was asked for, where it says something new.
func (f *scenario) asked(status string) {
	told, again := f.statuses[f.main]
	if !again {
		told = "Pending"
	}
	if told == status && (again || f.step != f.final) {
		return
	}
	f.passes(told != status)
	f.statuses[f.main] = status
	f.when("the partner asks for the payment's status")
	f.then(`the answer's status is "%s"`, status)
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

// headers tells what of a call's head its refusal is about, and the fault that it is met by.
func (f *scenario) headers(x *recording.Exchange, a *play.Answered) {
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
		f.lines = append(f.lines, "# "+x.Method+" "+f.named(unquoted.Replace(target(x)))+": its answer never came, and what was sent is not known")
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
	f.paidInVain = f.paidInVain || operation == "createPayment"
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

// inVain says whether no answer to a call came to its caller.
func inVain(x *recording.Exchange) bool { return x.Answer.Known == recording.NeverArrived }

// named is a text with the story's names in the place of ids.
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

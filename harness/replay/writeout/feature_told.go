package writeout

import (
	"cmp"
	"net/http"
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

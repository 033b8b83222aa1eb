package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// verification is how long the verification of a company takes at most, by the specification.
const verification = 24 * time.Hour

// unverified is a company that the files show as Unverified to their end.
type unverified struct {
	id string
	// made is the call that made it, -1 where none is shown; last is the last that shows its status.
	made, last int
}

// companyStatus is the path of a company's status, by its id or the partner's own reference.
var companyStatus = trail.Pattern(`(?i)^/company/([^/]+)/status$`)

// stillUnverified are those, in the order of their last calls.
func stillUnverified(r *recording.Recording) []unverified {
	var list []unverified
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		u, ok := statusAt(r, i)
		if !ok {
			continue
		}
		about := u.id
		if u.made >= 0 {
			about = strings.ToLower(trail.ReadBody(r.Exchanges[u.made].Answer.Body).Text("companyId"))
		}
		status := trail.ReadBody(x.Answer.Body).Text("status")
		list = slices.DeleteFunc(list, func(other unverified) bool { return other.id == u.id && status != "" })
		heard := slices.ContainsFunc(r.Received, func(w recording.Received) bool {
			told := compare.Tell(w.Body)
			return told.Name == trail.CompanyEvent && told.About == about && told.Says != "Unverified"
		})
		if status == "Unverified" && !heard {
			list = append(list, u)
		}
	}
	return list
}

// statusAt is the company of which a call shows the status, and whether it does.
func statusAt(r *recording.Recording, i int) (unverified, bool) {
	x := &r.Exchanges[i]
	found := companyStatus().FindStringSubmatch(x.Path)
	if source.MethodOf(x.Path) != "GET" || found == nil || x.Answer.Status != 200 {
		return unverified{}, false
	}
	u := unverified{strings.ToLower(found[1]), -1, i}
	u.made = slices.IndexFunc(r.Exchanges[:i], u.madeBy)
	return u, true
}

// madeBy says whether a call made the company, by its id or the partner's own reference.
func (u unverified) madeBy(x recording.Exchange) bool {
	answer := trail.ReadBody(x.Answer.Body)
	return strings.EqualFold(answer.Text("companyId"), u.id) || answer.Text("companyId") != "" && strings.EqualFold(trail.ReadBody(x.Body).Text("companyReferenceId"), u.id)
}

// age is how old the company was at the last call, and whether the files tell: one clock has told both times.
func (u unverified) age(r *recording.Recording) (time.Duration, bool) {
	if u.made < 0 {
		return 0, false
	}
	made, last := &r.Exchanges[u.made], &r.Exchanges[u.last]
	return last.Begin.Sub(made.Begin), !made.Begin.IsZero() && !last.Begin.IsZero() && made.Place.Source == last.Place.Source
}

// lasting is a time in hours and minutes, or in seconds where it is shorter.
func lasting(d time.Duration) string {
	if d < time.Minute {
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// overdue are the verifications that have taken longer than they may, each told once: at the first call that still shows the
// company as Unverified, else at the webhook that tells of its end.
func overdue(r *recording.Recording) []Fault {
	o := overdues{rec: r, told: map[string]bool{}}
	for i := range r.Exchanges {
		o.shown(i)
	}
	for i := range r.Received {
		o.heard(i)
	}
	return o.list
}

// overdues collects them; told are the companies, by all their names.
type overdues struct {
	rec  *recording.Recording
	list []Fault
	told map[string]bool
}

// shown looks at a call that shows a company's status.
func (o *overdues) shown(i int) {
	x := &o.rec.Exchanges[i]
	u, ok := statusAt(o.rec, i)
	if !ok || o.told[u.id] || trail.ReadBody(x.Answer.Body).Text("status") != "Unverified" {
		return
	}
	if age, known := u.age(o.rec); known && age > verification+time.Minute {
		o.add(&u, Fault{N: i, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{u.made + 1, i + 1}}, fmt.Sprintf("the company %s is still Unverified, %s", u.id, lasting(age)))
	}
}

// heard looks at a webhook that tells how a verification ended.
func (o *overdues) heard(i int) {
	w := &o.rec.Received[i]
	event := compare.Tell(w.Body)
	u := unverified{id: event.About}
	if event.Name != trail.CompanyEvent || u.id == "" || o.told[u.id] || w.Signature == recording.Wrong {
		return
	}
	at := source.Time(trail.ReadBody(w.Body).Object("Data").Text("Timestamp"))
	if u.made = slices.IndexFunc(o.rec.Exchanges, u.madeBy); u.made < 0 || at.IsZero() {
		return
	}
	made := &o.rec.Exchanges[u.made]
	if age := at.Sub(made.Begin); !made.Begin.IsZero() && age > verification+clocksApart && w.Place.Source == made.Place.Source {
		o.add(&u, Fault{N: play.Prelude, Heard: i + 1, Place: w.Place, Call: fmt.Sprintf("webhook %d", i+1), Calls: []int{u.made + 1}, Webhooks: []int{i + 1}},
			fmt.Sprintf("the company %s was told to be %s, %s", u.id, event.Says, lasting(age)))
	}
}

func (o *overdues) add(u *unverified, f Fault, says string) {
	o.told[u.id], o.told[strings.ToLower(trail.ReadBody(o.rec.Exchanges[u.made].Answer.Body).Text("companyId"))] = true, true
	f.Side, f.Clause, f.Fix = Service, "company.kyb.verified", "report it to the service, with this case; until it is Verified nothing can be collected for the company"
	f.What = says + fmt.Sprintf(" after call %d made it; a verification takes up to 24 hours", u.made+1)
	o.list = append(o.list, f)
}

// endless are the webhooks that tell of a verification what no event may: that it has not ended. Those whose signature proves that the
// service has sent them are its fault.
func endless(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Received {
		w := &r.Received[i]
		event := compare.Tell(w.Body)
		if event.Name != trail.CompanyEvent || event.Says == "" || recording.Struck(event.Says) || slices.Contains([]string{"Verified", "Rejected"}, event.Says) {
			continue
		}
		f := Fault{
			Side: Undecidable, N: play.Prelude, Heard: i + 1, Place: w.Place, Call: fmt.Sprintf("webhook %d", i+1), Webhooks: []int{i + 1},
			What: fmt.Sprintf("it tells that the company %s is %s, and an event is sent when a verification ends, as Verified or Rejected", event.About, event.Says),
			Fix:  "its signature, and the secret of the endpoint, to tell whether the service has sent it",
		}
		if w.Signature == recording.Valid {
			f.Side, f.Clause, f.Fix = Service, "event.company", "report it to the service, with this case; its signature is the service's"
		}
		list = append(list, f)
	}
	return list
}

// clocksApart is how much the clock of a file may differ from the service's, by which events are dated.
const clocksApart = 15 * time.Minute

// verifying tells of companies whose verification may go on.
func (in *Input) verifying() []notable {
	var list []notable
	for _, u := range stillUnverified(in.Recording) {
		age, told := u.age(in.Recording)
		n := notable{
			says: fmt.Sprintf("the company %s is Unverified at call %d, the last that shows its status", u.id, u.last+1),
			do:   "that a company stays Unverified for up to 24 hours is usual, outside of the sandbox: wait for COMPANY_VERIFICATION_STATUS_CHANGED, or ask for its status every few minutes; after more than 24 hours it is the service's to look into",
		}
		if told && age <= verification {
			n.says += fmt.Sprintf(", %s after call %d made it: a verification takes up to 24 hours, here until %s", lasting(max(age, 0)), u.made+1, in.Recording.Exchanges[u.made].Begin.Add(verification).UTC().Format("2006-01-02 15:04 UTC"))
		} else {
			n.says += "; when it was made the files do not tell: a verification takes up to 24 hours from then"
		}
		list = append(list, n)
	}
	return list
}

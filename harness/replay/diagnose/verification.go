package diagnose

import (
	"cmp"
	"fmt"
	"maps"
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

// unverified is a company whose status a call shows.
type unverified struct {
	id string
	// made is the call that made it, -1 where none is shown before; last is the call that shows its status.
	made, last int
	status     string
}

// companyStatus is the path of a company's status, by its id or the partner's own reference.
var companyStatus = trail.Pattern(`(?i)^/company/([^/]+)/status$`)

// companies are those that calls have made: by their ids and by the partner's own references, in small letters, which call did.
type companies struct {
	made map[string]int
	ids  map[int]string
}

func companiesOf(r *recording.Recording) companies {
	c := companies{map[string]int{}, map[int]string{}}
	for i := range r.Exchanges {
		id := strings.ToLower(trail.ReadBody(r.Exchanges[i].Answer.Body).Text("companyId"))
		if id == "" {
			continue
		}
		c.ids[i] = id
		for _, name := range []string{id, strings.ToLower(trail.ReadBody(r.Exchanges[i].Body).Text("companyReferenceId"))} {
			if _, known := c.made[name]; !known && name != "" {
				c.made[name] = i
			}
		}
	}
	return c
}

// by is the call before another that made a company, -1 for none.
func (c companies) by(name string, before int) int {
	if at, known := c.made[name]; known && at < before {
		return at
	}
	return -1
}

// statuses are those that calls show, in their order.
func (c companies) statuses(r *recording.Recording) []unverified {
	var list []unverified
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		found := companyStatus().FindStringSubmatch(x.Path)
		if source.MethodOf(x.Path) == "GET" && found != nil && x.Answer.Status == 200 {
			id := strings.ToLower(found[1])
			list = append(list, unverified{id, c.by(id, i), i, trail.ReadBody(x.Answer.Body).Text("status")})
		}
	}
	return list
}

// stillUnverified are those that the files show as Unverified to their end, in the order of their last calls.
func stillUnverified(r *recording.Recording) []unverified {
	ended := map[string]bool{}
	for i := range r.Received {
		if told := compare.Tell(r.Received[i].Body); told.Name == trail.CompanyEvent && told.Says != "Unverified" {
			ended[told.About] = true
		}
	}
	c, open := companiesOf(r), map[string]unverified{}
	for _, u := range c.statuses(r) {
		if u.status != "" {
			delete(open, u.id)
		}
		if u.status == "Unverified" && !ended[cmp.Or(c.ids[u.made], u.id)] {
			open[u.id] = u
		}
	}
	return slices.SortedFunc(maps.Values(open), func(a, b unverified) int { return a.last - b.last })
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
	o := overdues{companiesOf(r), r, nil, map[int]bool{}}
	for _, u := range o.statuses(r) {
		o.shown(&u)
	}
	for i := range r.Received {
		o.heard(i)
	}
	return o.list
}

// overdues collects them; told are the calls that made the companies.
type overdues struct {
	companies
	rec  *recording.Recording
	list []Fault
	told map[int]bool
}

// shown looks at a call that shows a company's status.
func (o *overdues) shown(u *unverified) {
	if age, known := u.age(o.rec); known && u.status == "Unverified" && age > verification+time.Minute {
		x := &o.rec.Exchanges[u.last]
		o.add(u.made, Fault{N: u.last, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{u.made + 1, u.last + 1}}, fmt.Sprintf("the company %s is still Unverified, %s", u.id, lasting(age)))
	}
}

// heard looks at a webhook that tells how a verification ended.
func (o *overdues) heard(i int) {
	w := &o.rec.Received[i]
	event := compare.Tell(w.Body)
	by, known := o.made[event.About]
	at := source.Time(trail.ReadBody(w.Body).Object("Data").Text("Timestamp"))
	if event.Name != trail.CompanyEvent || !known || at.IsZero() || w.Signature == recording.Wrong {
		return
	}
	made := &o.rec.Exchanges[by]
	if age := at.Sub(made.Begin); !made.Begin.IsZero() && age > verification+clocksApart && w.Place.Source == made.Place.Source {
		o.add(by, Fault{N: play.Prelude, Heard: i + 1, Place: w.Place, Call: fmt.Sprintf("webhook %d", i+1), Calls: []int{by + 1}, Webhooks: []int{i + 1}},
			fmt.Sprintf("the company %s was told to be %s, %s", event.About, event.Says, lasting(age)))
	}
}

func (o *overdues) add(made int, f Fault, says string) {
	if o.told[made] {
		return
	}
	o.told[made] = true
	f.Side, f.Clause, f.Fix = Service, "company.kyb.verified", "report it to the service, with this case; until it is Verified nothing can be collected for the company"
	f.What = says + fmt.Sprintf(" after call %d made it; a verification takes up to 24 hours", made+1)
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

// skipped are the occurrences of plans that fell into a pause, and that nothing was collected for: whether that is made good is
// left open.
func (in *Input) skipped() []notable {
	var list []notable
	all := in.Recording.Exchanges
	plans := map[string]*plan{}
	for i := range all {
		x := &all[i]
		parts := strings.Split(x.Path, "/")
		if x.Answer.Status/100 != 2 || len(parts) < 3 || !strings.EqualFold(parts[1], "PaymentPlan") {
			continue
		}
		id := strings.ToLower(parts[2])
		if made := strings.ToLower(trail.ReadBody(x.Answer.Body).Text("paymentPlanId")); made != "" {
			id = made
		}
		p := plans[id]
		if p == nil {
			p = &plan{paused: -1}
			plans[id] = p
		}
		p.learn(trail.ReadBody(x.Body))
		p.learn(trail.ReadBody(x.Answer.Body))
		switch last := strings.ToLower(parts[len(parts)-1]); {
		case last == "pause":
			p.paused = i
		case last == "activate" && p.paused >= 0:
			if day := p.due(all[p.paused].Begin, x.Begin); !day.IsZero() {
				list = append(list, notable{
					fmt.Sprintf("the plan was paused by call %d: what was due on %s fell into the pause, and is not collected when the plan goes on (call %d)", p.paused+1, day.Format(time.DateOnly), i+1),
					"the specification says that a paused plan asks for nothing, and leaves open whether what fell due then is made good: here it is not; request a payment of its own for it, and wait for no other",
				})
			}
			p.paused = -1
		}
	}
	return list
}

// plan is what is known of one: when it begins, in which steps it goes on, and which call has paused it.
type plan struct {
	start  time.Time
	unit   string
	steps  int
	paused int
}

// steps are the units of an interval.
var steps = map[string]struct{ months, days int }{"day": {days: 1}, "week": {days: 7}, "month": {months: 1}, "year": {months: 12}}

func (p *plan) learn(b trail.Body) {
	if at := source.Time(b.Text("startDate")); !at.IsZero() {
		p.start = at
	} else if day, err := time.Parse(time.DateOnly, b.Text("startDate")); err == nil {
		p.start = day
	}
	if unit := strings.ToLower(b.Text("intervalUnit")); unit != "" {
		p.unit = unit
	}
	if n, told := b.Whole("intervalValue"); told && n > 0 && n < 1000 {
		p.steps = int(n)
	}
}

// due is the first day between two moments at whose batch, at 11:00 in Los Angeles, something of the plan was due; none where it is not sure.
func (p *plan) due(from, to time.Time) time.Time {
	if p.start.IsZero() || p.steps == 0 || from.IsZero() || to.IsZero() || steps[p.unit].months > 0 && p.start.Day() > 28 {
		return time.Time{}
	}
	step, known := steps[p.unit]
	if !known {
		return time.Time{}
	}
	const early, late = 18, 19 // the hour of the batch in UTC, in summer and in winter
	day := p.start
	for range 4000 {
		switch {
		case !day.Add(early * time.Hour).Before(to):
			return time.Time{}
		case day.Add(early*time.Hour).After(from) && day.Add(late*time.Hour).Before(to):
			return day
		}
		day = day.AddDate(0, step.months*p.steps, step.days*p.steps)
	}
	return time.Time{}
}

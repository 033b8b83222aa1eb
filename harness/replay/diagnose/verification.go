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
	c.unnamed(r)
	return c
}

// unnamed takes the only company of whose creation no file shows what was sent for the only one that is read behind it, and that
// nothing shown has made: one that is older has been Unverified for longer still.
func (c companies) unnamed(r *recording.Recording) {
	made, name := -1, ""
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if strings.HasSuffix(strings.ToLower(x.Path), "/company/create") && x.Answer.Status == 200 && x.BodyMissing {
			if made >= 0 {
				return
			}
			made = i
			continue
		}
		found := companyStatus().FindStringSubmatch(x.Path)
		if source.MethodOf(x.Path) != "GET" || found == nil || x.Answer.Status != 200 {
			continue
		}
		read := strings.ToLower(found[1])
		if _, known := c.made[read]; known || read == name {
			continue
		}
		if made < 0 || name != "" {
			return
		}
		name = read
	}
	if made >= 0 && name != "" {
		c.made[name] = made
	}
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

// ofFirst tells of calls for the status of a company that name none, where the files make another one than that which is answered for.
func (in *Input) ofFirst() []notable {
	ids := companiesOf(in.Recording).ids
	for i := range in.Run.Answers {
		a := &in.Run.Answers[i]
		if a.N < 0 || a.Operation != "getDefaultCompanyStatus" || in.Recording.Exchanges[a.N].Query != "" {
			continue
		}
		told := strings.ToLower(trail.ReadBody(in.Recording.Exchanges[a.N].Answer.Body).Text("CompanyId"))
		for n := a.N - 1; n >= 0 && told != ""; n-- {
			if id := ids[n]; id != "" && id != told {
				return []notable{{
					fmt.Sprintf("call %d names no company, so it is answered for the integration's first one, %s, and not for %s, which call %d has made", a.N+1, told, id, n+1),
					"ask with /Company/{companyReferenceId}/Status, or with ?companyId=: which company is meant without one the specification does not say (company-status-target)",
				}}
			}
		}
	}
	return nil
}

// payerStatus is the path of a payer's status.
var payerStatus = trail.Pattern(`(?i)^/user/([^/]+)/status$`)

// unfinished are the payers whose last status is Pending: the page of their registration was not gone through to its end.
func (in *Input) unfinished() []notable {
	last, order := map[string]int{}, []string{}
	for i := range in.Recording.Exchanges {
		x := &in.Recording.Exchanges[i]
		if found := payerStatus().FindStringSubmatch(x.Path); found != nil && x.Answer.Status == 200 {
			id := strings.ToLower(found[1])
			if _, known := last[id]; !known {
				order = append(order, id)
			}
			last[id] = i
		}
	}
	var list []notable
	for _, id := range order {
		x := &in.Recording.Exchanges[last[id]]
		if trail.ReadBody(x.Answer.Body).Text("status") != "Pending" {
			continue
		}
		n := notable{
			fmt.Sprintf("the payer %s is Pending at call %d, the last that shows their status: no bank account is linked yet", id, last[id]+1),
			"Pending becomes Registered when the payer has linked a bank account on the page of the registrationUrl: send them its address again",
		}
		in.finishedAsAnother(id, last, &n)
		list = append(list, n)
	}
	return list
}

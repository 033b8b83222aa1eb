package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/kyb"
	"paysandbox/harness/replay/pages"
	"paysandbox/harness/replay/payers"
	"paysandbox/harness/replay/plans"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// verification is how long the verification of a company takes at most, by the specification.
const verification = 24 * time.Hour

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
	o := overdues{kyb.Of(r), r, nil, map[int]bool{}}
	for _, u := range o.Statuses(r) {
		o.shown(&u)
	}
	for i := range r.Received {
		o.heard(i)
	}
	return o.list
}

// overdues collects them; told are the calls that made the companies.
type overdues struct {
	kyb.Companies
	rec  *recording.Recording
	list []Fault
	told map[int]bool
}

// shown looks at a call that shows a company's status.
func (o *overdues) shown(u *kyb.Shown) {
	if age, known := u.Age(o.rec); known && u.Status == "Unverified" && age > verification+time.Minute {
		o.add(u.Made, Fault{N: u.Last, Calls: []int{u.Made + 1, u.Last + 1}}.placed(o.rec), fmt.Sprintf("the company %s is still Unverified, %s", u.ID, lasting(age)))
	}
}

// heard looks at a webhook that tells how a verification ended.
func (o *overdues) heard(i int) {
	w := &o.rec.Received[i]
	event := compare.Tell(w.Body)
	by, known := o.Made[event.About]
	at := source.Time(trail.ReadBody(w.Body).Object("Data").Text("Timestamp"))
	if event.Name != trail.CompanyEvent || !known || at.IsZero() || w.Signature == recording.Wrong {
		return
	}
	made := &o.rec.Exchanges[by]
	if age := at.Sub(made.Begin); !made.Begin.IsZero() && age > verification+clocksApart && w.Place.Source == made.Place.Source {
		o.add(by, Fault{Heard: i + 1, Calls: []int{by + 1}, Webhooks: []int{i + 1}}.placed(o.rec),
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
			Side: Undecidable, Heard: i + 1, Webhooks: []int{i + 1},
			What: fmt.Sprintf("it tells that the company %s is %s, and an event is sent when a verification ends, as Verified or Rejected", event.About, event.Says),
			Fix:  "its signature, and the secret of the endpoint, to tell whether the service has sent it",
		}.placed(r)
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
	for _, u := range kyb.Unverified(in.Recording) {
		age, told := u.Age(in.Recording)
		n := notable{
			says: fmt.Sprintf("the company %s is Unverified at call %d, the last that shows its status", u.ID, u.Last+1),
			do:   "that a company stays Unverified for up to 24 hours is usual, outside of the sandbox: wait for COMPANY_VERIFICATION_STATUS_CHANGED, or ask for its status every few minutes; after more than 24 hours it is the service's to look into",
		}
		if told && age <= verification {
			n.says += fmt.Sprintf(", %s after call %d made it: a verification takes up to 24 hours, here until %s", lasting(max(age, 0)), u.Made+1, in.Recording.Exchanges[u.Made].Begin.Add(verification).UTC().Format("2006-01-02 15:04 UTC"))
		} else {
			n.says += "; when it was made the files do not tell: a verification takes up to 24 hours from then"
		}
		list = append(list, n)
	}
	return list
}

// ofFirst tells of calls for the status of a company that name none, where the files make another one than that which is answered for.
func (in *Input) ofFirst() []Fault {
	ids := kyb.Of(in.Recording).IDs
	for i := range in.Run.Answers {
		a := &in.Run.Answers[i]
		if a.N < 0 || a.Operation != "getDefaultCompanyStatus" || in.Recording.Exchanges[a.N].Query != "" {
			continue
		}
		told := strings.ToLower(trail.ReadBody(in.Recording.Exchanges[a.N].Answer.Body).Text("CompanyId"))
		for n := a.N - 1; n >= 0 && told != ""; n-- {
			if id := ids[n]; id != "" && id != told {
				return []Fault{Fault{
					Side: Choice, N: a.N, Calls: []int{n + 1, a.N + 1}, Knob: ofDefault,
					What: fmt.Sprintf("it names no company, so it is answered for the integration's first one, %s, and not for %s, which call %d has made", told, id, n+1),
					Fix:  "ask with /Company/{companyReferenceId}/Status, or with ?companyId=: which company is meant without one the specification does not say",
				}.placed(in.Recording)}
			}
		}
	}
	return nil
}

// ofDefault is the choice of a service that tells the status of the integration's first company where a call names none.
const ofDefault = "company-status-target=default-company"

// toFirst is the first payment that names no company, where the integration has several and an answer shows that the first of them got it:
// which company is meant the specification leaves open.
func (in *Input) toFirst() []Fault {
	first := ""
	for a, x := range in.Run.Granted(in.Recording) {
		told := trail.ReadBody(x.Answer.Body)
		if list := told.List("companies"); len(list) > 1 {
			first = list[0].Text("name")
		}
		to := told.Text("recipientName")
		if a.Operation != "getTransaction" || first == "" || to != first {
			continue
		}
		for n := range in.Recording.Exchanges[:a.N] {
			made := &in.Recording.Exchanges[n]
			sent := trail.ReadBody(made.Body)
			if id := trail.ReadBody(made.Answer.Body).Text("paymentRequestId"); id == "" || made.BodyMissing || !strings.Contains(strings.ToLower(x.Path), strings.ToLower(id)) {
				continue
			}
			if sent.Text("amount") == "" && len(sent) == 0 || sent.Text("locationId")+sent.Text("companyId")+sent.Text("companyReferenceId")+sent.Text("merchantId")+sent.Text("paymentMethodId") != "" {
				continue
			}
			return []Fault{Fault{
				Side: Choice, N: n, Calls: []int{n + 1, a.N + 1}, Knob: toDefault,
				What: fmt.Sprintf("it names neither a location nor a company, so the money goes to the integration's first company, as call %d shows: a payer belongs to no company", a.N+1),
				Fix:  "send locationId, companyId or companyReferenceId with each payment: whose it is without one the specification does not say",
			}.placed(in.Recording)}
		}
	}
	return nil
}

// toDefault is the choice of a service that gives the integration's first company what names none.
const toDefault = "payment-company=location-first"

// unfinished are the payers whose last status is Pending: the page of their registration was not gone through to its end.
func (in *Input) unfinished() []notable {
	last, order := payers.Shown(in.Recording)
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

// collectedAfter are the payments of plans from payers who had ended their consent, and of plans that were paused or over: the service's.
func collectedAfter(r *recording.Recording) []Fault {
	var list []Fault
	for _, c := range plans.Wrongly(r) {
		list = append(list, Fault{
			Side: Service, Heard: c.Heard, Clause: "plan.occurrence", Calls: []int{c.Call + 1}, Webhooks: []int{c.Heard},
			What: fmt.Sprintf("the plan %s has collected %d for its date %s, %s", c.Plan, c.Cents, c.Due.Format(time.DateOnly), c.Why),
			Fix:  fmt.Sprintf("report it to the service, with this case: a plan collects on its dates, while it is Active, from payers whose consent is Accepted; until then refund the payment %s", c.Payment),
		}.placed(r))
	}
	return list
}

// tooEarly are the payments that were collected before the day that they were asked for: the service's.
func tooEarly(r *recording.Recording) []Fault {
	var list []Fault
	for _, e := range plans.TooEarly(r) {
		w := &r.Received[e.Heard-1]
		list = append(list, Fault{
			Side: Service, Heard: e.Heard, Clause: "payment.status.scheduled", Calls: []int{e.Call + 1}, Webhooks: []int{e.Heard},
			What: fmt.Sprintf("the payment %s was collected at %s UTC, and call %d had asked for it for %s", e.Payment, w.At.UTC().Format("2006-01-02 15:04"), e.Call+1, e.Due.Format(time.DateOnly)),
			Fix:  "report it to the service, with this case: what is due on a day is collected on that day, and not before",
		}.placed(r))
	}
	return list
}

// wrongRows are the pages of reports that repeat rows of those before them, and the rows of other companies: the service's.
func wrongRows(r *recording.Recording) []Fault {
	var list []Fault
	for _, p := range pages.Of(r) {
		f := Fault{
			Side: Service, N: p.Second, Clause: "transaction.report", Calls: []int{p.First + 1, p.Second + 1},
			What: fmt.Sprintf("it goes on behind call %d by the cursor that was told, and repeats %d of its rows, the first of them the transfer %s", p.First+1, p.Rows, p.ID),
			Fix:  "report it to the service, with this case; until then count each externalTransferId once: a row that stands on two pages is one transfer, and nobody has paid twice",
		}.placed(r)
		if p.Stays {
			f.What += "; the cursor that it tells for the next page is the one by which it was asked for, so that no call comes to what is behind it"
			f.Fix += "; what is behind it can be asked for by smaller spans of from and to"
		}
		list = append(list, f)
	}
	for _, p := range pages.OfOthers(r) {
		list = append(list, Fault{
			Side: Service, N: p.Call, Clause: "transaction.report", Calls: []int{p.List + 1, p.Call + 1},
			What: fmt.Sprintf("it asks for the report of %s, and is told of the transfer %s, which is money for %s", p.Asked, p.ID, p.Recipient),
			Fix:  "report it to the service, with this case: a company's report lists its own; it is one transfer, and nobody has paid twice",
		}.placed(r))
	}
	return list
}

// contradicted are states that no move leads to: the service has told one of them
// wrongly.
func contradicted(in *Input) []Fault {
	clauses := map[string]string{
		"payment": "payment.status.machine", "company": "company.kyb.final", "card-authorisation": "payment.card-auth.machine",
		"plan": "plan.status.machine", "consent": "consent.machine", "saved-card-charge": "payment.status.machine", "registration": "user.status.registered",
	}
	var list []Fault
	for i := range in.Contradictions {
		c := &in.Contradictions[i]
		f := Fault{Side: Service, N: c.N, Heard: c.Heard, Clause: clauses[c.Machine], What: c.Text(), Fix: "report it to the service, with this case"}
		if c.Machine == "payment" && c.Before == "Canceled" {
			f.Clause = "payment.status.canceled-stays"
		}
		if e := &c.Earlier; e.Heard > 0 {
			f.Webhooks = append(f.Webhooks, e.Heard)
		} else if e.ID != "" && e.N >= 0 && e.N != c.N {
			f.Calls = append(f.Calls, e.N+1)
		}
		if c.Heard > 0 {
			f.Webhooks = append(f.Webhooks, c.Heard)
		} else {
			f.Calls = append(f.Calls, c.N+1)
		}
		list = append(list, f.placed(in.Recording))
	}
	return list
}

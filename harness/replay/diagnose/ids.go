package diagnose

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/made"
	"paysandbox/harness/replay/payers"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// verifiedFirst is the clause by which nothing is charged for a company before it is Verified.
const verifiedFirst = "partner.company.verified-first"

// soundest is what is right under each choice of the service, where one of them refuses what another takes.
var soundest = map[string]string{
	"collect-unverified=refused": "keep what is to be charged until COMPANY_VERIFICATION_STATUS_CHANGED says Verified, or the status does",
	"idempotency=honoured":       "send a fresh Idempotency-Key with each payment, refund and charge, and the same with a repetition alone",
}

// allowed says whether a call came too early for its company, or with a key that another had, and was refused for that by a choice
// of the service alone.
func (in *Input) allowed(f Fault) bool {
	return (f.Clause == verifiedFirst || f.Clause == "partner.idempotency.fresh-key") && in.chosen(f)
}

// answered names, where a call was refused for an id, the earlier call whose answer has one of the kind.
func (in *Input) answered(f *Fault) {
	if f.Side == Partner && f.Clause == verifiedFirst {
		f.Fix += "; a verification takes up to 24 hours, in the sandbox alone no time"
	}
	if instead := soundest[f.Knob]; f.Side == Choice && instead != "" {
		f.Fix = instead + ": " + f.Fix
	}
	if f.Side != Partner || !f.refusal || f.N < 0 || f.Fix == "" || in.Recording.Exchanges[f.N].Elsewhere != "" {
		return
	}
	kind := f.wants(in.Recording.Exchanges[f.N].Answer.Status)
	if !slices.Contains([]correlate.Type{correlate.Company, correlate.Location, correlate.Registration, correlate.Payment, correlate.Plan, correlate.Consent, correlate.Card}, kind) {
		return
	}
	if told := made.IDsBefore(in.Recording, in.Run, f.N, kind); len(told) > 0 && len(told) <= mostIDs {
		f.Fix += ": " + strings.Join(told, ", or ")
	}
}

// slashed tells of a path that no operation has, where a reference stands in it whose slash divides it.
func (f *Fault) slashed(r *recording.Recording) {
	if f.Clause != "error.unknown-path" || f.N < 0 || f.Heard > 0 {
		return
	}
	for i := range r.Exchanges {
		ref := trail.ReadBody(r.Exchanges[i].Body).Text("companyReferenceId")
		if strings.Contains(ref, "/") && strings.Contains(strings.ToLower(r.Exchanges[f.N].Path), "/"+strings.ToLower(ref)+"/") {
			f.Fix = fmt.Sprintf("the slash of the reference %s divides the path: escape it there, as %s, or name the company by its id", ref, url.PathEscape(ref))
			return
		}
	}
}

// wants is the type of the id that a call was refused for: of the member, of the first that it lacks, or, where it names what is not
// there, of its operation.
func (f *Fault) wants(status int) correlate.Type {
	switch lacks := lacksID().FindStringSubmatch(f.What); {
	case f.Pointer != "":
		return correlate.TypeAt(f.Operation, f.Pointer)
	case lacks != nil:
		return correlate.TypeAt(f.Operation, "/"+lacks[1])
	case status == 404:
		return correlate.Type(trail.OperationNamed(f.Operation).Kind)
	default:
		return ""
	}
}

// lacksID is what is said of a request that has none of some members, the first of which is an id.
var lacksID = trail.Pattern(`the request has no ([a-z]+Id)\b`)

// mostIDs is how many ids are named where one of them is what a call lacks.
const mostIDs = 3

// byItself tells, of a consent that is over, by which call of the partner it is.
func (f *Fault) byItself(r *recording.Recording, machine string) {
	if machine != "consent" {
		return
	}
	f.Fix = "a consent that was declined after it was given is revoked for good: ask the payer for a new one"
	for n := f.N - 1; n >= 0; n-- {
		if x, again := &r.Exchanges[n], &r.Exchanges[f.N]; x.Method == again.Method && strings.EqualFold(x.Path, again.Path) && x.Answer.Status/100 == 2 {
			f.Calls = append([]int{n + 1}, f.Calls...)
			f.What += fmt.Sprintf("; call %d, the same, has ended it", n+1)
			return
		}
	}
}

// anothersLinks are the answers whose link is that of something else which another call has made, and not of what this one has.
func anothersLinks(r *recording.Recording, run *play.Run) []Fault {
	var faults []Fault
	for _, l := range made.LinksOfOthers(r, run) {
		faults = append(faults, Fault{
			Side: Service, N: l.Call, Clause: trail.OperationNamed(l.Operation).Clause, Operation: l.Operation, Pointer: l.Pointer,
			Calls: []int{l.Call + 1, l.Other + 1},
			What:  fmt.Sprintf("it has made %s, and its %s is the link of %s, which call %d has made", l.Own, l.Pointer, l.Named, l.Other+1),
			Fix:   "report it to the service, with this case: whoever is sent this link acts for somebody else; do not pass it on",
		}.placed(r))
	}
	return faults
}

// unfiltered are the rows of a report that the call had not asked for, by its query.
func unfiltered(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		query, err := url.ParseQuery(x.Query)
		if err != nil || x.Answer.Status != 200 || !strings.EqualFold(strings.TrimSuffix(x.Path, "/"), "/Transaction/Report") {
			continue
		}
		asked := ""
		for name, values := range query {
			if strings.EqualFold(name, "status") && len(values) == 1 && slices.Contains(ofReports, spelling(values[0])) {
				asked = spelling(values[0])
			}
		}
		other, first := 0, ""
		for _, row := range trail.ReadBody(x.Answer.Body).List("transactions") {
			if status := row.Text("status"); asked != "" && status != "" && spelling(status) != asked {
				if other++; first == "" {
					first = fmt.Sprintf("%s, which is %s", row.Text("paymentRequestId"), status)
				}
			}
		}
		if other > 0 {
			list = append(list, Fault{
				Side: Service, N: i, Clause: "transaction.report.status", Calls: []int{i + 1},
				What: fmt.Sprintf("it asked for transactions that are %s, and its answer has %d of another status, the first %s", asked, other, first),
				Fix:  "report it to the service, with this case; until then look at the status of each row",
			}.placed(r))
		}
	}
	return list
}

// ofReports are the statuses of a report, by which alone it can be known what a row has to have.
var ofReports = []string{"created", "pending", "processed", "completed", "canceled", "failed"}

// spelling is a status as it is compared: both spellings of canceled are published.
func spelling(status string) string {
	return strings.Replace(strings.ToLower(status), "cancelled", "canceled", 1)
}

// canceledBy tells, of a payment that cannot be canceled since it is, that nobody knows who has canceled it, where no call has.
func (f *Fault) canceledBy(r *recording.Recording, id, state string) {
	if state != "Canceled" || slices.ContainsFunc(r.Exchanges[:f.N], func(x recording.Exchange) bool {
		path := strings.ToLower(x.Path)
		return strings.Contains(path, id) && strings.HasSuffix(path, "/cancel") && (x.Answer.Status/100 == 2 || x.Answer.Known != recording.Whole)
	}) {
		return
	}
	f.Side, f.Clause = Undecidable, ""
	f.What += ", and no call that is shown has canceled it"
	f.Fix = "who canceled it: what else calls with these credentials, who works in the service's back office, and what the service itself has noted of it"
}

// unmasked are the events and answers that show more of an account's number than its last four figures.
func unmasked(r *recording.Recording) []Fault {
	const what = "it shows the account's number with %d figures, expected a mask with its last four"
	var list []Fault
	for i := range r.Received {
		w := &r.Received[i]
		if n := figures(trail.ReadBody(w.Body).Object("Data").Text("AccountNumberMasked")); n > 4 && w.Signature != recording.Wrong {
			list = append(list, Fault{
				Side: Service, Heard: i + 1, Clause: "event.payment.shape", Webhooks: []int{i + 1}, Pointer: "/Data/AccountNumberMasked",
				What: fmt.Sprintf(what, n), Fix: "report it to the service, with this case; strike the number out wherever it was kept",
			}.placed(r))
		}
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if n := figures(trail.ReadBody(x.Answer.Body).Text("accountMask")); n > 4 {
			list = append(list, Fault{
				Side: Service, N: i, Clause: "user.status.account-mask", Calls: []int{i + 1}, Pointer: "/accountMask",
				What: fmt.Sprintf(what, n), Fix: "report it to the service, with this case; strike the number out wherever it was kept",
			}.placed(r))
		}
	}
	return list
}

// figures is how many figures a number has that stands alone or behind asterisks, 0 for another text.
func figures(mask string) int {
	n := strings.TrimLeft(mask, "*")
	if strings.Trim(n, "0123456789") != "" {
		return 0
	}
	return len(n)
}

// ofOperation is a fault in the shape of an answer that no clause of its own describes, with the operation's clause besides.
func (f Fault) ofOperation(run *play.Run) Fault {
	if a := run.Of(f.N); f.Clause == "wire.response-names" && a != nil {
		f.Also = append(f.Also, trail.OperationNamed(a.Operation).Clause)
	}
	return f
}

// finishedAsAnother tells of a payer who is Pending that the same person, by all that was sent of them, was registered once more and has
// finished that. last are the calls that show payers' statuses last, by their ids.
func (in *Input) finishedAsAnother(id string, last map[string]int, n *notable) {
	if other, made := payers.RegisteredAgain(in.Recording, in.Run, id, last); other != "" {
		n.says += fmt.Sprintf("; %s, whom call %d has registered with the same contact, as far as it is shown, is Registered", other, made)
		n.do = "each call of /User/Register makes a registration of its own, with a page of its own: ask for the one that was finished, and register nobody again while one is open"
	}
}

// leftOpen tells, of a call that was refused, how far that is a choice of the service.
func (in *Input) leftOpen(f *Fault) {
	if !f.refusal || f.Side != Partner || f.Fix == "" {
		return
	}
	for i := range in.Differences {
		if d := &in.Differences[i]; d.N == f.N && d.Class == compare.Choice && d.Where == "status" {
			f.Fix += fmt.Sprintf("; with which status it is refused the specification leaves open, and the service chose %s", d.Choice)
			return
		}
	}
}

package prelude

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// fact is what a recording shows of something that it did not see being made.
type fact struct {
	correlate.Value
	// first is the first exchange that shows it; len(exchanges) for events alone.
	first int
	// amount in cents, mask of the account, status and reference, as far as shown.
	// left is what the refusal of a refund tells of it, and least what was to be given back at once.
	amount, left, least                int64
	mask, status, reference, name      string
	registration, lastFour, companyRef string
	// plan is that of a consent.
	plan string
	// created, due, debit, metadata and sender are what details and reports tell of a payment.
	created, due, sender string
	debit                int64
	metadata             trail.Body
	// terms are those of a plan.
	terms trail.Body
	// heard says that an event shows it.
	heard bool
	// unlinked says that an event shows a payment whose payer has no bank account.
	unlinked bool
	// used says that a call which took it was served.
	used bool
}

// facts are what a recording shows of what it did not see being made, in the order in
// which it shows them.
type facts struct {
	list   []*fact
	byKey  map[string]*fact
	routes *correlate.Routes
	// made is where each value was made by a recorded answer.
	made map[string]int
	rec  *recording.Recording
	// paid are the companies that payments went to, as details and reports tell of them.
	paid []trail.Body
	// terminals are the lines of payments at terminals; registered is how many the recording has made.
	terminals  []trail.Body
	registered int
}

func key(v correlate.Value) string { return string(v.Type) + " " + strings.ToLower(v.Text) }

// Served says whether an exchange is known to have been answered with success.
func Served(x *recording.Exchange) bool { return x.Answer.Status >= 200 && x.Answer.Status < 300 }

// Lost says whether the outcome of an exchange is unknown to its caller.
func Lost(x *recording.Exchange) bool { return x.Answer.Known == recording.NeverArrived }

func gather(routes *correlate.Routes, r *recording.Recording) *facts {
	f := &facts{byKey: map[string]*fact{}, routes: routes, made: map[string]int{}, rec: r}
	for i := range r.Exchanges {
		f.exchange(i, &r.Exchanges[i])
	}
	for i := range r.Received {
		f.received(&r.Received[i])
	}
	f.consents()
	return f
}

// consents are those whose plan was there before the recording.
func (f *facts) consents() {
	for i := range f.rec.Exchanges {
		x := &f.rec.Exchanges[i]
		body := trail.ReadBody(x.Answer.Body)
		for _, row := range append(body.List("consents"), body) {
			one := correlate.Value{Type: correlate.Consent, Text: row.Text("consentId")}
			plan, registration := row.Text("paymentPlanId"), row.Text("registrationId")
			if of := f.byKey[key(correlate.Value{Type: correlate.Plan, Text: plan})]; of != nil && of.terms == nil && row.Object("plan").Get("startDate") != nil {
				of.terms = row.Object("plan")
			}
			if _, ours := f.made[key(correlate.Value{Type: correlate.Plan, Text: plan})]; ours || !Served(x) || one.Text == "" || plan == "" || registration == "" || f.byKey[key(one)] != nil {
				continue
			}
			delete(f.made, key(one))
			found := &fact{Value: one, first: i, plan: plan, registration: registration}
			f.byKey[key(one)] = found
			f.list = append(f.list, found)
		}
	}
}

// exchange reads what a call takes, and what its answer shows.
func (f *facts) exchange(i int, x *recording.Exchange) {
	operation, _ := f.routes.Match(x.Method, x.Path)
	taken := f.taken(i, operation, x)
	if x.Answer.Known != recording.Whole || !Served(x) && x.Answer.Status != http.StatusPaymentRequired { // a charge that was declined is there, too
		return
	}
	makes := append(makers(operation), correlate.Token, correlate.Cursor, correlate.LinkToken, correlate.Address)
	for _, v := range correlate.InBody(operation, x.Answer.Body) {
		if _, known := f.made[key(v)]; !slices.Contains(makes, v.Type) {
			f.see(i, v)
		} else if !known && f.byKey[key(v)] == nil {
			f.made[key(v)] = i
		}
	}
	f.read(i, x, taken, operation)
}

// taken are the values that a call takes. Of a call that was refused only its answer may
// say that they were there.
func (f *facts) taken(i int, operation string, x *recording.Exchange) []*fact {
	refused := x.Answer.Status >= 400 && x.Answer.Status < 500
	var taken []*fact
	for _, v := range correlate.Takes(f.routes, x) {
		switch {
		case v.Type == correlate.Reference && trail.OperationNamed(operation).MakesA("company"):
			if !refused {
				f.made[key(v)] = i
			} else if namesReference(x) {
				f.see(i, v)
			}
		case refused && refusedFor(operation, x, v):
			one := f.see(i, v)
			if v.Type == correlate.Payment && trail.OperationNamed(operation).Refunds {
				one.left = max(one.left, leftOf(x))
			}
		case trail.OperationNamed(operation).Token, refused && v.Type != correlate.Token:
		default:
			one := f.see(i, v)
			one.used = one.used || Served(x)
			taken = append(taken, one)
		}
	}
	return taken
}

// namesReference says whether a company was refused because its reference was taken.
func namesReference(x *recording.Exchange) bool {
	return slices.ContainsFunc(trail.ReadBody(x.Answer.Body).List("findings"), func(one trail.Body) bool {
		return one.Text("clause") == "company.create.reference-unique"
	})
}

// makers are the types that an operation's answer is the first to show.
func makers(operation string) (types []correlate.Type) {
	does := trail.OperationNamed(operation)
	for _, member := range slices.Concat(does.Makes, does.Shows) {
		types = append(types, correlate.TypeAt(operation, member))
	}
	return types
}

// see notes a value that was not made by a recorded answer before.
func (f *facts) see(i int, v correlate.Value) *fact {
	if _, known := f.made[key(v)]; known || !wanted(v.Type) {
		return &fact{Value: v}
	}
	one := f.byKey[key(v)]
	if one == nil {
		one = &fact{Value: v, first: i}
		f.byKey[key(v)] = one
		f.list = append(f.list, one)
	}
	return one
}

// wanted are the types that a stand-in can be made for.
func wanted(t correlate.Type) bool {
	switch t {
	case correlate.Company, correlate.Reference, correlate.Location, correlate.Registration, correlate.Payment,
		correlate.Card, correlate.Plan, correlate.Token:
		return true
	default:
		return false
	}
}

// read notes what an answer tells of things that were there before.
func (f *facts) read(i int, x *recording.Exchange, taken []*fact, operation string) {
	b := trail.ReadBody(x.Answer.Body)
	for _, one := range taken {
		one.read(b, x, operation)
	}
	f.recipient(b)
	for _, row := range b.List("transactions") {
		f.recipient(row)
		if row.Text("paymentRequestId") == "" { // it was paid at a terminal
			f.atTerminal(i, row)
			continue
		}
		one := f.see(i, correlate.Value{Type: correlate.Payment, Text: row.Text("paymentRequestId")})
		one.status, one.reference, one.mask = cmp.Or(one.status, row.Text("status")), cmp.Or(one.reference, row.Text("reference")), cmp.Or(one.mask, row.Text("senderAccount"))
		one.amount = whole(one.amount, row, "amount")
		one.details(row)
	}
	for _, row := range b.List("companies") {
		one := f.see(i, correlate.Value{Type: correlate.Company, Text: row.Text("id")})
		one.companyRef, one.name = cmp.Or(one.companyRef, row.Text("referenceId")), cmp.Or(one.name, row.Text("name"))
	}
}

// read notes what the answer to a call that took it tells of one thing.
func (one *fact) read(b trail.Body, x *recording.Exchange, operation string) {
	switch one.Type {
	case correlate.Payment:
		one.status = cmp.Or(one.status, b.Text("status"), b.Text("transferStatus"))
		one.amount = whole(one.amount, b.Object("amount"), "value")
		one.details(b)
		if trail.OperationNamed(operation).Refunds {
			one.least = max(one.least, whole(0, trail.ReadBody(x.Body), "amount"))
		}
	case correlate.Plan:
		if one.terms == nil && b.Get("startDate") != nil {
			one.terms = b
		}
	case correlate.Registration:
		one.mask = cmp.Or(one.mask, b.Text("accountMask"))
		if operation == "getUserStatus" {
			one.status = cmp.Or(one.status, b.Text("status"))
		}
	case correlate.Company, correlate.Reference:
		if operation == "getCompanyStatus" {
			one.status = cmp.Or(one.status, b.Text("status"))
		}
	default:
	}
}

// received reads what an event tells.
func (f *facts) received(w *recording.Received) {
	d := trail.ReadBody(w.Body).Object("Data")
	n := len(f.rec.Exchanges)
	if id := d.Text("PaymentId"); id != "" {
		one := f.see(n, correlate.Value{Type: correlate.Payment, Text: id})
		one.amount, one.mask = whole(one.amount, d, "Amount"), cmp.Or(one.mask, d.Text("AccountNumberMasked"))
		one.status, one.registration = cmp.Or(one.status, d.Text("Status")), cmp.Or(one.registration, d.Text("RegistrationId"))
	}
	masked, unlinked := d["AccountNumberMasked"]
	if unlinked = unlinked && masked == nil; unlinked && d.Text("PaymentId") != "" {
		f.see(n, correlate.Value{Type: correlate.Payment, Text: d.Text("PaymentId")}).unlinked = true
	}
	if id := d.Text("RegistrationId"); id != "" && !unlinked {
		one := f.see(n, correlate.Value{Type: correlate.Registration, Text: id})
		one.mask, one.heard = cmp.Or(one.mask, d.Text("AccountNumberMasked")), true
	}
	if id := d.Text("CompanyId"); id != "" {
		f.see(n, correlate.Value{Type: correlate.Company, Text: id}).status = d.Text("Status")
	}
}

func whole(a int64, b trail.Body, name string) int64 {
	if a != 0 {
		return a
	}
	switch v := b.Get(name).(type) {
	case json.Number:
		a, _ = v.Int64()
	case string: // as a service tells amounts that has made the choice to
		a, _ = strconv.ParseInt(v, 10, 64)
	}
	return a
}

// named says whether a reference is the id of a company that a recorded answer has made.
func (f *facts) named(one *fact) bool {
	_, made := f.made[key(correlate.Value{Type: correlate.Company, Text: one.Text})]
	return made && one.Type == correlate.Reference
}

// unasked says whether nothing shows that a payer has linked a bank: only calls name it
// whose answers are not known.
func (one *fact) unasked() bool { return !one.used && !one.heard && one.status == "" && one.mask == "" }

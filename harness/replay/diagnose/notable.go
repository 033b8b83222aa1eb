package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// notable is what partners write about although nobody did anything wrong: what it says, and what to do about it.
type notable struct{ says, do string }

// ends are the events by which payments come to nothing, with what to do about them.
var ends = map[string]string{
	"fail":   "ask the payer for another account, or request the payment once more",
	"return": "take a payment for final only when the days in which a bank may return it are over; when Failed comes after Paid, take back what was given for it",
	"deny":   "the payer does not want to pay: ask them",
	// of a consent
	"decline": "nothing more is collected from this payer for the plan: ask them, and add them to it anew, for a new consent",
}

// noted lists it: what people and banks did by which payments came to nothing, and payments that wait for their day.
func (in *Input) noted() []notable {
	var list []notable
	for i := range in.Run.Script.Steps {
		s := &in.Run.Script.Steps[i]
		if _, vain := in.Run.Moved[i]; s.Move == nil || s.Why == "" || vain || ends[s.Move.Event] == "" {
			continue
		}
		if s.Move.Event == "decline" && s.Move.Machine != "consent" {
			continue
		}
		n := notable{says: s.Why, do: ends[s.Move.Event]}
		if s.Move.Event == "return" {
			n.says = "Paid was not final: " + s.Why + in.returned(s.Move.Entity)
		}
		list = append(list, n)
	}
	return slices.Concat(list, in.waiting(), in.verifying(), in.covered(), in.away(), in.outOfOrder(), in.skipped())
}

// covered are the payments that the files show as approved, and that a debit authorisation covers which was asked for before:
// whether the payer was asked is the service's choice.
func (in *Input) covered() []notable {
	asked, made := in.authorisations()
	if len(asked) == 0 {
		return nil
	}
	var list []notable
	for i := range in.Run.Script.Steps {
		m := in.Run.Script.Steps[i].Move
		if _, vain := in.Run.Moved[i]; m == nil || vain || m.Machine != "payment" || m.Event != "approve" {
			continue
		}
		n, known := made[strings.ToLower(m.Entity)]
		if !known {
			continue
		}
		sent := trail.ReadBody(in.Recording.Exchanges[n].Body)
		amount, told := sent.Whole("amount")
		by := slices.IndexFunc(asked, func(a authorisation) bool {
			return told && a.call <= n && a.limit >= amount && strings.EqualFold(a.payer, sent.Text("registrationId"))
		})
		if by >= 0 {
			list = append(list, notable{
				fmt.Sprintf("the debit authorisation that call %d asked for covers the payment %s of call %d: where the payer has accepted it, such a payment is approved at once, without the payer (auto-debit=approve; replay with --latitude auto-debit=ask for a service that asks all the same)", asked[by].call, m.Entity, n+1),
				"ask the payer before a payment that a debit authorisation covers, or ask for none",
			})
		}
	}
	return list
}

// authorisation is a debit authorisation that a payer was asked for: by which call, from 1, and up to how many cents.
type authorisation struct {
	call  int
	payer string
	limit int64
}

// authorisations are those that calls have asked for, and the calls that have made each payment, from 0.
func (in *Input) authorisations() (asked []authorisation, made map[string]int) {
	made = map[string]int{}
	for i := range in.Recording.Exchanges {
		x := &in.Recording.Exchanges[i]
		sent, answered := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body)
		if id := strings.ToLower(answered.Text("paymentRequestId")); id != "" {
			if _, known := made[id]; !known {
				made[id] = i
			}
		}
		if x.Answer.Status/100 != 2 {
			continue
		}
		if limit, told := sent.Whole("debitAuthLimit"); told {
			asked = append(asked, authorisation{i + 1, answered.Text("registrationPersonId"), limit})
		}
		parts := strings.Split(x.Path, "/")
		if limit, told := sent.Whole("limit"); told && len(parts) == 4 && strings.EqualFold(parts[1], "User") && strings.EqualFold(parts[3], "DebitAuth") {
			asked = append(asked, authorisation{i + 1, parts[2], limit})
		}
	}
	return asked, made
}

// switchedOff are the calls that asked for a debit authorisation without "enabled", which stands for false, where the files show what
// that does: one that a payer has is off.
func switchedOff(r *recording.Recording) []Fault {
	var list []Fault
	proof := -1
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, payer := trail.ReadBody(x.Body), debtor(x)
		limit, told := sent.Whole("limit")
		if x.Method != "POST" || payer == "" || !told || limit == 0 || sent.Get("enabled") != nil || x.Answer.Status/100 != 2 {
			continue
		}
		company := sent.Text("companyId")
		f := Fault{
			Side: Partner, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Clause: "user.debit-auth.enabled", Calls: []int{i + 1},
			What: fmt.Sprintf("it asks for a debit authorisation up to %d cents and has no member enabled, which stands for false: that asks the payer for nothing, and switches off what there was", limit),
			Fix:  "send \"enabled\": true with the limit; the payer is asked then, and has to accept once more",
		}
		if before := authorised(r, payer, company, 0, i, true); before >= 0 {
			f.Calls = append(f.Calls, before+1)
			f.What += fmt.Sprintf("; call %d had shown it as enabled", before+1)
		}
		if after := authorised(r, payer, company, i+1, len(r.Exchanges), false); after >= 0 {
			proof = after
			f.Calls = append(f.Calls, after+1)
			f.What += fmt.Sprintf("; call %d shows it as not enabled", after+1)
		}
		list = append(list, f)
	}
	if proof < 0 {
		return nil
	}
	for i := range list {
		slices.Sort(list[i].Calls)
	}
	return list
}

// debtor is the payer whose debit authorisation a call is about, "" for none.
func debtor(x *recording.Exchange) string {
	if parts := strings.Split(x.Path, "/"); len(parts) == 4 && strings.EqualFold(parts[1], "User") && strings.EqualFold(parts[3], "DebitAuth") {
		return strings.ToLower(parts[2])
	}
	return ""
}

// authorised is the last of some calls that reads the debit authorisation of a payer and a company as enabled, or else the first
// that reads it as not; -1 for none.
func authorised(r *recording.Recording, payer, company string, from, to int, enabled bool) int {
	found := -1
	for i := from; i < to; i++ {
		x := &r.Exchanges[i]
		is, told := trail.ReadBody(x.Answer.Body).Get("enabled").(bool)
		if x.Method != "GET" || debtor(x) != payer || !told || is != enabled || !strings.Contains(strings.ToLower(x.Query), strings.ToLower(company)) {
			continue
		}
		if found = i; !enabled {
			break
		}
	}
	return found
}

// returned says when a payment is known to have been returned, and by which code, as far as the files tell.
func (in *Input) returned(id string) string {
	for i := range in.Recording.Received {
		d := trail.ReadBody(in.Recording.Received[i].Body).Object("Data")
		if !strings.EqualFold(d.Text("PaymentId"), id) || d.Text("Status") != "Failed" {
			continue
		}
		text := ""
		if at := source.Time(d.Text("Timestamp")); !at.IsZero() {
			text = ", on " + day(at)
		}
		if code := d.Text("ReturnCode"); code != "" {
			return text + ", code " + code
		}
		return text + "; its code the files do not tell"
	}
	for i := range in.Recording.Exchanges {
		x := &in.Recording.Exchanges[i]
		if b := trail.ReadBody(x.Answer.Body); strings.EqualFold(b.Text("id"), id) && b.Text("status") == "Failed" && !x.Begin.IsZero() {
			return ", on " + day(x.Begin) + " at the latest; its code the files do not tell"
		}
	}
	return "; its code the files do not tell"
}

func day(at time.Time) string { return at.UTC().Format("2006-01-02") }

// waiting are the payments that the files show as Scheduled to their end, with the day that they wait for.
func (in *Input) waiting() []notable {
	type last struct {
		status, due string
		call        int
	}
	seen, order := map[string]last{}, []string{}
	for i := range in.Recording.Exchanges {
		x := &in.Recording.Exchanges[i]
		b := trail.ReadBody(x.Answer.Body)
		id := strings.ToLower(b.Text("id"))
		if b.Text("status") == "" || id == "" || x.Answer.Known != recording.Whole {
			continue
		}
		if _, known := seen[id]; !known {
			order = append(order, id)
		}
		seen[id] = last{b.Text("status"), b.Text("dueDate"), i + 1}
	}
	list := in.beforeBatch()
	for _, id := range order {
		due := source.Time(seen[id].due)
		if seen[id].status != "Scheduled" || due.IsZero() {
			continue
		}
		asked := fmt.Sprintf("call %d shows its dueDate, %s", seen[id].call, day(due))
		if n := slices.IndexFunc(in.Recording.Exchanges, func(x recording.Exchange) bool { // the call that made it
			return strings.EqualFold(trail.ReadBody(x.Answer.Body).Text("paymentRequestId"), id) && trail.ReadBody(x.Body).Text("dueDate") != ""
		}); n >= 0 {
			asked = fmt.Sprintf("call %d asked for dueDate %s", n+1, day(due))
		}
		list = append(list, notable{fmt.Sprintf("%s, so the payment %s stays Scheduled until then", asked, id), "send no dueDate for a payment that is to be collected at once; one with a dueDate is collected on that day"})
	}
	return list
}

// said is what is notable, and done what to do about it, each once.
func said(list []notable) (says, do string) {
	var all, each []string
	for _, n := range list {
		all = append(all, n.says)
		if !slices.Contains(each, n.do) {
			each = append(each, n.do)
		}
	}
	return strings.Join(all, "; "), strings.Join(each, "; ")
}

// mended says whether a call that was refused was made once more, as far as can be told for the same thing, and went well.
func (in *Input) mended(n int) bool {
	x := &in.Recording.Exchanges[n]
	return slices.ContainsFunc(in.Recording.Exchanges[n+1:], func(later recording.Exchange) bool {
		return later.Method == x.Method && later.Path == x.Path && later.Answer.Status/100 == 2 && alike(x.Body, later.Body)
	})
}

// alike says whether two bodies ask for one thing: most of their members are equal, and those that name it.
func alike(one, other []byte) bool {
	a, b := trail.ReadBody(one), trail.ReadBody(other)
	equal := 0
	for name := range a {
		switch was, is := fmt.Sprint(a.Get(name)), fmt.Sprint(b.Get(name)); {
		case was == is:
			equal++
		case b.Get(name) != nil && (strings.HasSuffix(strings.ToLower(name), "reference") || strings.HasSuffix(strings.ToLower(name), "referenceid")):
			return false
		}
	}
	return 2*equal >= max(len(a), len(b))
}

// besides tells of advice that is not kept, where nothing else went wrong.
func (in *Input) besides(d *Diagnosis) string {
	if len(d.Faults) == 0 {
		return ""
	}
	f := &d.Faults[0]
	if in.tooEarly(f) {
		return " Besides: " + at(f) + ", " + f.rest() + ": the same call, made again later, went well."
	}
	return " Advice that is not kept: " + at(f) + ", " + f.rest() + ": " + f.Fix + "."
}

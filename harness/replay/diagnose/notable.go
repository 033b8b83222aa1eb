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
	return slices.Concat(list, in.waiting(), in.verifying(), in.covered(), in.away(), in.outOfOrder())
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
	var list []notable
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

// stillOpen tells, where the first refusal was mended by the caller, of the first that was not: that is what they write
// about.
func (in *Input) stillOpen(d *Diagnosis) string {
	if f := d.Fault; !f.refusal || !in.mended(f.N) {
		return ""
	}
	for i := range d.Faults {
		if f := &d.Faults[i]; f.Side == Partner && f.refusal && f.N > d.Fault.N && !in.mended(f.N) {
			return fmt.Sprintf(" That was done. Still open: %s, %s: %s.", at(f), f.rest(), f.Fix)
		}
	}
	return ""
}

// mended says whether a call that was refused was made once more, and went well.
func (in *Input) mended(n int) bool {
	x := &in.Recording.Exchanges[n]
	return slices.ContainsFunc(in.Recording.Exchanges[n+1:], func(later recording.Exchange) bool {
		return later.Method == x.Method && later.Path == x.Path && later.Answer.Status/100 == 2
	})
}

// besides tells of advice that is not kept, where nothing else went wrong.
func besides(d *Diagnosis) string {
	if len(d.Faults) == 0 {
		return ""
	}
	f := &d.Faults[0]
	return " Advice that is not kept: " + at(f) + ", " + f.rest() + ": " + f.Fix + "."
}

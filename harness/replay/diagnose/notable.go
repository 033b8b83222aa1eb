package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/plans"
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
	return slices.Concat(list, in.waiting(), in.verifying(), in.unfinished(), in.covered(), in.above(), in.away(), in.outOfOrder(), in.skipped(), in.declined(), in.refunded())
}

// declined are the charges of saved cards that were answered with 200, and did not charge: the card's bank said no.
func (in *Input) declined() (list []notable) {
	for i := range in.Run.Answers {
		a := &in.Run.Answers[i]
		if a.N < 0 || a.Operation != "chargeSavedCard" || in.Recording.Exchanges[a.N].Answer.Status != 200 {
			continue
		}
		if said := trail.ReadBody(in.Recording.Exchanges[a.N].Answer.Body); slices.Contains([]string{"declined", "failed"}, said.Text("status")) {
			list = append(list, notable{
				fmt.Sprintf("the bank of the card has declined what call %d asked for: its status is %s", a.N+1, said.Text("status")),
				"a 200 is no charge: look at status and chargedAmount, and ask the payer for another card",
			})
		}
	}
	return list[:min(1, len(list))]
}

// refunded are the payments that were given back, and whose status is asked for behind that: it stays Paid, and no event tells.
func (in *Input) refunded() (list []notable) {
	done, rows, asked := map[string]int{}, map[string]int64{}, map[string]int{}
	for a, x := range in.Run.Granted(in.Recording) {
		told := trail.ReadBody(x.Answer.Body)
		id := trail.UUIDs().FindString(strings.ToLower(x.Path + "?" + x.Query))
		switch _, given := done[id]; {
		case trail.OperationNamed(a.Operation).Refunds && id != "" && !given:
			done[id] = a.N + 1
		case a.Operation == "getPaymentStatus" && given && told.Text("status") == "Paid":
			asked[id]++
		}
		for _, row := range told.List("transactions") {
			if cents, ok := row.Whole("refundedAmount"); ok && cents > 0 {
				rows[strings.ToLower(row.Text("paymentRequestId"))] = cents
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		n := notable{
			fmt.Sprintf("call %d has refunded the payment %s, and its status stays Paid: no status and no event tells of a refund", done[id], id),
			"take the 2xx of a refund for its success, and look for refundedAmount in the transaction report; do not send it again",
		}
		if cents := rows[id]; cents > 0 {
			n.says += fmt.Sprintf("; the transaction report shows it (refundedAmount %d)", cents)
		}
		list = append(list, n)
	}
	return list
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

// beforeBatch are the answers that show a payment as Scheduled on its very day, before what is due is collected.
func (in *Input) beforeBatch() []notable {
	told := map[string]bool{}
	var list []notable
	for i := range in.Recording.Exchanges {
		x := &in.Recording.Exchanges[i]
		b := trail.ReadBody(x.Answer.Body)
		due := source.Time(b.Text("dueDate"))
		if b.Text("status") != "Scheduled" || due.IsZero() || x.Begin.IsZero() || told[b.Text("id")] {
			continue
		}
		batch := plans.Batch(due)
		if x.Begin.Before(batch) && day(x.Begin) == day(due) {
			told[b.Text("id")] = true
			list = append(list, notable{
				fmt.Sprintf("call %d shows the payment %s as Scheduled at %s UTC, on its day: what is due is collected at 11:00 in Los Angeles, which is %s UTC on that day", i+1, b.Text("id"), x.Begin.UTC().Format("15:04"), batch.UTC().Format("15:04")),
				"the specification names no hour of a due date, so do not depend on one: look again after that hour, by the clock of Los Angeles with its summer time, or wait for the event",
			})
		}
	}
	return list
}

// skipped are the occurrences of plans that fell into a pause, and that nothing was collected for: whether that is made good is
// left open.
func (in *Input) skipped() []notable {
	var list []notable
	all := in.Recording.Exchanges
	known := map[string]*plans.Plan{}
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
		p := known[id]
		if p == nil {
			p = &plans.Plan{Paused: -1}
			known[id] = p
		}
		p.Learn(trail.ReadBody(x.Body))
		p.Learn(trail.ReadBody(x.Answer.Body))
		switch last := strings.ToLower(parts[len(parts)-1]); {
		case last == "pause":
			p.Paused = i
		case last == "activate" && p.Paused >= 0:
			if day := p.Due(all[p.Paused].Begin, x.Begin); !day.IsZero() {
				list = append(list, notable{
					fmt.Sprintf("the plan was paused by call %d: what was due on %s fell into the pause, and is not collected when the plan goes on (call %d)", p.Paused+1, day.Format(time.DateOnly), i+1),
					"the specification says that a paused plan asks for nothing, and leaves open whether what fell due then is made good: here it is not; request a payment of its own for it, and wait for no other",
				})
			}
			p.Paused = -1
		}
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

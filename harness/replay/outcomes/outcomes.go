// Package outcomes holds what a recording and its replay show of what became of calls and payments: whether it was learnt where an
// answer was lost, which call repeats which, whether a payment was Paid, and how all ended. It judges nobody.
package outcomes

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Learnt says whether a recording shows what became of a call whose answer was lost: by a look at the report or at a
// state, by a webhook, or by the same call, made again with its key, before another one of its calls.
func Learnt(r *recording.Recording, run *play.Run, n, until int) bool {
	was := &r.Exchanges[n]
	for i := n + 1; i < len(r.Exchanges); i++ {
		if i >= until && !Repeats(was, &r.Exchanges[i]) {
			break
		}
		if a := run.Of(i); a != nil && r.Exchanges[i].Answer.Status/100 == 2 && (looks(a.Operation) || Repeats(was, &r.Exchanges[i])) {
			return true
		}
	}
	return slices.ContainsFunc(r.Received, func(w recording.Received) bool {
		return !strings.HasPrefix(trail.ReadBody(w.Body).Text("Event"), trail.CompanyEvent) && (w.At.IsZero() || w.At.After(was.Begin) && (until >= len(r.Exchanges) || w.At.Before(r.Exchanges[until].Begin)))
	})
}

// looks says whether an operation reads what became of a payment.
func looks(operation string) bool {
	o := trail.OperationNamed(operation)
	return o.Reads == trail.Report || o.Reads == trail.OneState && o.Kind == "payment"
}

// Repeats says whether a call is one before it, made again with its key.
func Repeats(was, x *recording.Exchange) bool {
	key := source.Header(was.Header, "Idempotency-Key")
	return key != "" && x.Path == was.Path && source.Header(x.Header, "Idempotency-Key") == key
}

// StoodIn says whether a call was not carried out in the replay: a refusal stood in for its answer.
func StoodIn(run *play.Run, n int) bool {
	a := run.Of(n)
	return a == nil || run.Script.Steps[a.Step].Call.Fault != ""
}

// Ended says how the payments ended in a replay.
func Ended(run *play.Run) string {
	last := map[string]string{}
	for i := range run.Entries {
		if m := run.Entries[i].Transition; m != nil && run.Entries[i].Kind == tape.KindTransition && (m.Machine == "payment" || m.Machine == "saved-card-charge") {
			last[m.Entity] = m.To
		}
	}
	count := map[string]int{}
	for _, s := range last {
		count[s]++
	}
	var words []string
	for s, n := range count {
		words = append(words, fmt.Sprintf("%d %s", n, s))
	}
	slices.Sort(words)
	if len(words) == 0 {
		return ""
	}
	return "; payments at the end: " + strings.Join(words, ", ")
}

// PaidBefore is what shows that a payment was Paid before a webhook: an earlier webhook, else a call, both from 1; 0 for none.
func PaidBefore(r *recording.Recording, webhook int, id string) (heard, call int) {
	if j := slices.IndexFunc(r.Received[:webhook], func(w recording.Received) bool {
		before := compare.Tell(w.Body)
		return before.Says == "Paid" && strings.EqualFold(before.About, id)
	}); j >= 0 {
		return j + 1, 0
	}
	return 0, 1 + slices.IndexFunc(r.Exchanges, func(x recording.Exchange) bool {
		b := trail.ReadBody(x.Answer.Body)
		return strings.EqualFold(b.Text("id"), id) && b.Text("status") == "Paid"
	})
}

// Certain says whether a call whose answer was not recorded is refused for its form,
// whatever was there before it: its body, its method, its type, or a path that is none.
func Certain(a *play.Answered) bool {
	if a.Status != 400 {
		return a.Status == 405 || a.Status == 415 || a.Status == 404 && a.Operation == ""
	}
	for _, f := range trail.ReadBody(a.Body).List("findings") {
		if explain.AboutState(f.Text("clause")) {
			return false
		}
	}
	return true
}

// Package unheard finds the calls that move money whose outcome nobody can know: no answer came to them, and nothing behind them tells of
// it. It judges nobody.
package unheard

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Of are these calls, by their places in the recording, from 0.
func Of(r *recording.Recording, run *play.Run) (list []int) {
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N >= 0 && open(r, a.N) && trail.OperationNamed(a.Operation).Pays() && !told(r, run, a) {
			list = append(list, a.N)
		}
	}
	return list
}

// open says whether no answer came to a call: by its file, or as that shows the answers of all others and not this one's.
func open(r *recording.Recording, n int) bool {
	x := &r.Exchanges[n]
	if x.Answer.Known != recording.NotRecorded {
		return x.Answer.Known == recording.NeverArrived
	}
	answered := 0
	for i := range r.Exchanges {
		y := &r.Exchanges[i]
		if y.Place.Source != x.Place.Source || i == n {
			continue
		}
		if y.Answer.Known == recording.NotRecorded {
			return false
		}
		answered++
	}
	return answered >= 3
}

// told says whether anything behind a call tells of the same: a report, the call again, or a call, an answer or a webhook that has one of
// its ids or its reference. That a payment is Paid does not tell of a refund.
func told(r *recording.Recording, run *play.Run, call *play.Answered) bool {
	n, refunds := call.N, trail.OperationNamed(call.Operation).Refunds
	x := &r.Exchanges[n]
	sent := trail.ReadBody(x.Body)
	names := trail.UUIDs().FindAllString(strings.ToLower(x.Path+"?"+x.Query), -1)
	for _, member := range []string{"reference", "paymentRequestId", "registrationId"} {
		if v := strings.ToLower(sent.Text(member)); v != "" {
			names = append(names, v)
		}
	}
	has := func(parts ...string) bool {
		text := strings.ToLower(strings.Join(parts, "\n"))
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
	}
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N <= n {
			continue
		}
		y, o := &r.Exchanges[a.N], trail.OperationNamed(a.Operation)
		silent := refunds && a.Operation == "getPaymentStatus"
		if o.Reads == trail.Report || y.Path == x.Path && y.Method == x.Method || !silent && has(y.Path, y.Query, string(y.Body), string(y.Answer.Body)) {
			return true
		}
	}
	return slices.ContainsFunc(r.Received, func(w recording.Received) bool { return !w.At.Before(x.Begin) && has(string(w.Body)) })
}

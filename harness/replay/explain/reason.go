package explain

import (
	"bytes"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// ofState says whether two refusals of one call find different things wrong only in what was there before.
func ofState(r *recording.Recording, run *play.Run, d *compare.Difference) bool {
	a := run.Of(d.N)
	if d.Where != "/findings" || a == nil {
		return false
	}
	was, is := compare.Findings(r.Exchanges[d.N].Answer.Body), compare.Findings(a.Body)
	other := func(in []string) func(string) bool {
		return func(one string) bool { return !slices.Contains(in, one) && !AboutState(one) }
	}
	return !slices.ContainsFunc(was, other(is)) && !slices.ContainsFunc(is, other(was))
}

// accepted is what the service took although the specification refuses it. Where a
// thing is only not there, the replay may lack it; and of a body in which something is struck out, what it shows no more.
func accepted(x *recording.Exchange, a *play.Answered) (compare.Class, string) {
	struck, _ := correlate.Struck(x.Body)
	unshown := len(struck) > 0 || correlate.Shortened(x.Body)
	for _, f := range trail.ReadBody(a.Body).List("findings") {
		id := f.Text("clause")
		if pointer := f.Text("pointer"); unshown && !correlate.Has(x.Body, pointer[strings.LastIndexByte(pointer, '/')+1:]) {
			return compare.Nobody, ""
		}
		if f.Text("source") == "spec" && !AboutState(id) {
			return compare.Service, id
		}
	}
	return compare.Unexplained, ""
}

// AboutState says whether a clause is about what was there before, not about the form.
func AboutState(id string) bool {
	for _, end := range []string{"-known", ".company", "-verified", "after-paid", "amount-left", "registered", ".unknown", "-unique", ".registration"} {
		if strings.HasSuffix(id, end) {
			return true
		}
	}
	return false
}

// forState says whether a call was refused for what was there before, as far as its answer tells: calls that nobody recorded may have
// made it so.
func forState(x *recording.Exchange, operation string) bool {
	answer, o := trail.ReadBody(x.Answer.Body), trail.OperationNamed(operation)
	for _, f := range answer.List("findings") {
		if advice, _ := f.Get("advisory").(bool); !advice {
			return AboutState(f.Text("clause")) || strings.HasSuffix(f.Text("pointer"), "Id")
		}
	}
	for name := range answer.Object("errors") {
		if name = strings.ToLower(name); strings.HasSuffix(name, "id") || o.Refunds && strings.HasSuffix(name, "amount") {
			return true
		}
	}
	return len(answer.Object("errors")) == 0 && len(x.Body) == 0
}

// disproved says whether a later answer shows that what a call was refused for was not so: a list lacks the company whose reference
// was taken, or a report shows that a payment has left what was to be given back.
func disproved(r *recording.Recording, n int, operation string) bool {
	x := &r.Exchanges[n]
	reference := strings.ToLower(trail.ReadBody(x.Body).Text("companyReferenceId"))
	for i := n + 1; i < len(r.Exchanges); i++ {
		body := r.Exchanges[i].Answer.Body
		answer := trail.ReadBody(body)
		if more, _ := answer.Get("hasMore").(bool); more || r.Exchanges[i].Answer.Status != 200 || client(r, i) != client(r, n) {
			continue
		}
		if operation == "createCompany" && reference != "" && answer.Get("companies") != nil && !bytes.Contains(bytes.ToLower(body), []byte(reference)) {
			return true
		}
		if trail.OperationNamed(operation).Refunds && slices.ContainsFunc(answer.List("transactions"), func(row trail.Body) bool { return left(x, row) }) {
			return true
		}
	}
	return false
}

// left says whether a report's row is of the payment that a refund names, and has left what it gives back.
func left(refund *recording.Exchange, row trail.Body) bool {
	amount, _ := trail.ReadBody(refund.Body).Whole("amount")
	whole, _ := row.Whole("amount")
	back, told := row.Whole("refundedAmount")
	id := strings.ToLower(row.Text("paymentRequestId"))
	return id != "" && told && row.Text("status") == "Completed" && amount > 0 && amount <= whole-back && strings.Contains(strings.ToLower(refund.Path+"?"+refund.Query), id)
}

// blamed is the clause of what the service refused without a reason: the one that its
// answer names, else the operation's.
func blamed(x *recording.Exchange, operation string) string {
	for _, f := range trail.ReadBody(x.Answer.Body).List("findings") {
		if advice, _ := f.Get("advisory").(bool); !advice && f.Text("clause") != "" {
			return f.Text("clause")
		}
	}
	return trail.OperationNamed(operation).Clause
}

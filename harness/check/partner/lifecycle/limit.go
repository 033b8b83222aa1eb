package lifecycle

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// debit is an authorisation that a payer has been asked for.
type debit struct {
	payer, company string
	limit          int64
	// from and until are the entries between which it was in force, 0 for not yet.
	from, until uint64
}

// debits follows the authorisations of a tape.
func debits(t *trail.Trail) []*debit {
	at := map[string]*debit{}
	var list []*debit
	for e := range t.Of(tape.KindTransition) {
		m := e.Transition
		if m.Machine != "debit-authorisation" {
			continue
		}
		d := at[m.Entity]
		if cause := t.Entry(e.Cause); d == nil && m.From == "" && cause != nil && cause.Exchange != nil {
			d = askedFor(t, cause.Exchange)
			at[m.Entity] = d
			list = append(list, d)
		}
		switch {
		case d == nil:
		case m.To == "Accepted":
			d.from = e.Seq
		case d.from > 0:
			d.until = e.Seq
		}
	}
	return list
}

// askedFor reads the call that asks a payer for an authorisation: one of its own,
// or a payment that asks for it besides.
func askedFor(t *trail.Trail, x *tape.Exchange) *debit {
	b := t.Sent(x)
	d := &debit{company: t.CompanyIn(b), payer: strings.ToLower(b.Text("registrationId"))}
	names := []string{"debitAuthLimit", "autoPayLimit"}
	if x.Operation == "requestDebitAuthorisation" {
		d.payer = canceled(x)
		names = []string{"limit"}
	}
	for _, name := range names {
		if n, ok := b.Whole(name); ok {
			d.limit = n
		}
	}
	return d
}

// overLimit judges payments above the authorisation of a payer, which wait for
// the payer.
func overLimit(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	changes := t.PaymentChanges()
	debits := debits(t)
	for e := range t.CallEntries() {
		x := e.Exchange
		if !trail.OperationOf(x).RequestsPayment() || !trail.Served(x) || trail.Replayed(x) {
			continue
		}
		list := changes[strings.ToLower(t.Answered(x).Text("paymentRequestId"))]
		if len(list) > 0 && exceeds(t, debits, e) {
			waits(t, &y, e, list)
		}
	}
	return y.Exercised()
}

// exceeds says whether a payment is above the authorisation in force.
func exceeds(t *trail.Trail, debits []*debit, e *tape.Entry) bool {
	payer, b := t.PayerOf(e.Exchange)
	amount, ok := b.Whole("amount")
	company := t.CompanyOf(e.Exchange)
	for _, d := range debits {
		inForce := d.from > 0 && d.from < e.Seq && (d.until == 0 || d.until > e.Seq)
		if ok && payer != "" && inForce && d.payer == payer && d.company == company && amount > d.limit {
			return true
		}
	}
	return false
}

// waits judges the time until a payment above the limit is answered.
func waits(t *trail.Trail, y *verdict.Tally, asked *tape.Entry, changes []*tape.Entry) {
	if last := changes[len(changes)-1]; last.Transition.From == "Pending" && last.Cause == asked.Seq {
		return // it did not wait
	}
	answered := ^uint64(0)
	for _, c := range slices.Backward(changes) {
		if c.Transition.From == "Pending" {
			answered = c.Seq
		}
	}
	if e := askedAgain(t, asked, answered); e != nil {
		id := t.Answered(asked.Exchange).Text("paymentRequestId")
		t.Unsure(y, "no second payment request while "+id+" waits for the payer", "one of the same amount, payer and purpose", asked.Seq, e.Seq)
		return
	}
	if answered == ^uint64(0) && !t.WentOn(asked, 5*time.Second) {
		y.Skip("a payment above the limit that has just been requested")
		return
	}
	y.Holds(asked.Seq)
}

// askedAgain is a payment request that asks for the same as another one that
// still waits, and that nobody has told the application to make.
func askedAgain(t *trail.Trail, asked *tape.Entry, until uint64) *tape.Entry {
	meant, _ := t.Sent(asked.Exchange).Whole("amount")
	requests := 0
	for _, e := range requestsFor(t)[purpose(asked.Exchange)] {
		if e.Seq > until {
			break
		}
		requests++
		if e.Seq > asked.Seq && asksAgain(asked, e) && !t.Tasks().Did[e.Seq] && t.Tasks().Payments(meant, e.Seq) < requests {
			return e
		}
	}
	return nil
}

// requestsFor are the requests for payments by their purpose, oldest first.
func requestsFor(t *trail.Trail) map[string][]*tape.Entry {
	return trail.Once(t, "requests by purpose", func() map[string][]*tape.Entry {
		by := map[string][]*tape.Entry{}
		for e := range t.CallEntries() {
			if isRequest(e.Exchange) {
				what := purpose(e.Exchange)
				by[what] = append(by[what], e)
			}
		}
		return by
	})
}

// isRequest says whether a call has asked a payer for a payment.
func isRequest(x *tape.Exchange) bool {
	return trail.OperationOf(x).RequestsPayment() && x.Response.Status < http.StatusBadRequest && !trail.Replayed(x)
}

// asksAgain says whether a payment request asks once more for what another one of its
// purpose has asked for. The same call again, with its key, is a repetition and no request.
func asksAgain(first, e *tape.Entry) bool {
	x := e.Exchange
	key, _ := trail.Header(first.Exchange.Request.Header, "Idempotency-Key")
	other, _ := trail.Header(x.Request.Header, "Idempotency-Key")
	return key == "" || key != other
}

// purpose is what makes two payment requests ask for the same.
func purpose(x *tape.Exchange) string {
	b := trail.ReadBody(x.Request.Body)
	amount, _ := b.Whole("amount")
	return strings.Join([]string{
		strconv.FormatInt(amount, 10), strings.ToLower(b.Text("registrationId")), b.Text("locationId"), b.Text("companyId"),
		b.Text("companyReferenceId"), b.Text("shortDescription"), b.Text("dueDate"),
	}, "\n")
}

package check

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

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
func (t *Tape) debits(book *companies) []*debit {
	at := map[string]*debit{}
	var list []*debit
	for e := range t.of(tape.KindTransition) {
		m := e.Transition
		if m.Machine != "debit-authorisation" {
			continue
		}
		d := at[m.Entity]
		if cause := t.entry(e.Cause); d == nil && m.From == "" && cause != nil && cause.Exchange != nil {
			d = asked(cause.Exchange, book)
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

// asked reads the call that asks a payer for an authorisation: one of its own,
// or a payment that asks for it besides.
func asked(x *tape.Exchange, book *companies) *debit {
	b := read(x.Request.Body)
	d := &debit{company: book.ofBody(b), payer: strings.ToLower(b.text("registrationId"))}
	names := []string{"debitAuthLimit", "autoPayLimit"}
	if x.Operation == "requestDebitAuthorisation" {
		d.payer = canceled(x)
		names = []string{"limit"}
	}
	for _, name := range names {
		if n, ok := b.whole(name); ok {
			d.limit = n
		}
	}
	return d
}

// overLimit judges payments above the authorisation of a payer, which wait for
// the payer.
func overLimit(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	book, tasks, changes := t.companies(), t.announced(), t.changes("payment")
	debits := t.debits(book)
	for e := range t.exchanges() {
		x := e.Exchange
		if x.Operation != "createPayment" || !served(x) || replayed(x) {
			continue
		}
		list := changes[strings.ToLower(read(x.Response.Body).text("paymentRequestId"))]
		if len(list) > 0 && exceeds(debits, e, book) {
			t.waits(&y, e, list, tasks)
		}
	}
	return y.Exercised("request more than the limit of a debit authorisation")
}

// exceeds says whether a payment is above the authorisation in force.
func exceeds(debits []*debit, e *tape.Entry, book *companies) bool {
	payer, b := payerOf(e.Exchange)
	amount, ok := b.whole("amount")
	company := book.of(e.Exchange)
	for _, d := range debits {
		inForce := d.from > 0 && d.from < e.Seq && (d.until == 0 || d.until > e.Seq)
		if ok && payer != "" && inForce && d.payer == payer && d.company == company && amount > d.limit {
			return true
		}
	}
	return false
}

// waits judges the time until a payment above the limit is answered.
func (t *Tape) waits(y *verdict.Tally, asked *tape.Entry, changes []*tape.Entry, tasks *announced) {
	if last := changes[len(changes)-1]; last.Transition.From == "Pending" && last.Cause == asked.Seq {
		return // it did not wait
	}
	answered := ^uint64(0)
	for _, c := range slices.Backward(changes) {
		if c.Transition.From == "Pending" {
			answered = c.Seq
		}
	}
	if e := t.askedAgain(asked, answered, tasks); e != nil {
		id := read(asked.Exchange.Response.Body).text("paymentRequestId")
		t.unsure(y, "no second payment request while "+id+" waits for the payer", "one of the same amount, payer and purpose",
			"leave a payment Pending until the payer has answered; the event tells", asked.Seq, e.Seq)
		return
	}
	if answered == ^uint64(0) && !t.wentOn(asked, 5*time.Second) {
		y.Skip("a payment above the limit that has just been requested")
		return
	}
	y.Holds(asked.Seq)
}

// askedAgain is a payment request that asks for the same as another one that
// still waits, and that nobody has told the application to make.
func (t *Tape) askedAgain(asked *tape.Entry, until uint64, tasks *announced) *tape.Entry {
	meant, _ := read(asked.Exchange.Request.Body).whole("amount")
	requests := 0
	for e := range t.exchanges() {
		if e.Seq > until {
			break
		}
		if purpose(e.Exchange) == purpose(asked.Exchange) && isRequest(e.Exchange) {
			requests++
		}
		if e.Seq > asked.Seq && again(asked, e) && !tasks.did[e.Seq] && tasks.payments(meant, e.Seq) < requests {
			return e
		}
	}
	return nil
}

// isRequest says whether a call has asked a payer for a payment.
func isRequest(x *tape.Exchange) bool {
	return x.Operation == "createPayment" && x.Response.Status < http.StatusBadRequest && !replayed(x)
}

// again says whether a payment request asks once more for what another one has
// asked for. The same call again, with its key, is a repetition and no request.
func again(first, e *tape.Entry) bool {
	x := e.Exchange
	if !isRequest(x) {
		return false
	}
	key, _ := header(first.Exchange.Request.Header, "Idempotency-Key")
	other, _ := header(x.Request.Header, "Idempotency-Key")
	return (key == "" || key != other) && purpose(first.Exchange) == purpose(x)
}

// purpose is what makes two payment requests ask for the same.
func purpose(x *tape.Exchange) string {
	b := read(x.Request.Body)
	amount, _ := b.whole("amount")
	return strings.Join([]string{
		strconv.FormatInt(amount, 10), strings.ToLower(b.text("registrationId")), b.text("locationId"), b.text("companyId"),
		b.text("companyReferenceId"), b.text("shortDescription"), b.text("dueDate"),
	}, "\n")
}

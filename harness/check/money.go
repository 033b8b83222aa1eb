package check

import (
	"strconv"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// moneyChecks are the checks on amounts.
func moneyChecks() []Check {
	return []Check{
		{
			ID: "money.refund", Title: "No more is refunded than was collected",
			Clauses: []string{"payment.refund.amount-left", "payment.refund.after-paid"}, Run: refunded,
		},
		{
			ID: "money.final", Title: "Nothing is collected after a cancellation or a denial, and nothing twice",
			Clauses: []string{"payment.status.canceled-stays", "payment.deny", "payment.status.machine"}, Run: collected,
		},
		{
			ID: "money.charge", Title: "A saved card is charged what was asked, or nothing",
			Clauses: []string{"payment.saved-card", "payment.saved-card.refused"}, Run: charged,
		},
		{
			ID: "money.event", Title: "The amount in an event is the amount that was asked for",
			Clauses: []string{"event.payment.shape"}, Run: eventAmounts,
		},
		{
			ID: "money.plan", Title: "A plan collects on its due dates, once from each payer who has accepted",
			Clauses: []string{"plan.occurrence", "plan.occurrence.month-end", "plan.occurrence.completed"}, Run: planned,
		},
	}
}

// asked gives the amount of each payment in cents, as it was asked for. What is
// not on the tape is not in the map.
func (t *Tape) asked() map[string]int64 {
	amounts := map[string]int64{}
	for e := range t.of(tape.KindTransition) {
		m := e.Transition
		if m.From != "" || m.Machine != "payment" && m.Machine != "saved-card-charge" {
			continue
		}
		if n, ok := t.amountOf(e.Cause); ok {
			amounts[m.Entity] = n
		}
	}
	return amounts
}

// amountOf is the amount that an entry asked for: a call in its body, a plan's
// due date in the call that has made the plan.
func (t *Tape) amountOf(seq uint64) (int64, bool) {
	e := t.entry(seq)
	switch {
	case e == nil:
		return 0, false
	case e.Kind == tape.KindExchange && e.Exchange != nil:
		switch e.Exchange.Operation {
		case "createPayment", "chargeSavedCard", "createPlan", "createRecurring":
			return read(e.Exchange.Request.Body).whole("amount")
		}
	case e.Kind == tape.KindTimer && e.Timer != nil && e.Timer.Name == planTimer:
		if made := t.born[main(e)]; made != nil {
			return t.amountOf(made.Cause)
		}
	}
	return 0, false
}

// purse is what is known of a payment's money.
type purse struct {
	state    string
	seq      uint64
	refunded int64
}

// purses are the payments of a tape while it is read, and whose refund is whose.
type purses struct {
	t       *Tape
	amounts map[string]int64
	list    map[string]*purse
	refunds map[string]refundOf
}

// at gives a payment, at first one of which nothing is known.
func (p *purses) at(id string) *purse {
	if p.list[id] == nil {
		p.list[id] = &purse{}
	}
	return p.list[id]
}

// refunded follows the money of each payment along the tape.
func refunded(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	p := purses{t, t.asked(), map[string]*purse{}, map[string]refundOf{}}
	for i := range t.Entries {
		e := &t.Entries[i]
		switch {
		case e.Kind == tape.KindExchange && refundCall(e):
			judgeRefund(&y, t, e, p.at(refundTarget(e.Exchange)), p.amounts)
		case e.Transition != nil:
			p.moved(e)
		}
	}
	return y.Judgements("no refund")
}

// moved notes a change of a payment or of a refund.
func (p *purses) moved(e *tape.Entry) {
	switch m := e.Transition; m.Machine {
	case "payment", "saved-card-charge":
		of := p.at(m.Entity)
		of.state, of.seq = m.To, e.Seq
	case "refund":
		if by := p.t.entry(e.Cause); m.From == "" && by != nil && refundCall(by) {
			n, _ := read(by.Exchange.Request.Body).whole("amount")
			p.refunds[m.Entity] = refundOf{refundTarget(by.Exchange), n}
		}
		if r, ok := p.refunds[m.Entity]; ok && m.To == "Failed" { // its amount is free again
			p.at(r.payment).refunded -= r.amount
		}
	}
}

// refundOf is whose refund it is, and how much.
type refundOf struct {
	payment string
	amount  int64
}

// refundCall says whether an entry is a refund that was accepted.
func refundCall(e *tape.Entry) bool {
	x := e.Exchange
	return x != nil && strings.HasPrefix(x.Operation, "refundPayment") && served(x) && !replayed(x)
}

// refundTarget is the payment's id in the path or in the query of a refund.
func refundTarget(x *tape.Exchange) string {
	if x.Operation == "refundPaymentByQuery" {
		for arg := range strings.SplitSeq(x.Query, "&") {
			if name, id, _ := strings.Cut(arg, "="); strings.EqualFold(name, "paymentRequestId") {
				return strings.ToLower(id)
			}
		}
		return ""
	}
	path := strings.TrimSuffix(x.Path, "/")
	return strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
}

// refund judges one refund that was accepted.
func judgeRefund(y *verdict.Tally, t *Tape, e *tape.Entry, p *purse, amounts map[string]int64) {
	const hint = "accept a refund only of a payment that is Paid, and all refunds together up to its amount"
	id := refundTarget(e.Exchange)
	n, _ := read(e.Exchange.Request.Body).whole("amount")
	p.refunded += n
	paid, known := amounts[id]
	switch {
	case t.born[id] == nil && t.cut(tape.KindTransition):
		y.Open("the beginning of the payment "+id+" is not on the tape", e.Seq)
	case p.state != "Paid" && t.stubs[tape.KindTransition]:
		y.Open("a change of the payment "+id+" may be missing", e.Seq)
	case p.state != "Paid":
		y.Breach("payment.refund.after-paid", "a refund of a payment that is Paid", "the payment "+id+" is "+strconv.Quote(p.state), hint, p.seq, e.Seq)
	case !known || t.stubs[tape.KindExchange]:
		y.Open("the amount, or a refund, of the payment "+id+" is not on the tape", e.Seq)
	case p.refunded > paid:
		y.Breach("payment.refund.amount-left", "refunds of at most "+strconv.FormatInt(paid, 10), "refunds of "+strconv.FormatInt(p.refunded, 10), hint, p.seq, e.Seq)
	default:
		y.Holds(p.seq, e.Seq)
	}
}

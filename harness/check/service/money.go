package service

import (
	"strconv"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// finalStates follows the payments: what was canceled or denied is never
// collected, and nothing is Paid twice. That a payment is back at Processing
// after it was Paid counts as collecting it again.
func finalStates(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	type past struct {
		final, paid uint64
		// ended is the clause about its end.
		ended string
	}
	seen := map[string]past{}
	for e := range t.Of(tape.KindTransition) {
		m := e.Transition
		if !trail.Collects(e) {
			continue
		}
		p := seen[m.Entity]
		switch taking := m.To == "Processing" || m.To == "Paid"; {
		case taking && p.final != 0:
			y.Breach(p.ended, "nothing after the payment has ended", "it became "+m.To, "", p.final, e.Seq)
		case taking && p.paid != 0:
			y.Breach("payment.status.machine", "a payment that is Paid once", "it became "+m.To+" after it was Paid", "", p.paid, e.Seq)
		case taking && t.Cut(tape.KindTransition) && t.Born(m.Entity) == nil:
			y.Open("what the payment "+m.Entity+" was before is not on the tape", e.Seq)
		default:
			y.Holds(e.Seq)
		}
		switch m.To {
		case "Canceled":
			p.final, p.ended = e.Seq, "payment.status.canceled-stays"
		case "Denied":
			p.final, p.ended = e.Seq, "payment.deny"
		case "Paid":
			p.paid = e.Seq
		}
		seen[m.Entity] = p
	}
	return y.Judgements("no payment")
}

// savedCardCharges compares what was taken from saved cards with what was asked.
func savedCardCharges(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		if x.Operation != "chargeSavedCard" || !trail.Served(x) || trail.Faulted(x) || len(x.Request.Body) == 0 { // which is not on the tape
			continue
		}
		answer := trail.ReadBody(x.Response.Body)
		want, ok := trail.ReadBody(x.Request.Body).Whole("amount")
		clause := "payment.saved-card"
		if answer.Text("status") != "success" {
			want, clause = 0, "payment.saved-card.refused"
		}
		got, told := answer.Whole("chargedAmount")
		if !ok || !told || got != want {
			y.Breach(clause, "chargedAmount "+strconv.FormatInt(want, 10)+" for status "+strconv.Quote(answer.Text("status")), trail.Show(x.Response.Body),
				"", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no charge of a saved card")
}

// judgeUnasked notes an event about a payment whose amount is not known: dropped from
// the tape, or asked for elsewhere than by a call of the partner.
func judgeUnasked(y *verdict.Tally, t *trail.Trail, e *tape.Entry) {
	if t.Cut(tape.KindExchange, tape.KindTransition) {
		y.Open("the amount of the payment "+trail.Subject(e)+" is not on the tape", e.Seq)
		return
	}
	y.Skip("a payment that the partner did not ask for by a call of its own")
}

// asked gives the amount of each payment in cents, as it was asked for. What is
// not on the tape is not in the map.
func asked(t *trail.Trail) map[string]int64 {
	amounts := map[string]int64{}
	for e := range t.Of(tape.KindTransition) {
		m := e.Transition
		if m.From != "" || !trail.Collects(e) {
			continue
		}
		if n, ok := amountOf(t, e.Cause); ok {
			amounts[m.Entity] = n
		}
	}
	return amounts
}

// amountOf is the amount that an entry asked for: a call in its body, a plan's
// due date in the call that has made the plan.
func amountOf(t *trail.Trail, seq uint64) (int64, bool) {
	e := t.Entry(seq)
	switch {
	case e == nil:
		return 0, false
	case e.Kind == tape.KindExchange && e.Exchange != nil:
		if trail.OperationOf(e.Exchange).Charges {
			return trail.ReadBody(e.Exchange.Request.Body).Whole("amount")
		}
	case e.Kind == tape.KindTimer && e.Timer != nil && e.Timer.Name == planTimer:
		if made := t.Born(trail.Subject(e)); made != nil {
			return amountOf(t, made.Cause)
		}
	}
	return 0, false
}

// paymentMoney is what is known of a payment's money.
type paymentMoney struct {
	state    string
	seq      uint64
	refunded int64
}

// ledger are the payments of a tape while it is read, and whose refund is whose.
type ledger struct {
	t       *trail.Trail
	amounts map[string]int64
	list    map[string]*paymentMoney
	refunds map[string]refundOf
}

// at gives a payment, at first one of which nothing is known.
func (p *ledger) at(id string) *paymentMoney {
	if p.list[id] == nil {
		p.list[id] = &paymentMoney{}
	}
	return p.list[id]
}

// refundsLeft follows the money of each payment along the tape.
func refundsLeft(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	p := ledger{t, asked(t), map[string]*paymentMoney{}, map[string]refundOf{}}
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
func (p *ledger) moved(e *tape.Entry) {
	switch m := e.Transition; {
	case trail.Collects(e):
		of := p.at(m.Entity)
		of.state, of.seq = m.To, e.Seq
	case m.Machine == "refund":
		if by := p.t.Entry(e.Cause); m.From == "" && by != nil && refundCall(by) {
			n, _ := trail.ReadBody(by.Exchange.Request.Body).Whole("amount")
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
	return x != nil && trail.OperationOf(x).Refunds && trail.Served(x) && !trail.Replayed(x)
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

// judgeRefund judges one refund that was accepted.
func judgeRefund(y *verdict.Tally, t *trail.Trail, e *tape.Entry, p *paymentMoney, amounts map[string]int64) {
	id := refundTarget(e.Exchange)
	n, _ := trail.ReadBody(e.Exchange.Request.Body).Whole("amount")
	p.refunded += n
	paid, known := amounts[id]
	switch {
	case t.Born(id) == nil && t.Cut(tape.KindTransition):
		y.Open("the beginning of the payment "+id+" is not on the tape", e.Seq)
	case p.state != "Paid" && t.Stubbed(tape.KindTransition):
		y.Open("a change of the payment "+id+" may be missing", e.Seq)
	case p.state != "Paid":
		y.Breach("payment.refund.after-paid", "a refund of a payment that is Paid", "the payment "+id+" is "+strconv.Quote(p.state), "", p.seq, e.Seq)
	case !known || t.Stubbed(tape.KindExchange):
		y.Open("the amount, or a refund, of the payment "+id+" is not on the tape", e.Seq)
	case p.refunded > paid:
		y.Breach("payment.refund.amount-left", "refunds of at most "+strconv.FormatInt(paid, 10), "refunds of "+strconv.FormatInt(p.refunded, 10), "", p.seq, e.Seq)
	default:
		y.Holds(p.seq, e.Seq)
	}
}

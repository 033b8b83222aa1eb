package service

import (
	"strconv"

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
		const hint = "let nothing lead out of a final state"
		switch taking := m.To == "Processing" || m.To == "Paid"; {
		case taking && p.final != 0:
			y.Breach(p.ended, "nothing after the payment has ended", "it became "+m.To, hint, p.final, e.Seq)
		case taking && p.paid != 0:
			y.Breach("payment.status.machine", "a payment that is Paid once", "it became "+m.To+" after it was Paid", hint, p.paid, e.Seq)
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
		if x.Operation != "chargeSavedCard" || !trail.Served(x) || trail.Faulted(x) {
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
				"charge the amount of the request when it succeeds, else nothing", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no charge of a saved card")
}

// unasked notes an event about a payment whose amount is not known: dropped from
// the tape, or asked for elsewhere than by a call of the partner.
func judgeUnasked(y *verdict.Tally, t *trail.Trail, e *tape.Entry) {
	if t.Cut(tape.KindExchange, tape.KindTransition) {
		y.Open("the amount of the payment "+trail.Subject(e)+" is not on the tape", e.Seq)
		return
	}
	y.Skip("a payment that the partner did not ask for by a call of its own")
}

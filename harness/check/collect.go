package check

import (
	"encoding/json"
	"strconv"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// collected follows the payments: what was canceled or denied is never
// collected, and nothing is Paid twice. That a payment is back at Processing
// after it was Paid counts as collecting it again.
func collected(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	type past struct {
		final, paid uint64
		// ended is the clause about its end.
		ended string
	}
	seen := map[string]past{}
	for e := range t.of(tape.KindTransition) {
		m := e.Transition
		if m.Machine != "payment" && m.Machine != "saved-card-charge" {
			continue
		}
		p := seen[m.Entity]
		const hint = "let nothing lead out of a final state"
		switch taking := m.To == "Processing" || m.To == "Paid"; {
		case taking && p.final != 0:
			y.Breach(p.ended, "nothing after the payment has ended", "it became "+m.To, hint, p.final, e.Seq)
		case taking && p.paid != 0:
			y.Breach("payment.status.machine", "a payment that is Paid once", "it became "+m.To+" after it was Paid", hint, p.paid, e.Seq)
		case taking && t.cut(tape.KindTransition) && t.born[m.Entity] == nil:
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

// charged compares what was taken from saved cards with what was asked.
func charged(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.of(tape.KindExchange) {
		x := e.Exchange
		if x.Operation != "chargeSavedCard" || !served(x) || faulted(x) {
			continue
		}
		answer := read(x.Response.Body)
		want, ok := read(x.Request.Body).whole("amount")
		clause := "payment.saved-card"
		if answer.text("status") != "success" {
			want, clause = 0, "payment.saved-card.refused"
		}
		got, told := answer.whole("chargedAmount")
		if !ok || !told || got != want {
			y.Breach(clause, "chargedAmount "+strconv.FormatInt(want, 10)+" for status "+strconv.Quote(answer.text("status")), show(x.Response.Body),
				"charge the amount of the request when it succeeds, else nothing", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.omitted(&y, tape.KindExchange)
	return y.Judgements("no charge of a saved card")
}

// eventAmounts compares the amounts in events with those of the requests.
func eventAmounts(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	amounts := t.asked()
	for e := range t.of(tape.KindEvent) {
		if e.Event.Name != "PAYMENT_STATUS_CHANGED" {
			continue
		}
		want, known := amounts[main(e)]
		if !known {
			judgeUnasked(&y, t, e)
			continue
		}
		var expected any = json.Number(strconv.FormatInt(want, 10))
		if t.chose("payment-event") != "" {
			expected = strconv.FormatInt(want, 10)
		}
		if got := read(e.Event.Body).object("Data")["Amount"]; got != expected {
			y.Fail("Data.Amount "+string(quoted(expected)), string(quoted(got)), "tell the amount of the payment request in cents", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	return y.Judgements("no event about a payment")
}

// unasked notes an event about a payment whose amount is not known: dropped from
// the tape, or asked for elsewhere than by a call of the partner.
func judgeUnasked(y *verdict.Tally, t *Tape, e *tape.Entry) {
	if t.cut(tape.KindExchange, tape.KindTransition) {
		y.Open("the amount of the payment "+main(e)+" is not on the tape", e.Seq)
		return
	}
	y.Skip("a payment that the partner did not ask for by a call of its own")
}

// quoted writes a value as JSON.
func quoted(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return []byte("a value that is no JSON")
	}
	return raw
}

// omitted notes the entries of a kind whose content was too large for the tape.
func (t *Tape) omitted(y *verdict.Tally, kind tape.Kind) {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Omitted > 0 && e.Kind == kind {
			y.Open("the content of this entry was too large for the tape", e.Seq)
		}
	}
}

package trouble

import (
	"slices"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// losesRefund notes the refund whose answer is lost.
func (p *Planner) losesRefund(e *tape.Entry) {
	if a := p.active; a.On == ARefund && a.Effect.CommitThenDrop {
		a.refund = e
	}
}

// madeAgain takes in a call after one whose answer was lost. A refund that is made again
// without a look, and is refused, shows nothing: nothing was left of the payment. Of one that
// gives back a part there would be, so the trouble is made again.
func (p *Planner) madeAgain(e *tape.Entry) {
	a := p.active
	switch {
	case a.refund == nil:
	case looksUp(e, a.refund):
		a.refund = nil
	case e.Exchange.Response.Status == 400 && sameRefund(e.Exchange, a.refund.Exchange):
		p.moot[a.at]++
		a.refund, a.refused = nil, true
	}
}

// sameRefund says whether two refunds give the same back of the same payment.
func sameRefund(a, b *tape.Exchange) bool {
	amount := func(x *tape.Exchange) string {
		return string(trail.Quote(trail.ReadBody(x.Request.Body).Get("amount")))
	}
	return a.Operation == b.Operation && a.Path == b.Path && a.Query == b.Query && amount(a) == amount(b)
}

// looksUp says whether a call reads what came of a refund: a report, or the state of its
// payment.
func looksUp(e, refund *tape.Entry) bool {
	if e.Exchange.Response.Status != 200 {
		return false
	}
	switch o := trail.OperationOf(e.Exchange); o.Reads {
	case trail.Report:
		return true
	case trail.OneState:
		return o.Kind == "payment" && slices.ContainsFunc(e.Entities, func(id string) bool { return slices.Contains(refund.Entities, id) })
	default:
		return false
	}
}

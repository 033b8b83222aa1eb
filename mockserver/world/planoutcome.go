package world

import (
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// settlePlan counts what became of a plan's payment. So many in a row of one payer
// that were not fulfilled make the plan Failed; when no due date is left, the last
// outcome decides how it ends. A bank that returns what was Paid changes an outcome
// that was counted before. Latitude, plan-failure.
func (w *World) settlePlan(paid *payment, returned bool) {
	p, c := w.plans.At(paid.plan), w.memberOf(paid)
	if !returned {
		p.open--
	}
	switch paid.state {
	case PaymentPaid:
		c.failures = 0
	case PaymentFailed, PaymentDenied:
		c.failures++
		p.missed++
	}
	if p.state != PlanActive {
		return
	}
	most := uint32(w.cfg.Settings.Number(latitude.PlanFailure)) //nolint:gosec // G115: a handful.
	if most > 0 && c.failures >= most {
		w.mustMove(w.stepPlan(p, "fail", "payments in a row of one payer that were not fulfilled: "+number(int64(c.failures))))
		return
	}
	if _, more := p.dueDate(p.next); !more {
		w.conclude(p)
	}
}

// memberOf is the consent by which a plan's payment is collected.
func (w *World) memberOf(paid *payment) *consent {
	return w.consents.At(w.consents.newest[membership{paid.plan, paid.payer}])
}

// conclude ends an Active plan that has no due date left, once every payment has an
// outcome: Completed when all were fulfilled.
func (w *World) conclude(p *plan) {
	switch {
	case p.open > 0:
	case p.missed > 0:
		w.mustMove(w.stepPlan(p, "fail", "no due date is left, and "+kernel.Plural(int(p.missed), "payment")+" not fulfilled"))
	default:
		w.mustMove(w.stepPlan(p, "complete", "no due date is left"))
	}
}

// forgive lets a plan that is activated begin to count its payers' failures in a row anew.
// What was missed stays missed: a plan is Completed only when all was fulfilled.
func (w *World) forgive(p *plan) {
	for n := p.firstConsent; n != 0; n = w.consents.At(n).nextOfPlan {
		w.consents.At(n).failures = 0
	}
}

// ended says whether a payment has come to its end.
func (p *payment) ended() bool {
	switch p.state {
	case PaymentPaid, PaymentFailed, PaymentDenied, PaymentCanceled:
		return true
	default:
		return false
	}
}

package world

import (
	"time"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// longestKYB is the longest that a verification takes. Specification, Limits.
const longestKYB = 24 * time.Hour

// startKYB lets the verification begin: at once in environment sandbox, within
// 24 hours of virtual time in rehearsal.
func (w *World) startKYB(n uint32, name string) error {
	c := w.companies.At(n)
	if w.cfg.Environment == Sandbox {
		w.moveCompany(n, "verify", "environment sandbox verifies every company")
		w.tellOfIdleName(name)
		return nil
	}
	outcome, err := fixtures.KYBOutcome(name)
	if err != nil {
		return &kernel.Error{Code: kernel.Internal, Detail: err.Error()}
	}
	wait := time.Hour + time.Duration(w.core.Draw("kyb", c.id, uint64(23*time.Hour/time.Second)))*time.Second //nolint:gosec // G115: under 24 hours.
	if outcome == fixtures.KYBSlow {
		wait = longestKYB
	}
	c.rejected = outcome == fixtures.KYBRejected
	switch {
	case w.is(latitude.KYBRehearsalAtOnce):
		w.concludeKYB(n)
	case w.is(latitude.KYBRehearsalAfterReads):
		c.reads = uint8(latitude.KYBRehearsalAfterReads.Number()) //nolint:gosec // G115: a handful.
		w.core.Schedule(timerKYB, w.Now().Add(longestKYB), c.id, 0)
	default:
		w.core.Schedule(timerKYB, w.Now().Add(wait), c.id, 0)
	}
	return nil
}

// tellOfIdleName warns of a name that is test data for the other environment.
func (w *World) tellOfIdleName(name string) {
	if outcome, err := fixtures.KYBOutcome(name); err != nil || outcome == fixtures.KYBOrdinary {
		return
	}
	w.core.Advise(kernel.Finding{
		Pointer: "/name", Clause: ruleKYBPrefix.Clause, Source: kernel.Assumed, Received: kernel.Quote(name),
		Expected: "environment rehearsal for a name that decides the verification: in environment sandbox every company is Verified",
		Fix:      "start with --environment rehearsal", Advisory: true,
	})
}

// concludeKYB ends the verification as the company's name has declared.
func (w *World) concludeKYB(n uint32) {
	event := "verify"
	if w.companies.At(n).rejected {
		event = "reject"
	}
	w.moveCompany(n, event, "the verification ended")
}

// countRead lets a verification end that waits for the status to be read.
func (w *World) countRead(c *company, n uint32) {
	if c.state == CompanyUnverified && c.reads > 0 {
		if c.reads--; c.reads == 0 {
			w.concludeKYB(n)
		}
	}
}

// finishKYB is the timer of the verification.
func (w *World) finishKYB(t kernel.Timer) bool {
	c, n := w.companies.Find(t.ID)
	if c == nil || c.state != CompanyUnverified {
		return false
	}
	w.concludeKYB(n)
	return true
}

// DecideKYB ends a company's verification now. The outcome is "verified" or
// "rejected". An unknown company is NotFound, a second decision
// IllegalTransition.
func (w *World) DecideKYB(ref, outcome string) error {
	_, n, err := w.company(ref)
	if err != nil {
		return err
	}
	event := map[string]string{"verified": "verify", "rejected": "reject"}[outcome]
	if event == "" {
		return invalid("/outcome", kernel.Given(outcome), rule{"control.kyb.outcome", kernel.Assumed, "verified or rejected", "send one of the two outcomes"})
	}
	return w.tryCompany(n, event, byControl)
}

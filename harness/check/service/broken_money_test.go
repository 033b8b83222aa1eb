package service_test

import (
	"slices"
	"time"

	"paysandbox/mockserver/tape"
)

// brokenMoney are mutants that move states and money wrongly.
func brokenMoney() []mutant {
	// spliced adds a change of state, with no event for those that have none.
	spliced := func(machine, event, from, to string) func(r *reel) {
		return func(r *reel) {
			e := r.move(0, machine, "create")
			r.insert(e, tape.Entry{
				Cause: e.Cause, At: e.At, Kind: tape.KindTransition, Entities: e.Entities,
				Transition: &tape.Transition{Machine: machine, Entity: e.Transition.Entity, From: from, To: to, Event: event},
			})
		}
	}
	return []mutant{
		{"an over-refund", []string{"money.refund", "wire.conform"}, func(r *reel) { r.call(0, "refundPayment", 400).Response.Status = 200 }},
		{"a refund of what is not Paid", []string{"money.refund"}, func(r *reel) {
			x := r.call(0, "refundPayment", 200)
			x.Path = "/Payment/Refund/" + r.move(0, "payment", "deny").Transition.Entity
		}},
		{"refunds in parts that are too much", []string{"money.refund"}, func(r *reel) {
			x := r.call(1, "refundPayment", 200)
			x.Request.Body = r.reword(x.Request.Body, `"amount":3000`, `"amount":3001`)
		}},
		{"collected after cancel", []string{"event.each", "machine.moves", "money.final"}, func(r *reel) {
			e := r.move(0, "payment", "cancel")
			r.insert(e, tape.Entry{
				Cause: e.Cause, At: e.At, Kind: tape.KindTransition, Entities: e.Entities,
				Transition: &tape.Transition{Machine: "payment", Entity: e.Transition.Entity, From: "Canceled", To: "Processing", Event: "process"},
			})
		}},
		{"paid twice", []string{"event.each", "machine.chain", "money.final"}, func(r *reel) {
			e := *r.move(0, "payment", "pay")
			r.insert(&e, e)
		}},
		{"a charge of another amount", []string{"money.charge"}, func(r *reel) {
			x := r.call(0, "chargeSavedCard", 200)
			x.Response.Body = r.reword(x.Response.Body, `"chargedAmount":5000`, `"chargedAmount":4999`)
		}},
		{"a charge although declined", []string{"money.charge"}, func(r *reel) {
			x := r.call(1, "chargeSavedCard", 200)
			x.Response.Body = r.reword(x.Response.Body, `"chargedAmount":0`, `"chargedAmount":5000`)
		}},
		{"an undocumented move", []string{"machine.moves"}, spliced("registration", "forget", "Pending", "Pending")},
		{"a move from another state", []string{"machine.chain"}, func(r *reel) {
			seq := r.move(0, "debit-authorisation", "create").Seq
			r.remove(func(e *tape.Entry) bool { return e.Seq == seq })
		}},
	}
}

// brokenPlans are mutants that collect on wrong days, or from the wrong payers.
func brokenPlans() []mutant {
	return []mutant{
		{"a month end that is not clamped", []string{"money.plan"}, func(r *reel) {
			e := r.monthly(2)
			e.Timer.Due += int64(72 * time.Hour)
		}},
		{"a due date at another hour", []string{"money.plan"}, func(r *reel) { r.monthly(1).Timer.Due += int64(time.Hour) * 2 }},
		{"a due date that is left out", []string{"money.plan"}, leaveOut},
		{"a due date twice", []string{"money.plan"}, func(r *reel) {
			e := *r.monthly(1)
			again := e
			r.insert(&e, again)
		}},
		{"a collection while paused", []string{"money.plan"}, func(r *reel) {
			paused := r.move(0, "plan", "pause")
			due := *r.find(0, func(e *tape.Entry) bool {
				return e.Timer != nil && e.Timer.Name == "plan-occurrence" && e.Entities[0] == paused.Transition.Entity
			}).Timer
			r.insert(paused, tape.Entry{At: paused.At, Kind: tape.KindTimer, Entities: slices.Clone(paused.Entities), Timer: &due})
		}},
		{"a payer who has not accepted", []string{"money.plan"}, unaccept},
	}
}

// monthly is the nth due date of the plan that is due every month.
func (r *reel) monthly(n int) *tape.Entry {
	r.tb.Helper()
	plan := r.move(0, "plan", "create").Transition.Entity
	return r.find(n, func(e *tape.Entry) bool {
		return e.Timer != nil && e.Timer.Name == "plan-occurrence" && e.Entities[0] == plan
	})
}

// leaveOut takes a due date out of the tape with all that came of it.
func leaveOut(r *reel) {
	gone := r.monthly(1).Seq
	ids := map[string]bool{}
	for i := range r.entries {
		if e := &r.entries[i]; e.Transition != nil && e.Cause == gone && e.Transition.Machine == "payment" {
			ids[e.Transition.Entity] = true
		}
	}
	r.remove(func(e *tape.Entry) bool {
		return e.Seq == gone || e.Cause == gone || len(e.Entities) > 0 && ids[e.Entities[0]]
	})
	events := map[string]bool{}
	for i := range r.entries {
		if e := r.entries[i].Event; e != nil {
			events[e.ID] = true
		}
	}
	r.remove(func(e *tape.Entry) bool { return e.Attempt != nil && !events[e.Attempt.Event] })
}

// unaccept takes the consent of a plan's payer out of the tape.
func unaccept(r *reel) {
	plan := r.monthly(0).Entities[0]
	call := r.find(0, func(e *tape.Entry) bool {
		return e.Exchange != nil && e.Exchange.Operation == "addPlanPayer" && slices.Contains(e.Entities, plan)
	})
	consent := r.find(0, func(e *tape.Entry) bool {
		return e.Transition != nil && e.Transition.Machine == "consent" && e.Cause == call.Seq
	}).Transition.Entity
	r.remove(func(e *tape.Entry) bool {
		return e.Transition != nil && e.Transition.Entity == consent && e.Transition.Event == "accept"
	})
}

package service

import (
	"slices"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// moveClauses are the clauses about the moves of machines, by their names.
var moveClauses = map[string]string{
	"payment": "payment.status.machine", "card-authorisation": "payment.card-auth.machine", "refund": "payment.refund.machine",
	"card-payment": "card-payment.machine", "debit-authorisation": "user.debit-auth.machine", "plan": "plan.status.machine",
	"consent": "consent.machine", "company": "company.kyb.final",
}

// documentedMoves looks every transition up in the tables.
func documentedMoves(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindTransition) {
		m := e.Transition
		table, known := machines[m.Machine]
		switch {
		case !known:
			y.ReviewAs("undocumented", "the machine "+m.Machine+", which is not documented", e.Seq)
		case !slices.Contains(table, [3]string{m.Event, m.From, m.To}):
			y.Breach(moveClauses[m.Machine], "a documented move of a "+m.Machine, moveText(m), "", e.Seq)
		default:
			y.Holds(e.Seq)
		}
	}
	t.Omitted(&y, tape.KindTransition)
	return y.Judgements("no change of state")
}

// moveText writes a transition for people.
func moveText(m *tape.Transition) string {
	from := m.From
	if from == "" {
		from = "nothing"
	}
	return m.Event + " from " + from + " to " + m.To
}

// thing is a resource on the tape: ids are unique within a machine at least.
type thing struct{ machine, id string }

// chainedMoves follows each resource from state to state.
func chainedMoves(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	last := map[thing]*tape.Entry{}
	for e := range t.Of(tape.KindTransition) {
		m := e.Transition
		key := thing{m.Machine, m.Entity}
		before := last[key]
		last[key] = e
		switch {
		case before == nil && m.From == "":
			y.Holds(e.Seq)
		case before == nil && t.Cut(tape.KindTransition):
			y.Open("how the "+m.Machine+" "+m.Entity+" came to be "+m.From+" is not on the tape", e.Seq)
		case before == nil:
			y.Breach(moveClauses[m.Machine], "the creation of the "+m.Machine+" "+m.Entity, moveText(m), "", e.Seq)
		case before.Transition.To != m.From && t.Stubbed(tape.KindTransition):
			y.Open("a change of the "+m.Machine+" "+m.Entity+" is not on the tape", before.Seq, e.Seq)
		case before.Transition.To != m.From:
			y.Breach(moveClauses[m.Machine], "the next change of the "+m.Machine+" begins at "+before.Transition.To, moveText(m), "", before.Seq, e.Seq)
		default:
			y.Holds(e.Seq)
		}
	}
	return y.Judgements("no change of state")
}

// moves are the documented moves of one machine: event, from, to; from "" is
// creation.
type moves [][3]string

// machines are the state machines as the specification (States and transitions)
// and the latitude ledger have them, by the names under which the tape knows
// them. The moves of the payment machine follow payment-machine, those of plans
// and consents plan-machine and consent paths, the others their rows.
var machines = map[string]moves{
	"company": {
		{"create", "", "Unverified"},
		{"verify", "Unverified", "Verified"},
		{"reject", "Unverified", "Rejected"},
	},
	"registration": {
		{"create", "", "Pending"},
		{"complete", "Pending", "Registered"},
		{"kyc-fail", "Pending", "Pending"},
		{"relink", "Registered", "Registered"},
	},
	"payment": {
		{"create", "", "Pending"},
		{"approve", "Pending", "Processing"},
		{"schedule", "Pending", "Scheduled"},
		{"queue", "Pending", "Queued"},
		{"review", "Pending", "InReview"},
		{"deny", "Pending", "Denied"},
		{"cancel", "Pending", "Canceled"},
		{"process", "Scheduled", "Processing"},
		{"cancel", "Scheduled", "Canceled"},
		{"process", "Queued", "Processing"},
		{"cancel", "Queued", "Canceled"},
		{"process", "InReview", "Processing"},
		{"deny", "InReview", "Denied"},
		{"cancel", "InReview", "Canceled"},
		{"pay", "Processing", "Paid"},
		{"fail", "Processing", "Failed"},
		{"return", "Paid", "Failed"},
	},
	"card-authorisation": {
		{"create", "", "Pending"},
		{"authorise", "Pending", "Authorised"},
		{"decline", "Pending", "Declined"},
		{"challenge", "Pending", "Challenged"},
		{"processor-error", "Pending", "Pending"},
		{"cancel", "Pending", "Canceled"},
		{"pass-challenge", "Challenged", "Authorised"},
		{"fail-challenge", "Challenged", "Declined"},
		{"cancel", "Authorised", "Canceled"},
		{"cancel", "Challenged", "Canceled"},
	},
	"saved-card-charge": {
		{"create", "", "Processing"},
		{"pay", "Processing", "Paid"},
		{"deny", "Processing", "Denied"},
		{"fail", "Processing", "Failed"},
	},
	"refund": {
		{"create", "", "Accepted"},
		{"complete", "Accepted", "Completed"},
		{"fail", "Accepted", "Failed"},
	},
	"debit-authorisation": {
		{"create", "", "Pending"},
		{"accept", "Pending", "Accepted"},
		{"decline", "Pending", "Declined"},
		{"disable", "Pending", "Disabled"},
		{"disable", "Accepted", "Disabled"},
	},
	"plan": {
		{"create", "", "Draft"},
		{"activate", "Draft", "Active"},
		{"cancel", "Draft", "Canceled"},
		{"draft", "Active", "Draft"},
		{"pause", "Active", "Paused"},
		{"fail", "Active", "Failed"},
		{"cancel", "Active", "Canceled"},
		{"complete", "Active", "Completed"},
		{"activate", "Paused", "Active"},
		{"cancel", "Paused", "Canceled"},
		{"activate", "Failed", "Active"},
		{"cancel", "Failed", "Canceled"},
	},
	"consent": {
		{"create", "", "Pending"},
		{"accept", "Pending", "Accepted"},
		{"decline", "Pending", "Declined"},
		{"decline", "Accepted", "Revoked"},
	},
	"card-payment": {
		{"create", "", "Pending"},
		{"succeed", "", "Succeeded"},
		{"fail", "", "Failed"},
		{"cancel", "", "Cancelled"},
		{"refund", "", "Refunded"},
		{"succeed", "Pending", "Succeeded"},
		{"fail", "Pending", "Failed"},
		{"cancel", "Pending", "Cancelled"},
		{"refund", "Succeeded", "Refunded"},
	},
	"webhook endpoint": {
		{"create", "", "Enabled"},
		{"disable", "Enabled", "Disabled"},
		{"enable", "Disabled", "Enabled"},
	},
}

// Moves are the documented moves of a machine: event, from and to each; from "" is
// creation. None for a machine that is not documented.
func Moves(machine string) [][3]string { return slices.Clone(machines[machine]) }

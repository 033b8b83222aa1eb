package check

import (
	"slices"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// machineChecks are the checks on state machines.
func machineChecks() []Check {
	return []Check{
		{
			ID: "machine.moves", Title: "Every change of state is a documented move",
			Clauses: []string{
				"payment.status.machine", "payment.card-auth.machine", "payment.refund.machine", "card-payment.machine",
				"user.debit-auth.machine", "plan.status.machine", "consent.machine", "company.kyb.final",
			}, Run: documented,
		},
		{
			ID: "machine.chain", Title: "Every change of state begins where the one before it has ended",
			Clauses: []string{
				"payment.status.machine", "payment.card-auth.machine", "payment.refund.machine", "card-payment.machine",
				"user.debit-auth.machine", "plan.status.machine", "consent.machine", "company.kyb.final",
			}, Run: chained,
		},
	}
}

// moveClauses are the clauses about the moves of machines, by their names.
var moveClauses = map[string]string{
	"payment": "payment.status.machine", "card-authorisation": "payment.card-auth.machine", "refund": "payment.refund.machine",
	"card-payment": "card-payment.machine", "debit-authorisation": "user.debit-auth.machine", "plan": "plan.status.machine",
	"consent": "consent.machine", "company": "company.kyb.final",
}

// documented looks every transition up in the tables.
func documented(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.of(tape.KindTransition) {
		m := e.Transition
		table, known := machines[m.Machine]
		switch {
		case !known:
			y.Add(verdict.Judgement{Word: verdict.Review, Entries: []uint64{e.Seq}, Received: "the machine " + m.Machine + ", which is not documented", Hint: "add its table to the checks"})
		case !slices.Contains(table, [3]string{m.Event, m.From, m.To}):
			y.Breach(moveClauses[m.Machine], "a documented move of a "+m.Machine, told(m), "see the state machines in the documentation", e.Seq)
		default:
			y.Holds(e.Seq)
		}
	}
	t.omitted(&y, tape.KindTransition)
	return y.Judgements("no change of state")
}

// told writes a transition for people.
func told(m *tape.Transition) string {
	from := m.From
	if from == "" {
		from = "nothing"
	}
	return m.Event + " from " + from + " to " + m.To
}

// thing is a resource on the tape: ids are unique within a machine at least.
type thing struct{ machine, id string }

// chained follows each resource from state to state.
func chained(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	last := map[thing]*tape.Entry{}
	for e := range t.of(tape.KindTransition) {
		m := e.Transition
		key := thing{m.Machine, m.Entity}
		before := last[key]
		last[key] = e
		const hint = "write a state in one place only, together with its entry on the tape"
		switch {
		case before == nil && m.From == "":
			y.Holds(e.Seq)
		case before == nil && t.cut(tape.KindTransition):
			y.Open("how the "+m.Machine+" "+m.Entity+" came to be "+m.From+" is not on the tape", e.Seq)
		case before == nil:
			y.Breach(moveClauses[m.Machine], "the creation of the "+m.Machine+" "+m.Entity, told(m), hint, e.Seq)
		case before.Transition.To != m.From && t.stubs[tape.KindTransition]:
			y.Open("a change of the "+m.Machine+" "+m.Entity+" is not on the tape", before.Seq, e.Seq)
		case before.Transition.To != m.From:
			y.Breach(moveClauses[m.Machine], "the next change of the "+m.Machine+" begins at "+before.Transition.To, told(m), hint, before.Seq, e.Seq)
		default:
			y.Holds(e.Seq)
		}
	}
	return y.Judgements("no change of state")
}

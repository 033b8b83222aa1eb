package infer

import (
	"fmt"
	"slices"

	"paysandbox/harness/check/service"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Contradiction is a state that a recording shows and that cannot follow what it
// showed before.
type Contradiction struct {
	Sight
	Machine, Before string
	// Earlier is what had shown the state before: its N, or its Heard.
	Earlier Sight
}

// Text tells it in one sentence.
func (c *Contradiction) Text() string {
	return fmt.Sprintf("the %s %s is %s after it was %s, which no move leads to", c.Machine, c.ID, c.Status, c.Before)
}

// Contradictions are those of the recording of a script. A webhook may come late.
func Contradictions(routes *correlate.Routes, r *recording.Recording, s *play.Script) []Contradiction {
	last, heard := map[string]Sight{}, map[string]int{}
	signed := slices.ContainsFunc(r.Received, func(w recording.Received) bool { return w.Signature == recording.Valid })
	var list []Contradiction
	done := 0
	for _, sight := range Sights(routes, r, s) {
		for ; done < sight.Step; done++ {
			if c := canceled(routes, &s.Steps[done]); c.ID != "" {
				last[c.about()] = c
			}
		}
		earlier := last[sight.about()]
		before := earlier.Status
		machine := machineOf(sight.Type, before, sight.Status)
		switch {
		case signed && sight.Heard > 0 && r.Received[sight.Heard-1].Signature == recording.Wrong: // somebody else's word
		case before == "" || Reachable(machine, before, sight.Status):
			last[sight.about()], heard[sight.about()] = sight, sight.Heard
		case sight.Heard == 0 && Reachable(machine, sight.Status, before) && unordered(r, heard[sight.about()], sight.N): // the webhook may have come behind the answer
			last[sight.about()] = sight
		case machine == "" || sight.Heard > 0 && Reachable(machine, sight.Status, before):
		default:
			list = append(list, Contradiction{Sight: sight, Machine: machine, Before: before, Earlier: earlier})
		}
	}
	return list
}

// unordered says whether nothing tells that a webhook, from 1, came before a call, from 0: they stand in two files, and one shows no times.
func unordered(r *recording.Recording, heard, n int) bool {
	if heard == 0 || n < 0 || n >= len(r.Exchanges) {
		return false
	}
	w, x := &r.Received[heard-1], &r.Exchanges[n]
	return w.Place.Source != x.Place.Source && (w.At.IsZero() || x.Begin.IsZero())
}

// canceled is the payment that a step has canceled, by its answer, which is empty.
func canceled(routes *correlate.Routes, step *play.Step) (s Sight) {
	if step.Call == nil || step.Call.N == play.Prelude || !prelude.Served(&step.Call.Exchange) {
		return s
	}
	if operation, params := routes.Match(step.Call.Exchange.Method, step.Call.Exchange.Path); trail.OperationNamed(operation).Cancels && len(params) > 0 {
		s = Sight{Type: correlate.Payment, ID: params[0].Text, Status: "Canceled", N: step.Call.N}
	}
	return s
}

// machineOf is the machine that has both states, of those that a type may be moved by;
// "" for none.
func machineOf(t correlate.Type, states ...string) string {
	machines := []string{t.Machine()}
	if t == correlate.Payment {
		machines = append(machines, "saved-card-charge", "card-authorisation")
	}
	if t == correlate.Reference {
		machines = []string{"company"}
	}
	for _, m := range machines {
		if m != "" && !slices.ContainsFunc(states, func(state string) bool { return state != "" && !has(m, state) }) {
			return m
		}
	}
	return ""
}

func has(machine, state string) bool {
	return slices.ContainsFunc(service.Moves(machine), func(m [3]string) bool { return m[2] == state })
}

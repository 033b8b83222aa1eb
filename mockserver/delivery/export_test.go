package delivery

import "paysandbox/mockserver/kernel"

// Step takes a step of a delivery that is in a state, and gives the next one.
func Step(from kernel.State, event string) kernel.State {
	d := delivery{state: from}
	d.step(event)
	return d.state
}

// Waiting tells how the control API shows a state, and whether an attempt is
// under way in it.
func Waiting(s kernel.State) (stage string, underWay bool) {
	if int(s) < len(stages) {
		stage = stages[s]
	}
	d := delivery{state: s}
	return stage, d.underWay()
}

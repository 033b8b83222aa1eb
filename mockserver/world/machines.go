package world

import (
	"slices"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
)

// byControl is the reason of a step that a control call asks for.
const byControl = "decided by control call"

// Machines lists every machine of the world, in the order of the
// specification's resources, and those of the webhooks behind them.
func Machines() []*kernel.Machine {
	return append([]*kernel.Machine{
		&CompanyMachine, &RegistrationMachine, &PaymentMachine, &CardAuthorisationMachine, &SavedCardChargeMachine,
		&RefundMachine, &DebitAuthorisationMachine, &PlanMachine, &ConsentMachine, &CardPaymentMachine,
	}, delivery.Machines()...)
}

// EventNames lists every webhook event once, in the order of the machines.
func EventNames() []string {
	names := []string{}
	for _, m := range Machines() {
		for _, mv := range m.Moves {
			if mv.Emits != "" && !slices.Contains(names, mv.Emits) {
				names = append(names, mv.Emits)
			}
		}
	}
	return names
}

// eventStatuses are those that events tell, of payments first. Nothing tells the
// states in which things begin.
func eventStatuses() []string {
	var list []string
	for _, m := range append([]*kernel.Machine{&PaymentMachine}, Machines()...) {
		for state, name := range m.States {
			told := slices.ContainsFunc(m.Moves, func(mv kernel.Move) bool { return mv.Emits != "" && int(mv.To) == state })
			if told && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

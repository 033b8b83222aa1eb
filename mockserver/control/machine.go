package control

import (
	"net/http"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// Machine is a declared state machine as data: what the console draws and what a
// coverage is a share of.
type Machine struct {
	// Name is the resource that the machine moves, as transitions on the tape name it.
	Name string `json:"name" required:"true" example:"payment"`
	// States are in declared order; Final are those that no event leads out of.
	States []string `json:"states" required:"true" nullable:"false" example:"[\"Pending\",\"Processing\",\"Paid\",\"Failed\"]"`
	Final  []string `json:"final" required:"true" nullable:"false" example:"[\"Failed\"]"`
	// Moves are all allowed steps, in declared order.
	Moves []MachineMove `json:"moves" required:"true" nullable:"false"`
	// Taped is false for a machine whose steps are not on the tape: a delivery, whose
	// attempts are there.
	Taped bool `json:"taped" required:"true" example:"true"`
}

// MachineMove is one allowed step of a machine.
type MachineMove struct {
	Event string `json:"event" required:"true" example:"approve"`
	// From is empty for a step that creates.
	From string `json:"from" required:"true" example:"Pending"`
	To   string `json:"to" required:"true" example:"Processing"`
	// Emits is the webhook event that the step sends; empty for none.
	Emits string `json:"emits" required:"true" example:"PAYMENT_STATUS_CHANGED"`
	// By is the control call that takes the step for whoever would, with {i} and {id}
	// to fill in; empty where no call does: time, or the partner, takes it.
	By string `json:"by" required:"true" example:"/_sandbox/integrations/{i}/payments/{id}/approve"`
}

// MachineList lists the machines in the order of the specification's resources,
// and those of webhooks behind them.
type MachineList struct {
	Machines []Machine `json:"machines" required:"true" nullable:"false"`
}

func listMachines(*exchange, *integration.Integration) (MachineList, error) {
	list := MachineList{}
	for _, m := range world.Machines() {
		list.Machines = append(list.Machines, machineView(m))
	}
	return list, nil
}

func machineView(m *kernel.Machine) Machine {
	v := Machine{Name: m.Name, States: m.States[1:], Final: []string{}, Moves: []MachineMove{}, Taped: m != &delivery.DeliveryMachine}
	for n, name := range m.States {
		if n > 0 && len(m.Legal(kernel.State(n))) == 0 {
			v.Final = append(v.Final, name)
		}
	}
	for _, mv := range m.Moves {
		move := MachineMove{Event: mv.Event, From: m.States[mv.From], To: m.States[mv.To], Emits: mv.Emits}
		if a, ok := actionFor(m.Name, mv.Event); ok && move.From != "" {
			move.By = a.path("{i}", "{id}", mv.Event)
		}
		v.Moves = append(v.Moves, move)
	}
	return v
}

func machineRoutes() []*route {
	return []*route{row("listMachines", http.MethodGet, Prefix+"/machines", reads(listMachines), nil, MachineList{}).
		About("Sandbox", "List the state machines: states, and which event leads from where to where").
		Says("These are the declared tables by which everything moves.")}
}

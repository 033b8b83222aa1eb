package delivery

import "paysandbox/mockserver/kernel"

// The states of a webhook endpoint.
const (
	Enabled kernel.State = iota + 1
	Disabled
)

// EndpointMachine switches a webhook endpoint. Latitude, retries.
var EndpointMachine = kernel.Machine{
	Name:   "webhook endpoint",
	States: []string{"", "Enabled", "Disabled"},
	Moves: []kernel.Move{
		{Event: "create", To: Enabled},
		{Event: "disable", From: Enabled, To: Disabled},
		{Event: "enable", From: Disabled, To: Enabled},
	},
}

// The states of a delivery.
const (
	// ready is a moment in which it is decided what comes next.
	ready     kernel.State = iota + 1
	gathered               // profile burst collects more
	late                   // profile reorder lets another one go first
	queued                 // an earlier event of its entity has to go first
	scheduled              // a timer is set
	inFlight               // an attempt is under way
	// inFlightTwice is profile parallel-duplicate: two attempts of the same moment
	// are under way, and halfDelivered one of them, the other having arrived well.
	inFlightTwice
	halfDelivered
	repeated  // delivered before, profile duplicate sends it once more
	delivered // the receiver has taken it
	givenUp
)

// The events of a delivery.
const (
	create        = "create"
	gather        = "gather"
	hold          = "hold"
	release       = "release"
	queue         = "queue"
	schedule      = "schedule"
	send          = "send"
	sendTwice     = "send-twice"
	firstArrives  = "first-arrives"
	firstFails    = "first-fails"
	arrive        = "arrive"
	repeat        = "repeat"
	fail          = "fail"
	giveUp        = "give-up"
	endRepetition = "end-repetition"
)

// DeliveryMachine moves one event on its way to one endpoint. Its steps are not
// on the tape, the attempts are.
var DeliveryMachine = kernel.Machine{
	Name: "webhook delivery",
	States: []string{
		"", "ready", "gathered", "late", "queued", "scheduled", "in-flight", "in-flight-twice", "half-delivered",
		"repeated", "delivered", "given-up",
	},
	Moves: []kernel.Move{
		{Event: create, To: ready},
		{Event: gather, From: ready, To: gathered},
		{Event: hold, From: ready, To: late},
		{Event: queue, From: ready, To: queued},
		{Event: schedule, From: ready, To: scheduled},
		{Event: send, From: ready, To: inFlight},
		{Event: sendTwice, From: ready, To: inFlightTwice},
		{Event: release, From: gathered, To: ready},
		{Event: giveUp, From: gathered, To: givenUp},
		{Event: release, From: late, To: ready},
		{Event: giveUp, From: late, To: givenUp},
		{Event: release, From: queued, To: ready},
		{Event: giveUp, From: queued, To: givenUp},
		{Event: release, From: scheduled, To: ready},
		{Event: giveUp, From: scheduled, To: givenUp},
		{Event: arrive, From: inFlight, To: delivered},
		{Event: fail, From: inFlight, To: ready},
		{Event: repeat, From: inFlight, To: repeated},
		{Event: giveUp, From: inFlight, To: givenUp},
		{Event: firstArrives, From: inFlightTwice, To: halfDelivered},
		{Event: firstFails, From: inFlightTwice, To: inFlight},
		{Event: giveUp, From: inFlightTwice, To: givenUp},
		{Event: arrive, From: halfDelivered, To: delivered},
		{Event: repeat, From: halfDelivered, To: repeated},
		{Event: giveUp, From: halfDelivered, To: givenUp},
		{Event: endRepetition, From: repeated, To: delivered},
		{Event: giveUp, From: repeated, To: givenUp},
	},
}

// Machines lists the machines of this package.
func Machines() []*kernel.Machine { return []*kernel.Machine{&EndpointMachine, &DeliveryMachine} }

// step is the only writer of a delivery's state. What the table does not list
// is a mistake of this package.
func (d *delivery) step(event string) {
	mv, ok := DeliveryMachine.Find(d.state, event)
	if !ok {
		panic("delivery: " + DeliveryMachine.Refusal(d.id, d.state, event).Error())
	}
	d.state = mv.To
}

// underWay says whether the receiver's answer is waited for.
func (d *delivery) underWay() bool { return d.state >= inFlight && d.state <= repeated }

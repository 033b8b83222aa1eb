package trail

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// The names of events. Specification, Events.
const (
	CompanyEvent = "COMPANY_VERIFICATION_STATUS_CHANGED"
	PaymentEvent = "PAYMENT_STATUS_CHANGED"
)

// Kind is what a harness has to know of a kind of resource, by the machine that moves
// it. A kind that the table does not have collects nothing and tells nothing.
type Kind struct {
	// Event is the name of the event that its changes send, empty for none, and ID the
	// member of the event's Data with its id. Latitude, payment-event.
	Event, ID string
	// Collects says that it collects money, and is Paid then.
	Collects bool
	// SendsBack says that its payer is led to a page, and back to the application.
	SendsBack bool
}

var kinds = map[string]Kind{
	"company":            {Event: CompanyEvent, ID: "CompanyId"},
	"payment":            {Event: PaymentEvent, ID: "PaymentId", Collects: true, SendsBack: true},
	"saved-card-charge":  {Event: PaymentEvent, ID: "PaymentId", Collects: true},
	"card-authorisation": {SendsBack: true},
	"registration":       {SendsBack: true},
}

// KindOf is what the table says of a machine.
func KindOf(machine string) Kind { return kinds[machine] }

// Collects says whether an entry changes a resource that collects money.
func Collects(e *tape.Entry) bool {
	return e.Transition != nil && kinds[e.Transition.Machine].Collects
}

// PaymentChanges are the changes of what collects money, by resource, oldest first.
func (t *Trail) PaymentChanges() map[string][]*tape.Entry {
	return Once(t, "payment changes", func() map[string][]*tape.Entry {
		by := map[string][]*tape.Entry{}
		for e := range t.Of(tape.KindTransition) {
			if Collects(e) {
				id := strings.ToLower(e.Transition.Entity)
				by[id] = append(by[id], e)
			}
		}
		return by
	})
}

// PaymentState is the state of a payment before an entry, "" when it is not known.
func (t *Trail) PaymentState(id string, before uint64) string {
	if e := LastBefore(t.PaymentChanges()[id], before); e != nil {
		return e.Transition.To
	}
	return ""
}

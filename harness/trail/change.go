package trail

import (
	"sort"
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

// Refunded are the payments that were refunded, wholly or in part, also where the answer was
// lost: an application may take that as a reversal.
func (t *Trail) Refunded() map[string]bool {
	return Once(t, "refunded", func() map[string]bool {
		ids := map[string]bool{}
		for _, c := range t.Calls() {
			if !OperationOf(c.Exchange).Refunds || !c.MayHaveActed() {
				continue
			}
			for _, id := range c.Entry.Entities {
				ids[strings.ToLower(id)] = true
			}
		}
		return ids
	})
}

// SameID compares ids, which are uuids in any case of letters.
func SameID(a, b string) bool { return a != "" && strings.EqualFold(a, b) }

// Changes are the transitions of one machine by their resources, oldest first.
func (t *Trail) Changes(machines ...string) map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.Of(tape.KindTransition) {
		for _, machine := range machines {
			if e.Transition.Machine == machine {
				id := strings.ToLower(e.Transition.Entity)
				by[id] = append(by[id], e)
			}
		}
	}
	return by
}

// LastBefore is the last of changes before an entry, nil for none.
func LastBefore(changes []*tape.Entry, before uint64) *tape.Entry {
	var last *tape.Entry
	for _, e := range changes {
		if e.Seq < before {
			last = e
		}
	}
	return last
}

// FirstInto is the change into a state, nil for none.
func FirstInto(changes []*tape.Entry, state string) *tape.Entry {
	for _, e := range changes {
		if e.Transition.To == state {
			return e
		}
	}
	return nil
}

// CreatedBy gives what each call has created.
func (t *Trail) CreatedBy() map[uint64][]string {
	ids := map[uint64][]string{}
	for e := range t.Of(tape.KindTransition) {
		if e.Transition.From == "" && e.Cause != 0 {
			ids[e.Cause] = append(ids[e.Cause], e.Transition.Entity)
		}
	}
	return ids
}

// Made is the resource of a machine that an entry has brought into being, "" for none.
func (t *Trail) Made(by uint64, machine string) string {
	for e := range t.Of(tape.KindTransition) {
		if e.Cause == by && e.Transition.Machine == machine && e.Transition.From == "" {
			return e.Transition.Entity
		}
	}
	return ""
}

// ReadsByID are the reads of the states of what collects money, or sends its payer back, by
// what the service says that they are about.
func (t *Trail) ReadsByID() map[string][]*tape.Entry { return Once(t, "reads", t.readReads) }

func (t *Trail) readReads() map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.CallEntries() {
		o := OperationOf(e.Exchange)
		if kind := KindOf(o.Kind); o.Reads != OneState || !kind.Collects && !kind.SendsBack {
			continue
		}
		for _, id := range e.Entities {
			id = strings.ToLower(id)
			by[id] = append(by[id], e)
		}
	}
	return by
}

// ReportsByID are the reports that an application has read, by the payments in them: one
// that polls learns from them, too. There are none of one that takes events, for which a
// report is mostly about something else.
func (t *Trail) ReportsByID() map[string][]*tape.Entry { return Once(t, "reports", t.readReports) }

func (t *Trail) readReports() map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	if !t.Polls() {
		return by
	}
	for e := range t.CallEntries() {
		if OperationOf(e.Exchange).Reads != Report || !Served(e.Exchange) {
			continue
		}
		for _, row := range ReadBody(e.Exchange.Response.Body).List("transactions") {
			if id := strings.ToLower(row.Text("paymentRequestId")); id != "" {
				by[id] = append(by[id], e)
			}
		}
	}
	return by
}

// ReadAfter is the first call after an entry by which the application has read the
// state of a payment.
func (t *Trail) ReadAfter(id string, since uint64) *tape.Entry {
	list := t.Calls()
	first := sort.Search(len(list), func(i int) bool { return list[i].Entry.Seq > since })
	for _, c := range list[first:] {
		if Served(c.Exchange) && t.ReadsState(c.Entry, id) {
			return c.Entry
		}
	}
	return nil
}

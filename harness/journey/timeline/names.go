package timeline

import (
	"cmp"
	"maps"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// names knows whom ids stand for.
type names struct {
	byID map[string]string
	// people are the names by number and address.
	people map[string]string
	// events are what events tell, by their ids.
	events map[string]said
	// amounts are those of refunds, by the calls that asked for them.
	refunds map[uint64]refundAsked
	created map[string]uint64
	// agreed are the consents that were given.
	agreed map[string]bool
	// asked are who was asked to authorise debits, by the calls.
	asked map[uint64]string
}

// said is what an event says.
type said struct{ name, entity, status string }

// namesOf reads the names that notes have given, and those that the bodies tell.
func namesOf(entries []tape.Entry) *names {
	n := &names{
		byID: map[string]string{}, people: map[string]string{}, events: map[string]said{}, refunds: map[uint64]refundAsked{},
		created: map[string]uint64{}, agreed: map[string]bool{}, asked: map[uint64]string{},
	}
	for i := range entries {
		n.learn(&entries[i])
	}
	for i := range entries {
		n.hear(&entries[i])
	}
	return n
}

// learn reads names.
func (n *names) learn(e *tape.Entry) {
	switch {
	case e.Exchange != nil && e.Exchange.Operation == "addNote":
		var d trail.Done
		if note := trail.NoteOf(e); note.Kind == trail.NoteDone && note.Into(&d) {
			maps.Copy(n.byID, d.Names)
		}
	case e.Exchange != nil && e.Exchange.Operation == "createCompany":
		x := trail.CallOf(e)
		n.name(x.Answered().Text("companyId"), x.Sent().Text("name"))
		n.name(strings.ToLower(x.Sent().Text("companyReferenceId")), x.Sent().Text("name"))
		n.people[x.Sent().Text("emailAddress")] = x.Sent().Text("name")
	case e.Exchange != nil && e.Exchange.Operation == "createPlan":
		x := trail.CallOf(e)
		n.name(x.Answered().Text("paymentPlanId"), x.Sent().Text("name"))
	}
}

// name gives a name to an id that has none.
func (n *names) name(id, name string) {
	if id != "" && name != "" && n.byID[id] == "" {
		n.byID[id] = name
	}
}

// hear reads what needs the names: who has which number, and what events tell.
func (n *names) hear(e *tape.Entry) {
	switch {
	case e.Exchange != nil && e.Exchange.Operation == "registerUser":
		x := trail.CallOf(e)
		if name := n.byID[x.Answered().Text("registrationId")]; name != "" {
			n.people[x.Sent().Text("mobileNumber")], n.people[x.Sent().Text("email")] = name, name
		}
	case e.Exchange != nil && trail.OperationOf(e.Exchange).Refunds:
		x := trail.CallOf(e)
		n.refunds[e.Seq] = refundAsked{payment: n.inPath(x, ""), amount: x.Sent().Cents("amount")}
	case e.Exchange != nil && e.Exchange.Operation == "requestDebitAuthorisation":
		n.asked[e.Seq] = n.inPath(trail.CallOf(e), "")
	case e.Transition != nil:
		n.change(e.Transition, e.Cause)
	case e.Event != nil && len(e.Entities) > 0:
		data := trail.ReadBody(e.Event.Body).Object("Data")
		n.events[e.Event.ID] = said{e.Event.Name, e.Entities[0], data.Text("Status")}
		if payer := n.byID[data.Text("RegistrationId")]; payer != "" && n.byID[e.Entities[0]] == "" {
			n.byID[e.Entities[0]] = payer + "'s " + Amount(data.Cents("Amount"))
		}
	}
}

// change reads what a change of state tells about who did what.
func (n *names) change(t *tape.Transition, cause uint64) {
	if t.From == "" {
		n.created[t.Entity] = cause
	}
	switch {
	case t.From == "" && t.Machine == "debit-authorisation":
		n.name(t.Entity, n.asked[cause])
	case t.Machine == "consent" && t.To == "Accepted":
		n.agreed[t.Entity] = true
	}
}

// who gives the name of an id, or the beginning of the id.
func (n *names) who(id string) string {
	if name := n.byID[id]; name != "" {
		return name
	}
	if name := n.byID[strings.ToLower(id)]; name != "" {
		return name
	}
	if len(id) > 8 {
		return id[:8]
	}
	return id
}

// person gives the name to a number or an address.
func (n *names) person(contact string) string {
	if name := n.people[contact]; name != "" {
		return name
	}
	return cmp.Or(n.byID[contact], contact)
}

// payerOf is the person in the name of a payment: the Dana of "Dana's 50.00".
func (n *names) payerOf(payment string) string {
	name, _, owned := strings.Cut(n.who(payment), "'s ")
	if owned {
		return name
	}
	return "payer"
}

package timeline

import (
	"cmp"
	"maps"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// cast knows whom ids stand for.
type cast struct {
	names map[string]string
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

// castOf reads the names that notes have given, and those that the bodies tell.
func castOf(entries []tape.Entry) *cast {
	c := &cast{
		names: map[string]string{}, people: map[string]string{}, events: map[string]said{}, refunds: map[uint64]refundAsked{},
		created: map[string]uint64{}, agreed: map[string]bool{}, asked: map[uint64]string{},
	}
	for i := range entries {
		c.learn(&entries[i])
	}
	for i := range entries {
		c.hear(&entries[i])
	}
	return c
}

// learn reads names.
func (c *cast) learn(e *tape.Entry) {
	switch {
	case e.Exchange != nil && e.Exchange.Operation == "addNote":
		var d trail.Done
		if n := trail.NoteOf(e); n.Kind == trail.NoteDone && n.Into(&d) {
			maps.Copy(c.names, d.Names)
		}
	case e.Exchange != nil && e.Exchange.Operation == "createCompany":
		x := trail.CallOf(e)
		c.name(x.Answered().Text("companyId"), x.Sent().Text("name"))
		c.name(strings.ToLower(x.Sent().Text("companyReferenceId")), x.Sent().Text("name"))
		c.people[x.Sent().Text("emailAddress")] = x.Sent().Text("name")
	case e.Exchange != nil && e.Exchange.Operation == "createPlan":
		x := trail.CallOf(e)
		c.name(x.Answered().Text("paymentPlanId"), x.Sent().Text("name"))
	}
}

// name gives a name to an id that has none.
func (c *cast) name(id, name string) {
	if id != "" && name != "" && c.names[id] == "" {
		c.names[id] = name
	}
}

// hear reads what needs the names: who has which number, and what events tell.
func (c *cast) hear(e *tape.Entry) {
	switch {
	case e.Exchange != nil && e.Exchange.Operation == "registerUser":
		x := trail.CallOf(e)
		if name := c.names[x.Answered().Text("registrationId")]; name != "" {
			c.people[x.Sent().Text("mobileNumber")], c.people[x.Sent().Text("email")] = name, name
		}
	case e.Exchange != nil && trail.OperationOf(e.Exchange).Refunds:
		x := trail.CallOf(e)
		c.refunds[e.Seq] = refundAsked{payment: c.inPath(x, ""), amount: x.Sent().Cents("amount")}
	case e.Exchange != nil && e.Exchange.Operation == "requestDebitAuthorisation":
		c.asked[e.Seq] = c.inPath(trail.CallOf(e), "")
	case e.Transition != nil:
		c.change(e.Transition, e.Cause)
	case e.Event != nil && len(e.Entities) > 0:
		data := trail.ReadBody(e.Event.Body).Object("Data")
		c.events[e.Event.ID] = said{e.Event.Name, e.Entities[0], data.Text("Status")}
		if payer := c.names[data.Text("RegistrationId")]; payer != "" && c.names[e.Entities[0]] == "" {
			c.names[e.Entities[0]] = payer + "'s " + Amount(data.Cents("Amount"))
		}
	}
}

// change reads what a change of state tells about who did what.
func (c *cast) change(t *tape.Transition, cause uint64) {
	if t.From == "" {
		c.created[t.Entity] = cause
	}
	switch {
	case t.From == "" && t.Machine == "debit-authorisation":
		c.name(t.Entity, c.asked[cause])
	case t.Machine == "consent" && t.To == "Accepted":
		c.agreed[t.Entity] = true
	}
}

// who gives the name of an id, or the beginning of the id.
func (c *cast) who(id string) string {
	if name := c.names[id]; name != "" {
		return name
	}
	if name := c.names[strings.ToLower(id)]; name != "" {
		return name
	}
	if len(id) > 8 {
		return id[:8]
	}
	return id
}

// person gives the name to a number or an address.
func (c *cast) person(contact string) string {
	if name := c.people[contact]; name != "" {
		return name
	}
	return cmp.Or(c.names[contact], contact)
}

// payerOf is the person in the name of a payment: the Dana of "Dana's 50.00".
func (c *cast) payerOf(payment string) string {
	name, _, owned := strings.Cut(c.who(payment), "'s ")
	if owned {
		return name
	}
	return "payer"
}

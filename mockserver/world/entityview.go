package world

import (
	"strconv"

	"paysandbox/mockserver/secret"
)

// This file tells what somebody who looks is shown of a row of each kind.

func (w *World) seeCompany(c *company, e *Entity) {
	var t NewCompany
	w.texts.Unpack(c.details, &t)
	e.Created, e.Summary = c.created, w.texts.String(c.name)
	e.fact("companyReferenceId", w.texts.String(c.reference))
	e.fact("emailAddress", w.texts.String(c.email))
	e.fact("contactNumber", t.ContactNumber)
	e.fact("city", t.City)
	e.fact("state", t.State)
	e.flag("bankConnected", c.bankConnected)
}

func (w *World) seeLocation(l *location, e *Entity) {
	var t NewLocation
	w.texts.Unpack(l.texts, &t)
	e.Summary = firstText(t.Name, t.StreetNumberAndName, t.ZipCode)
	e.fact("name", t.Name)
	e.fact("streetNumberAndName", t.StreetNumberAndName)
	e.fact("zipCode", t.ZipCode)
	e.fact("city", t.City)
	e.fact("state", t.State)
	e.ofCompany(w, l.company)
}

// payerName is how a person knows a payer.
func (w *World) payerName(n uint32) string {
	p := w.payers.At(n)
	return firstText(w.texts.String(p.name), w.texts.String(p.email), w.texts.String(p.phone), "somebody")
}

func (w *World) companyName(n uint32) string {
	if n == 0 {
		return "no company"
	}
	return w.texts.String(w.companies.At(n).name)
}

func (w *World) seePayer(p *payer, e *Entity) {
	e.Created = p.created
	e.Summary = firstText(w.texts.String(p.name), w.texts.String(p.email), w.texts.String(p.phone))
	e.fact("name", w.texts.String(p.name))
	e.fact("emailAddress", w.texts.String(p.email))
	e.fact("contactNumber", w.texts.String(p.phone))
	e.fact("purpose", w.texts.String(p.purpose))
	if p.amount != 0 {
		e.Amount = new(p.amount)
	}
	if mask := w.accountMask(p); mask != nil {
		e.fact("accountMask", *mask)
	}
}

func (w *World) seePayment(p *payment, e *Entity) {
	var t paymentTexts
	w.texts.Unpack(p.texts, &t)
	e.Amount, e.Created = new(p.amount), p.created
	e.Summary = Dollars(p.amount) + " from " + w.payerName(p.payer) + " to " + w.companyName(p.company)
	if t.ShortDescription != "" {
		e.Summary += ": " + t.ShortDescription
	}
	e.fact("paymentType", kindNames[p.kind])
	e.cents("refundedAmount", p.refunded)
	e.fact("dueDate", dateText(p.dueDate()))
	e.fact("shortDescription", t.ShortDescription)
	for _, m := range t.Marks() {
		e.fact(m.Name, m.Value)
	}
	e.fact("metadata", t.Metadata)
	e.fact("returnUrl", secret.Address(t.returnURL))
	e.fact("feePayer", feePayers[p.feePayer])
	if p.debitLimit > 0 {
		e.cents("debitLimit", p.debitLimit)
	}
	e.ofCompany(w, p.company)
	e.ofPayer(w, p.payer)
	e.ofLocation(w, p.location)
	e.ofPlan(w, p.plan)
}

func (w *World) seeCardAuth(a *cardAuth, e *Entity) {
	e.Amount, e.Created = new(a.amount), a.created
	e.Summary = "a card for " + Dollars(a.amount) + " of " + w.payerName(a.payer)
	e.fact("card", a.card.shown())
	e.fact("returnUrl", secret.Address(w.texts.String(a.returnURL)))
	e.ofCompany(w, a.company)
	e.ofPayer(w, a.payer)
	e.ofLocation(w, a.location)
	e.ofPayment(w, a.payment)
}

// shown is a card as a person knows it; "" for none.
func (c *keptCard) shown() string {
	if c.brand == 0 {
		return ""
	}
	return cardBrands[c.brand] + " " + string(c.last4[:])
}

func (w *World) seeCard(c *card, e *Entity) {
	e.ID = methodID(c.id)
	e.Summary = c.shown() + " of " + w.payerName(c.payer)
	e.fact("outcome", string(cardBehaviours[c.behaviour]))
	e.fact("expires", strconv.Itoa(int(c.expMonth))+"/"+strconv.Itoa(int(c.expYear)))
	e.ofPayer(w, c.payer)
}

func (w *World) seeRefund(r *refund, e *Entity) {
	e.Amount, e.Created = new(r.amount), r.created
	e.Summary = Dollars(r.amount) + " back"
	if text := w.texts.String(r.description); text != "" {
		e.Summary += ": " + text
	}
	e.fact("description", w.texts.String(r.description))
	e.ofPayment(w, r.payment)
}

func (w *World) seeDebitAuth(d *debitAuth, e *Entity) {
	e.Amount, e.Created = new(d.limit), d.created
	e.Summary = w.companyName(d.company) + " may take up to " + Dollars(d.limit) + " from " + w.payerName(d.payer)
	e.ofCompany(w, d.company)
	e.ofPayer(w, d.payer)
}

func (w *World) seePlan(p *plan, e *Entity) {
	var t planTexts
	w.texts.Unpack(p.texts, &t)
	e.Amount, e.Created = new(p.amount), p.created
	e.Summary = Dollars(p.amount) + " " + p.every()
	if name := firstText(t.name, t.shortDescription); name != "" {
		e.Summary += ": " + name
	}
	e.fact("name", t.name)
	e.fact("startDate", dayText(p.start))
	e.fact("endDate", dayText(p.end))
	if due, ok := p.dueDate(p.next); ok && p.state == PlanActive {
		e.fact("nextDueDate", dateText(due))
	}
	e.fact("payers", strconv.Itoa(int(p.payers)))
	e.fact("acceptedPayers", strconv.Itoa(int(p.accepted)))
	e.fact("feePayer", feePayers[p.feePayer])
	e.ofCompany(w, p.company)
}

func (w *World) seeConsent(c *consent, e *Entity) {
	e.Created, e.Summary = c.created, "of "+w.payerName(c.payer)
	e.fact("failuresInARow", strconv.Itoa(int(c.failures)))
	e.ofPlan(w, c.plan)
	e.ofPayer(w, c.payer)
}

func (w *World) seeCardPayment(p *cardPayment, e *Entity) {
	var t NewCardPayment
	w.texts.Unpack(p.texts, &t)
	e.Amount, e.Created = new(p.amount), p.created
	e.Summary = Dollars(p.amount) + " on a terminal, from " + t.MobileNumber
	e.fact("cardType", t.CardType)
	e.fact("mobileNumber", t.MobileNumber)
	e.fact("email", t.Email)
	e.fact("merchantId", t.MerchantID)
	e.fact("patientReferenceNumber", t.PatientReferenceNumber)
	e.ofCompany(w, p.company)
}

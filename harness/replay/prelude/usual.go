package prelude

import (
	"encoding/json"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// usual are the canonical bodies of the operations.
var usual = map[string]string{
	"createToken": "token", "createTokenGuide": "token", "createCompany": "company-create", "addLocation": "location-add",
	"createExternalAuthLink": "external-auth-link", "registerUser": "user-register", "requestDebitAuthorisation": "debit-auth",
	"createPayment": "payment-create", "authoriseCard": "card-auth", "chargeSavedCard": "charge-saved-card", "refundPayment": "refund",
	"registerCardPayment": "card-payment", "createPlan": "plan-create", "createRecurring": "recurring",
}

// called gives the usual body of a company the reference and the name that the
// recording calls it by later.
func (b *builder) called(operation string, raw []byte, x *recording.Exchange) []byte {
	var body map[string]any
	if !Served(x) || json.Unmarshal(raw, &body) != nil {
		return raw
	}
	switch answer := trail.ReadBody(x.Answer.Body); operation {
	case "createPayment": // to a payer and a place that are surely there
		delete(body, "locationId")
		delete(body, "registrationId")
	case "registerUser": // nothing shows that it asked for a payment
		delete(body, "amount")
		delete(body, "period")
	case "chargeSavedCard":
		delete(body, "locationId")
		if charged, told := answer.Whole("chargedAmount"); told && charged > 0 {
			body["amount"] = charged
		}
		if payer := answer.Text("registrationId"); payer != "" {
			body["registrationId"] = payer
			b.chargeable(body, payer)
		}
	}
	if operation != "createCompany" {
		return trail.Quote(body)
	}
	ref, name := b.listed(trail.ReadBody(x.Answer.Body).Text("companyId"))
	if ref == "" {
		ref = b.onlyReference()
	}
	if ref != "" {
		body["companyReferenceId"] = ref
	}
	if name != "" {
		body["name"] = name
	}
	return trail.Quote(body)
}

// chargeable gives the usual charge of a payer a card that the recording lists for it.
func (b *builder) chargeable(body map[string]any, payer string) {
	for i := range b.rec.Exchanges {
		answer := trail.ReadBody(b.rec.Exchanges[i].Answer.Body)
		for _, card := range answer.List("paymentMethods") {
			if answer.Text("registrationId") == payer && card.Text("id") != "" {
				body["paymentMethodId"] = card.Text("id")
				return
			}
		}
	}
}

// listed are the reference and the name of a company in a list that was answered.
func (b *builder) listed(id string) (ref, name string) {
	for i := range b.rec.Exchanges {
		for _, row := range trail.ReadBody(b.rec.Exchanges[i].Answer.Body).List("companies") {
			if id != "" && row.Text("id") == id {
				return row.Text("referenceId"), row.Text("name")
			}
		}
	}
	return "", ""
}

// onlyReference is the reference that the recording takes, "" for none or several.
func (b *builder) onlyReference() string {
	only := ""
	for _, one := range b.facts.list {
		if one.Type != correlate.Reference || trail.IsUUID(one.Text) || one.Text == only {
			continue
		}
		if only != "" {
			return ""
		}
		only = one.Text
	}
	return only
}

package prelude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/trail"
)

// everything makes what the recording takes for granted, in the order in which one
// thing needs another.
func (b *builder) everything() {
	b.companies()
	for _, t := range []correlate.Type{correlate.Registration, correlate.Card, correlate.Plan, correlate.Consent, correlate.Payment} {
		for _, one := range b.facts.list {
			if _, made := b.facts.made[key(one.Value)]; one.Type != t || made || t == correlate.Payment && b.collected(one) {
				continue
			}
			if len(b.before) >= most {
				b.notes = append(b.notes, fmt.Sprintf("More was there before the recording than %d calls can make: the %s %s and what comes after it have no stand-in.", most, one.Type, one.Text))
				return
			}
			b.standIn(one)
		}
	}
	b.terminals()
}

func (b *builder) standIn(one *fact) {
	switch one.Type {
	case correlate.Registration:
		b.payer(one)
	case correlate.Card:
		b.card(one)
	case correlate.Plan:
		b.call("/PaymentPlan/Create", b.planBody(one), "a plan was there before the recording begins", stand(one, "/paymentPlanId"))
	case correlate.Consent:
		b.call("/PaymentPlan/"+one.plan+"/Payers", map[string]any{"registrationId": one.registration}, "the payer "+one.registration+" was asked for consent before the recording begins", stand(one, "/consentId"))
	case correlate.Payment:
		b.payment(one)
	default:
	}
}

func stand(one *fact, where string) correlate.Value {
	return correlate.Value{Type: one.Type, Text: one.Text, Where: where}
}

// companies makes those that are named, and one where money is collected for none.
func (b *builder) companies() {
	refs, ids, locations := b.named()
	for n, id := range ids {
		ref := id.companyRef
		if i := refNamed(refs, ref); i >= 0 {
			refs = slices.Delete(refs, i, i+1)
		} else if ref == "" && len(refs) > 0 && n == 0 {
			ref, refs = refs[0].Text, refs[1:]
		}
		b.company(ref, id, locations)
		locations = nil
	}
	for _, ref := range refs {
		b.company(ref.Text, nil, locations)
		locations = nil
	}
	if len(ids)+len(refs) == 0 && (len(locations) > 0 || b.collectsFirst()) {
		b.company("", nil, locations)
	}
}

// named are the companies that the recording names and has not made, by their
// references and ids, and their locations.
func (b *builder) named() (refs, ids, locations []*fact) {
	for i := range b.rec.Exchanges { // which company was made is not told
		x := &b.rec.Exchanges[i]
		if op, _ := b.routes.Match(x.Method, x.Path); op == "createCompany" && Served(x) && x.BodyMissing {
			return nil, nil, nil
		}
	}
	for _, one := range b.facts.list {
		if _, made := b.facts.made[key(one.Value)]; made || b.facts.named(one) {
			continue
		}
		switch {
		case one.Type == correlate.Company, one.Type == correlate.Reference && trail.IsUUID(one.Text):
			ids = append(ids, one)
		case one.Type == correlate.Reference:
			refs = append(refs, one)
		case one.Type == correlate.Location:
			locations = append(locations, one)
		}
	}
	return refs, distinct(ids), locations
}

// distinct leaves out an id that is there twice: as an id and in a path.
func distinct(list []*fact) []*fact {
	var kept []*fact
	for _, one := range list {
		known := false
		for _, k := range kept {
			known = known || strings.EqualFold(k.Text, one.Text)
		}
		if !known {
			kept = append(kept, one)
		}
	}
	return kept
}

func refNamed(refs []*fact, name string) int {
	for i, r := range refs {
		if name != "" && strings.EqualFold(r.Text, name) {
			return i
		}
	}
	return -1
}

// collectsFirst says whether money is collected before any company was made, or in payments that events alone tell of.
func (b *builder) collectsFirst() bool {
	before := func(one *fact) bool {
		_, made := b.facts.made[key(one.Value)]
		return !made && (one.Type == correlate.Payment || one.Type == correlate.Plan)
	}
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		op, _ := b.routes.Match(x.Method, x.Path)
		switch o := trail.OperationNamed(op); {
		case op == "createCompany" && x.Answer.Status < 400:
			return slices.ContainsFunc(b.facts.list, func(one *fact) bool {
				return before(one) && one.first == len(b.rec.Exchanges) && !b.collected(one)
			})
		case op == "getDefaultCompanyStatus" && Served(x), o.Company && x.Answer.Status != 401:
			return true
		}
	}
	return slices.ContainsFunc(b.facts.list, before)
}

// company makes a company and, where nothing says otherwise, has it verified.
func (b *builder) company(ref string, id *fact, locations []*fact) {
	n := len(b.before)
	var body map[string]any
	if json.Unmarshal(fixtures.CompanyJSON(n), &body) != nil {
		return
	}
	if ref == "" {
		ref = b.merchant()
	}
	who := "the company " + ref
	if ref == "" {
		ref = fmt.Sprintf("company-before-%d", n)
		who = "a company, which is called " + ref + " here,"
	}
	body["companyReferenceId"] = ref
	var stands []correlate.Value
	status := ""
	if id != nil {
		stands = append(stands, correlate.Value{Type: correlate.Company, Text: id.Text, Where: "/companyId"})
		status = id.status
		if id.name != "" {
			body["name"] = id.name
		}
	}
	b.known(id, body)
	listed, known := b.locationsOf(ref, id)
	if known {
		body["locations"] = listed.rows
		locations = slices.DeleteFunc(slices.Clone(locations), func(l *fact) bool { return slices.Contains(listed.ids, l.Text) })
	}
	body["locations"] = manyLocations(body["locations"], len(listed.ids)+len(locations))
	for _, l := range locations {
		listed.ids = append(listed.ids, l.Text)
	}
	for i, l := range listed.ids {
		stands = append(stands, correlate.Value{Type: correlate.Location, Text: l, Where: fmt.Sprintf("/locationIds/%d", i)})
	}
	b.call("/Company/Create", body, who+" was there before the recording begins", stands...)
	if b.world == "rehearsal" && status != "Unverified" && status != "Rejected" {
		b.move("/companies/"+ref+"/kyb", map[string]any{"outcome": "verified"}, who+" was verified before the recording begins")
	}
}

// payer registers a payer, who has linked a bank where the recording shows or needs it.
func (b *builder) payer(one *fact) {
	body := map[string]any{"redirectUrl": "https://partner.example.com/welcome"}
	if !reached(body, one.sender, "mobileNumber", "email") {
		body["mobileNumber"] = fmt.Sprintf("+120255501%02d", 10+len(b.before)%80)
	}
	b.call("/User/Register", body, "the payer "+one.Text+" was registered before the recording begins", stand(one, "/registrationId"))
	if one.status == "Pending" || one.unasked() {
		return
	}
	b.move("/registrations/"+one.Text+"/complete", map[string]any{"accountNumber": Account(one.mask)}, "the payer had linked a bank account ending "+lastDigits(one.mask))
	b.debits(one.Text)
}

// Account is an account number that looks like a mask, and nothing happens to.
func Account(mask string) string { return "99999999" + lastDigits(mask) }

func lastDigits(mask string) string {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, mask)
	if len(digits) < 4 {
		return "1111"
	}
	return digits[len(digits)-4:]
}

// card saves a card of the payer that it was charged for.
func (b *builder) card(one *fact) {
	registration, shown := "", false
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		sent := trail.ReadBody(x.Body)
		if charged := strings.EqualFold(sent.Text("paymentMethodId"), one.Text); charged {
			registration = cmp.Or(registration, sent.Text("registrationId"))
			shown = shown || Served(x) // so it was there, and is saved before that call
		}
		shown = shown || bytes.Contains(x.Answer.Body, []byte(one.Text))
	}
	if registration == "" {
		return
	}
	if at, made := b.facts.made[key(correlate.Value{Type: correlate.Registration, Text: registration})]; made && shown {
		return
	} else if made {
		b.notes = append(b.notes, fmt.Sprintf("The payment method %s of a payer that call %d has made is shown by no answer: it cannot be stood in for.", one.Text, at+1))
		return
	}
	b.move("/payment-methods", map[string]any{"registrationId": registration, "card": CardOf(b.rec, one.Text, one.lastFour)},
		"a card was saved before the recording begins", stand(one, "/id"))
}

// payment requests a payment of the amount that was seen.
func (b *builder) payment(one *fact) {
	amount := one.amount
	if amount <= 0 {
		amount = cmp.Or(one.least, one.left, 5000)
	}
	body := map[string]any{"amount": amount}
	switch {
	case one.registration != "" && !one.unlinked:
		body["registrationId"] = one.registration
	case one.mask != "":
		payer := &fact{Value: correlate.Value{Type: correlate.Registration, Text: "payer of " + one.Text}, mask: one.mask, sender: one.sender}
		b.payer(payer)
		body["registrationId"] = payer.Text
	case !reached(body, one.sender, "contactNumber", "emailAddress"):
		body["contactNumber"] = b.contact(one.registration)
	}
	b.fillIn(one, body)
	if one.reference != "" {
		body["reference"] = one.reference
	}
	stands := []correlate.Value{stand(one, "/paymentRequestId")}
	if one.registration != "" && one.unlinked {
		stands = append(stands, correlate.Value{Type: correlate.Registration, Text: one.registration, Where: "/registrationPersonId"})
	}
	b.call("/Payment/Create", body, fmt.Sprintf("the payment %s of %d cents was requested before the recording begins", one.Text, amount), stands...)
}

func (b *builder) planBody(one *fact) map[string]any {
	body := map[string]any{}
	raw, err := fixtures.Payload("plan-create")
	if err == nil {
		_ = json.Unmarshal(raw, &body)
	}
	body["startDate"] = b.begin.AddDate(0, 0, 1).Format("2006-01-02")
	for _, member := range []string{"name", "amount", "intervalValue", "intervalUnit", "occurrences", "shortDescription", "feePayer"} {
		if v, told := one.terms[member]; v != nil {
			body[member] = v
		} else if told {
			delete(body, member)
		}
	}
	if day := one.terms.Text("startDate"); day > body["startDate"].(string) { //nolint:forcetypeassert // it was just set
		body["startDate"] = day
	}
	maps.DeleteFunc(body, func(name string, _ any) bool {
		return slices.Contains([]string{"endDate", "companyId", "companyReferenceId"}, name)
	})
	return body
}

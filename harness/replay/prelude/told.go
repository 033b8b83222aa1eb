package prelude

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/trail"
)

// details notes what the details of a payment, or its row in a report, tell of it.
func (one *fact) details(b trail.Body) {
	one.created, one.due = cmp.Or(one.created, b.Text("creationDate")), cmp.Or(one.due, b.Text("dueDate"))
	one.debit = whole(one.debit, b.Object("debitAuth"), "limit")
	one.sender = cmp.Or(one.sender, b.Text("senderName"))
	if one.metadata == nil {
		one.metadata = b.Object("metadata")
	}
}

// atTerminal notes a payment at a terminal, which a report alone shows. Those that the recording registers come last.
func (f *facts) atTerminal(n int, row trail.Body) {
	if slices.ContainsFunc(f.terminals, func(was trail.Body) bool { return was.Text("externalTransferId") == row.Text("externalTransferId") }) || row.Text("paymentMethod") != "CardTerminal" {
		return
	}
	transfer := key(correlate.Value{Type: correlate.Payment, Text: row.Text("externalTransferId")}) // which is no payment request's
	if one := f.byKey[transfer]; one != nil && one.first == n && !one.used {
		delete(f.byKey, transfer)
		f.list = slices.DeleteFunc(f.list, func(other *fact) bool { return other == one })
	}
	f.terminals = append(f.terminals, row)
	f.registered = 0
	for i := range min(n, len(f.rec.Exchanges)) {
		x := &f.rec.Exchanges[i]
		if op, _ := f.routes.Match(x.Method, x.Path); op == "registerCardPayment" && (Served(x) || Lost(x)) {
			f.registered++
		}
	}
}

// merchant is the reference by which terminals name a company that a report calls by its name; "" where none does, or several do.
func (b *builder) merchant() string {
	found := ""
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		if op, _ := b.routes.Match(x.Method, x.Path); op != "registerCardPayment" {
			continue
		}
		name := trail.ReadBody(x.Body).Text("merchantId")
		if found != "" && name != found {
			return ""
		}
		found = name
	}
	if _, made := b.facts.made[key(correlate.Value{Type: correlate.Reference, Text: found})]; made || trail.IsUUID(found) {
		return ""
	}
	if !slices.ContainsFunc(b.facts.terminals, func(row trail.Body) bool { return row.Text("recipientName") != found }) {
		return "" // no company has it
	}
	return found
}

// terminals registers the payments at terminals that were there before.
func (b *builder) terminals() {
	for _, row := range b.facts.terminals[:max(0, len(b.facts.terminals)-b.facts.registered)] {
		var body map[string]any
		raw, err := fixtures.Payload("card-payment")
		if err != nil || json.Unmarshal(raw, &body) != nil || len(b.before) >= most {
			return
		}
		body["amount"], body["patientReferenceNumber"] = row.Get("amount"), row.Text("reference")
		body["transactionStatus"] = cmp.Or(map[string]string{"Completed": "Succeeded", "Failed": "Failed", "Cancelled": "Cancelled", "Refunded": "Refunded"}[row.Text("status")], "Pending")
		body["merchantId"] = cmp.Or(row.Text("recipientName"), "merchant-before") // as a merchant that is no company is told
		for _, step := range b.before {                                           // which is the company that it went to, where its name is told
			if c := step.Call; c != nil && c.Exchange.Path == "/Company/Create" && trail.ReadBody(c.Exchange.Body).Text("name") == row.Text("recipientName") {
				body["merchantId"] = trail.ReadBody(c.Exchange.Body).Text("companyReferenceId")
			}
		}
		reached(body, row.Text("senderName"), "mobileNumber", "email")
		b.call("/CardPayment", body, fmt.Sprintf("a payment of %v cents at a terminal was there before the recording begins", row.Get("amount")))
	}
}

// recipient notes a company that money went to.
func (f *facts) recipient(b trail.Body) {
	if of := b.Object("recipientCompany"); of != nil { // as a consent has it
		b = trail.Body{
			"recipientName": of["name"], "recipientAddress": map[string]any(of.Object("address")), "emailAddress": of["emailAddress"],
			"contactPhoneNumber": of["contactNumber"], "websiteUrl": of["websiteUrl"],
		}
	}
	name := b.Text("recipientName")
	i := slices.IndexFunc(f.paid, func(was trail.Body) bool { return was.Text("recipientName") == name })
	if name == "" || b.Object("recipientAddress") == nil {
		return
	}
	if i < 0 {
		f.paid = append(f.paid, b)
	} else if f.paid[i].Text("emailAddress") == "" {
		f.paid[i] = b // the details of a payment tell more than a report
	}
}

// fillIn gives a payment's body what the recording tells of the payment later.
func (b *builder) fillIn(one *fact, body map[string]any) {
	if day, _, _ := strings.Cut(one.due, "T"); day >= b.begin.Format("2006-01-02") {
		body["dueDate"] = day
	}
	if one.metadata != nil {
		body["metadata"] = one.metadata
	}
	if one.debit > 0 {
		body["enableDebitAuth"], body["debitAuthLimit"] = true, one.debit
	}
}

// reached gives a body the number or address by which a payer is told to be reached, and says
// whether one is told.
func reached(body map[string]any, sender, number, mail string) bool {
	switch {
	case strings.HasPrefix(sender, "+"):
		body[number] = sender
	case strings.Contains(sender, "@"):
		body[mail] = sender
	default:
		return false
	}
	return true
}

// known gives a company the name and the address that the recording tells of where money went: that
// of its name, or of the only one.
func (b *builder) known(one *fact, body map[string]any) {
	if len(b.facts.paid) == 0 {
		return
	}
	refs, ids, _ := b.named()
	for _, paid := range b.facts.paid {
		name := paid.Text("recipientName")
		if one != nil && one.name != "" && one.name != name || (one == nil || one.name == "") && (several(refs, ids) || len(b.facts.paid) > 1) || b.createdHere(name) {
			continue
		}
		asPaid(body, paid)
		return
	}
}

// asPaid gives a company's body what is told of where money went.
func asPaid(body map[string]any, paid trail.Body) {
	body["name"] = paid.Text("recipientName")
	address := paid.Object("recipientAddress")
	delete(body, "apartmentNumber")
	for member := range standing {
		if text := address.Text(member); text != "" {
			body[member] = text
		}
	}
	if url, shown := paid["websiteUrl"]; shown && url == nil {
		delete(body, "websiteUrl")
	}
	for member, with := range map[string]string{"emailAddress": paid.Text("emailAddress"), "contactNumber": paid.Text("contactPhoneNumber"), "websiteUrl": paid.Text("websiteUrl")} {
		if with != "" {
			body[member] = with
		}
	}
}

// several says whether references and ids are those of more than one company: the first reference is the first id's, where nothing
// says whose it is.
func several(refs, ids []*fact) bool {
	n := len(refs) + len(ids)
	for i, id := range ids {
		if at := refNamed(refs, id.companyRef); at >= 0 || id.companyRef == "" && i == 0 && len(refs) > 0 {
			n--
		}
	}
	return n > 1
}

// createdHere says whether the recording has made a company of a name.
func (b *builder) createdHere(name string) bool {
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		if op, _ := b.routes.Match(x.Method, x.Path); op == "createCompany" && trail.ReadBody(x.Body).Text("name") == name {
			return true
		}
	}
	return false
}

// oldest puts payments of which it is told when they were made in that order, and gives payers
// what their payments tell of them.
func (f *facts) oldest() {
	var at []int
	var made []*fact
	for i, one := range f.list {
		if payer := f.byKey[key(correlate.Value{Type: correlate.Registration, Text: one.registration})]; one.registration != "" && payer != nil {
			payer.sender = cmp.Or(payer.sender, one.sender)
		}
		if one.Type == correlate.Payment && one.created != "" {
			at, made = append(at, i), append(made, one)
		}
	}
	slices.SortStableFunc(made, func(x, y *fact) int { return strings.Compare(x.created, y.created) })
	for i, n := range at {
		f.list[n] = made[i]
	}
}

// Notes tells the steps before a recording as assumptions.
func Notes(s *play.Script) []string {
	var list []string
	for i := range s.Steps {
		if why := s.Steps[i].Why; why != "" {
			list = append(list, why)
		}
	}
	return list
}

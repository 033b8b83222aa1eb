package prelude

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// called gives the usual body of a company the reference and the name that the
// recording calls it by later.
func (b *builder) called(operation string, raw []byte, c *play.Call) []byte {
	x := &c.Exchange
	var body map[string]any
	if !Served(x) || json.Unmarshal(raw, &body) != nil {
		return raw
	}
	switch answer := trail.ReadBody(x.Answer.Body); operation {
	case "createPayment", "authoriseCard": // to a payer and a place that are surely there
		delete(body, "locationId")
		delete(body, "registrationId")
	case "registerUser": // nothing shows that it asked for a payment
		delete(body, "amount")
		delete(body, "period")
	case "createPlan":
		body = b.planBody(&fact{terms: b.termsOf(answer.Text("paymentPlanId"))})
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
	if operation == "createCompany" {
		b.calledCompany(body, c)
	}
	return trail.Quote(body)
}

// calledCompany gives a company the reference and the name that the recording calls it by later.
func (b *builder) calledCompany(body map[string]any, c *play.Call) {
	x := &c.Exchange
	ref, name := b.listed(trail.ReadBody(x.Answer.Body).Text("companyId"))
	if ref == "" {
		ref = b.referenceAfter(c.N)
	}
	if ref == "" && b.madeBefore(c.N) { // that is another company
		ref = fmt.Sprintf("company-of-call-%d", c.N+1)
	}
	if ref != "" {
		body["companyReferenceId"] = ref
	}
	if name != "" {
		body["name"] = name
	}
}

// termsOf are those of a plan, as a consent to it or its details tell them; nil where none does.
func (b *builder) termsOf(id string) trail.Body {
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		answer := trail.ReadBody(x.Answer.Body)
		if !Served(x) || id == "" {
			continue
		}
		for _, row := range append(answer.List("consents"), answer) {
			if plan := row.Object("plan"); strings.EqualFold(row.Text("paymentPlanId"), id) && plan.Get("startDate") != nil {
				return plan
			}
		}
		if strings.HasSuffix(strings.ToLower(x.Path), "/"+strings.ToLower(id)) && answer.Get("startDate") != nil {
			return answer
		}
	}
	return nil
}

// madeBefore says whether a company was made before a call.
func (b *builder) madeBefore(n int) bool {
	return slices.ContainsFunc(b.rec.Exchanges[:n], func(x recording.Exchange) bool {
		op, _ := b.routes.Match(x.Method, x.Path)
		return op == "createCompany" && Served(&x)
	})
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

// referenceAfter is the reference that the recording takes first behind a call that made a company, and before the next one
// is made; else the only one that it takes at all. "" for none, or several.
func (b *builder) referenceAfter(n int) string {
	next := len(b.rec.Exchanges)
	for i := next - 1; i > n; i-- {
		if op, _ := b.routes.Match(b.rec.Exchanges[i].Method, b.rec.Exchanges[i].Path); op == "createCompany" && Served(&b.rec.Exchanges[i]) {
			next = i
		}
	}
	var all, behind []string
	for _, one := range b.facts.list {
		if one.Type != correlate.Reference || trail.IsUUID(one.Text) || slices.Contains(all, one.Text) {
			continue
		}
		if all = append(all, one.Text); one.first > n && one.first < next {
			behind = append(behind, one.Text)
		}
	}
	for _, list := range [][]string{behind, all} {
		if len(list) == 1 {
			return list[0]
		}
	}
	return b.inTurn(n)
}

// inTurn is the reference of a company where as many were made, and not shown, as are read behind them: in one order.
func (b *builder) inTurn(n int) string {
	made, nth, last := 0, -1, 0
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		if op, _ := b.routes.Match(x.Method, x.Path); op == "createCompany" && Served(x) {
			if !x.BodyMissing {
				return ""
			}
			if i == n {
				nth = made
			}
			made, last = made+1, i
		}
	}
	var read []string
	for _, one := range b.facts.list {
		if one.Type == correlate.Reference && one.used && !trail.IsUUID(one.Text) {
			if one.first < last {
				return ""
			}
			read = append(read, one.Text)
		}
	}
	if nth < 0 || len(read) != made {
		return ""
	}
	return read[nth]
}

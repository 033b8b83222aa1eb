package explain

import (
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// event says what it means that a webhook tells something else, or never came.
func event(d *compare.Difference, r *recording.Recording, shown func() map[string]bool) {
	clause := "event.payment"
	if strings.HasPrefix(d.Call, trail.CompanyEvent) {
		clause = "event.company"
	}
	switch {
	case strings.HasSuffix(d.Where, "/Live") && d.Recorded == "true" && r.OfSandbox():
		d.Class, d.Clause = compare.Service, "event.company.live"
	case strings.HasSuffix(d.Where, "/Live"), payerUnknown(r, d): // where it was recorded may have been production
		d.Class = compare.Nobody
	case d.Where == "event" && d.Heard == 0:
		d.Class, d.Clause = compare.Service, "event.delivery.retry"
	case d.Where == "event":
		if told := misshaped(r, d.Heard, shown); told != "" {
			d.Class, d.Clause = compare.Service, told
		}
	case d.Recorded == "" && reprinted(r, d.Heard): // who prints a value may leave members of it out
		d.Class = compare.Nobody
	default:
		d.Class, d.Clause = compare.Service, clause+".shape"
	}
}

// misshaped is the clause that a webhook of the service breaks by its form; "" for none, and for one that somebody else may have sent or
// printed anew: the service has sent it where its signature was checked, or where it is signed and about something that an answer shows.
func misshaped(r *recording.Recording, heard int, shown func() map[string]bool) string {
	if heard < 1 || heard > len(r.Received) || reprinted(r, heard) || !json.Valid(r.Received[heard-1].Body) {
		return ""
	}
	w := &r.Received[heard-1]
	event := trail.ReadBody(w.Body)
	clause := formBroken(event)
	if clause == "" || w.Signature == recording.Valid {
		return clause
	}
	if signed, _ := trail.Header(w.Header, trail.SignatureHeader); signed == "" {
		return ""
	}
	data := event.Object("Data")
	for _, member := range []string{"PaymentId", "CompanyId", "RegistrationId"} {
		if shown()[strings.ToLower(data.Text(member))] {
			return clause
		}
	}
	return ""
}

// formBroken is the clause that an event breaks by itself: it has no name, is about nothing, tells no status that the resource can have,
// or one that is not told; "" for none.
func formBroken(event trail.Body) string {
	data := event.Object("Data")
	name, status := event.Text("Event"), data.Text("Status")
	for _, of := range []struct{ event, about, machine, first, clause string }{
		{trail.PaymentEvent, "PaymentId", "payment", "Pending", "event.payment"},
		{trail.CompanyEvent, "CompanyId", "company", "Unverified", "event.company"},
	} {
		switch {
		case name != of.event && (name != "" || data.Get(of.about) == nil):
		case name == "", data.Text(of.about) == "", !infer.Reachable(of.machine, of.first, status):
			return of.clause + ".shape"
		case of.machine == "payment" && status == of.first:
			return of.clause + ".pending"
		}
	}
	return ""
}

// idsShown are the ids that the answers of a recording show, in lower case.
func idsShown(r *recording.Recording) map[string]bool {
	ids := map[string]bool{}
	for i := range r.Exchanges {
		for _, id := range trail.UUIDs().FindAllString(strings.ToLower(string(r.Exchanges[i].Answer.Body)), -1) {
			ids[id] = true
		}
	}
	return ids
}

// payerUnknown says whether an event names a payer of whom no call shows that the payment is of another.
func payerUnknown(r *recording.Recording, d *compare.Difference) bool {
	if !strings.HasSuffix(d.Where, "/RegistrationId") || d.Heard < 1 || d.Heard > len(r.Received) {
		return false
	}
	payment := strings.ToLower(trail.ReadBody(r.Received[d.Heard-1].Body).Object("Data").Text("PaymentId"))
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		answer := trail.ReadBody(x.Answer.Body)
		for _, payer := range []string{trail.ReadBody(x.Body).Text("registrationId"), answer.Text("registrationPersonId")} {
			if strings.EqualFold(answer.Text("paymentRequestId"), payment) && payer != "" && !strings.EqualFold(payer, d.Recorded) {
				return false
			}
		}
	}
	return true
}

// reprinted says whether nothing shows that a file holds a webhook's body as it came.
func reprinted(r *recording.Recording, n int) bool {
	return n > 0 && n <= len(r.Received) && r.Received[n-1].Reprinted && r.Received[n-1].Signature != recording.Valid
}

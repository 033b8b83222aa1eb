package explain

import (
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// event says what it means that a webhook tells something else, or never came.
func event(d *compare.Difference, r *recording.Recording) {
	clause := "event.payment"
	if strings.HasPrefix(d.Call, trail.CompanyEvent) {
		clause = "event.company"
	}
	switch {
	case strings.HasSuffix(d.Where, "/Live"), payerUnknown(r, d): // where it was recorded may have been production
		d.Class = compare.Nobody
	case d.Where == "event" && d.Heard == 0:
		d.Class, d.Clause = compare.Service, "event.delivery.retry"
	case d.Where != "event" && d.Recorded == "" && reprinted(r, d.Heard): // who prints a value may leave members of it out
		d.Class = compare.Nobody
	case d.Where != "event":
		d.Class, d.Clause = compare.Service, clause+".shape"
	}
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

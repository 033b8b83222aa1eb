package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Sight is a state that the recording shows.
type Sight struct {
	// Step is the step of the script that shows it; N the exchange, or Heard the number
	// of the webhook from 1.
	Step, N, Heard int
	Type           correlate.Type
	// ID is the recording's.
	ID, Status, Mask string
	// Payer is the recording's registration of a payment, where it is told with it.
	Payer string
	// Code is a return code that was told with it.
	Code string
	// may are the states that its word stands for, where it is the transaction report's.
	may []string
	// ends says that the call itself, which takes it back, shows that it was so.
	ends bool
}

// debit is the type of a debit authorisation, which has no id of its own: it is known by
// its payer.
const debit correlate.Type = "debit-authorisation"

// Sights are the states that a script's recording shows, in order.
func Sights(routes *correlate.Routes, r *recording.Recording, s *play.Script) []Sight {
	var list []Sight
	last := map[string]string{}
	for i := range s.Steps {
		var found []Sight
		switch step := &s.Steps[i]; {
		case step.Heard > 0:
			found = heard(&r.Received[step.Heard-1])
		case step.Call != nil && step.Call.N != play.Prelude:
			found = slices.Concat(takenBack(routes, r, step.Call.N), accepted(routes, r, step.Call.N), shown(routes, &step.Call.Exchange))
		}
		for _, f := range found {
			f.Step, f.Heard, f.N = i, s.Steps[i].Heard, play.Prelude
			if s.Steps[i].Call != nil {
				f.N = s.Steps[i].Call.N
			}
			if slices.Contains(f.may, last[f.about()]) {
				f.Status = last[f.about()] // what it was, in the report's word
			}
			last[f.about()] = f.Status
			list = append(list, f)
		}
	}
	return list
}

// accepted are the consents that were given before an answer shows that so many payers of a plan have, and that later answers show first.
func accepted(routes *correlate.Routes, r *recording.Recording, n int) (found []Sight) {
	x := &r.Exchanges[n]
	b := trail.ReadBody(x.Answer.Body)
	operation, _ := routes.Match(x.Method, x.Path)
	given, told := b.Whole("acceptedPayers")
	if operation != "getPlan" || !told || !prelude.Served(x) {
		return nil
	}
	for i := range r.Exchanges {
		if !mentions(r.Exchanges[i].Answer.Body, "consentid") {
			continue
		}
		answer := trail.ReadBody(r.Exchanges[i].Answer.Body)
		for _, row := range append(answer.List("consents"), answer) {
			id := row.Text("consentId")
			if id == "" || !strings.EqualFold(row.Text("paymentPlanId"), b.Text("paymentPlanId")) || slices.ContainsFunc(found, func(s Sight) bool { return strings.EqualFold(s.ID, id) }) {
				continue
			}
			switch {
			case row.Text("status") != "Accepted":
			case i < n: // what was shown before says how it stood
				given--
			case int64(len(found)) < given && firstShown(r, id) == i:
				found = append(found, Sight{Type: correlate.Consent, ID: id, Status: "Accepted"})
			}
		}
	}
	return found
}

// mentions says whether a body has a word, in small letters: to read it takes long.
func mentions(body []byte, word string) bool {
	return bytes.Contains(bytes.ToLower(body), []byte(word))
}

// takenBack is the consent that a call declines, where the next answer that shows it says Revoked: it had been given.
func takenBack(routes *correlate.Routes, r *recording.Recording, n int) []Sight {
	x := &r.Exchanges[n]
	operation, params := routes.Match(x.Method, x.Path)
	if operation != "declineConsent" || len(params) == 0 || !prelude.Served(x) {
		return nil
	}
	for i := n + 1; i < len(r.Exchanges); i++ {
		if later := &r.Exchanges[i]; !mentions(later.Answer.Body, "consent") && !strings.Contains(strings.ToLower(later.Path), "consent") {
			continue
		}
		for _, s := range shown(routes, &r.Exchanges[i]) {
			if s.Type == correlate.Consent && strings.EqualFold(s.ID, params[0].Text) {
				if s.Status == "Revoked" {
					return []Sight{{Type: correlate.Consent, ID: s.ID, Status: "Accepted", ends: true}}
				}
				return nil
			}
		}
	}
	return nil
}

// firstShown is the first call whose answer shows a consent.
func firstShown(r *recording.Recording, id string) int {
	return slices.IndexFunc(r.Exchanges, func(x recording.Exchange) bool {
		return bytes.Contains(bytes.ToLower(x.Answer.Body), []byte(strings.ToLower(id)))
	})
}

// heard is what a webhook tells.
func heard(w *recording.Received) []Sight {
	d := trail.ReadBody(w.Body).Object("Data")
	s := Sight{Status: d.Text("Status"), Mask: d.Text("AccountNumberMasked"), Code: d.Text("ReturnCode"), Payer: d.Text("RegistrationId")}
	switch {
	case d.Text("PaymentId") != "":
		s.Type, s.ID = correlate.Payment, d.Text("PaymentId")
	case d.Text("CompanyId") != "":
		s.Type, s.ID = correlate.Company, d.Text("CompanyId")
	}
	if s.ID == "" || s.Status == "" {
		return nil
	}
	return []Sight{s}
}

// shown is what an answer shows.
func shown(routes *correlate.Routes, x *recording.Exchange) []Sight {
	if !prelude.Served(x) || x.Answer.Known != recording.Whole {
		return nil
	}
	operation, params := routes.Match(x.Method, x.Path)
	does := trail.OperationNamed(operation)
	b := trail.ReadBody(x.Answer.Body)
	switch {
	case does.Reads == trail.Report:
		return rows(b.List(does.Lists), correlate.Payment, "paymentRequestId")
	case operation == "listConsents":
		return rows(b.List(does.Lists), correlate.Consent, "consentId")
	case does.Payer != "" && does.Pays():
		return masked(trail.ReadBody(x.Body).Text(does.Payer), b.Text("accountMask"))
	}
	s := Sight{Type: correlate.Company, ID: b.Text("CompanyId"), Status: b.Text(does.State), Mask: b.Text("accountMask")}
	if len(params) > 0 {
		s.Type, s.ID = params[0].Type, params[0].Text
	}
	switch on, _ := b["enabled"].(bool); {
	case operation == "getDebitAuthorisation" && on:
		s.Type, s.Status = debit, "Accepted"
	case does.State == "":
		return nil
	case does.State == "transferStatus": // it is told in the transaction report's word
		s.Status = stateOf(s.Status)
	}
	if s.ID == "" || s.Status == "" {
		return nil
	}
	return []Sight{s}
}

func rows(list []trail.Body, t correlate.Type, id string) []Sight {
	var found []Sight
	for _, row := range list {
		word := row.Text("status")
		found = append(found, Sight{Type: t, ID: row.Text(id), Status: stateOf(word), Mask: row.Text("senderAccount"), Payer: row.Text("registrationId"), may: reported[word]})
	}
	return found
}

// reported are the states that a word of the transaction report stands for, the usual one
// first. Latitude, transaction-report.
var reported = map[string][]string{
	"Created": {"Pending"}, "Pending": {"Pending", "Scheduled", "Queued", "InReview"}, "Processed": {"Processing"},
	"Completed": {"Paid"}, "Cancelled": {"Canceled", "Denied"}, "Failed": {"Failed", "Denied"},
}

// stateOf is the state that a word of the transaction report stands for in the first place.
func stateOf(status string) string {
	if states := reported[status]; states != nil {
		return states[0]
	}
	return status
}

// masked says that the payer who is charged has linked an account.
func masked(payer, mask string) []Sight {
	if mask == "" || payer == "" {
		return nil
	}
	return []Sight{{Type: correlate.Registration, ID: payer, Status: "Registered", Mask: mask}}
}

// about is the resource of a sight, for comparing.
func (s *Sight) about() string {
	if s.Type == debit {
		return string(debit) + " " + strings.ToLower(s.ID) // its id is its payer's, who has states of their own
	}
	return strings.ToLower(s.ID)
}

// seen says what shows a state.
func (s *Sight) seen() string {
	if s.Heard > 0 {
		return fmt.Sprintf("before webhook %d says %s", s.Heard, s.Status)
	}
	if s.ends {
		return fmt.Sprintf("before call %d took that back", s.N+1)
	}
	return fmt.Sprintf("before call %d shows %s", s.N+1, s.Status)
}

package plans

import (
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Collected is a payment of a plan from a payer who had ended the consent to it.
type Collected struct {
	// Heard is the webhook that tells of it, from 1, and Call the call that shows the end of the consent, from 0.
	Heard, Call             int
	Payment, Payer, Consent string
	Cents                   int64
	// Due is the date of the plan on which it was collected.
	Due time.Time
}

// AfterConsent are such payments, each once: of the plan's amount, on one of its dates, and asked for by no call.
func AfterConsent(r *recording.Recording) []Collected {
	s := standing{plans: map[string]*terms{}, consents: map[string]*consent{}, asked: map[string]bool{}}
	for i := range r.Exchanges {
		s.learn(i, &r.Exchanges[i])
	}
	var list []Collected
	for i := range r.Received {
		w := &r.Received[i]
		d := trail.ReadBody(w.Body).Object("Data")
		payment := strings.ToLower(d.Text("PaymentId"))
		cents, told := d.Whole("Amount")
		if payment == "" || s.asked[payment] || !told || w.Signature == recording.Wrong {
			continue
		}
		s.asked[payment] = true
		if c := s.over(strings.ToLower(d.Text("RegistrationId")), cents, w.At); c != nil {
			c.Heard, c.Payment = i+1, payment
			list = append(list, *c)
		}
	}
	return list
}

// terms are a plan and what it collects.
type terms struct {
	Plan

	cents int64
}

// consent is one payer's to a plan; ended is the call that shows its end, -1 for none.
type consent struct {
	plan, payer string
	ended       int
	at          time.Time
}

// standing is what calls show: by ids in small letters.
type standing struct {
	plans    map[string]*terms
	consents map[string]*consent
	// asked are the payments that calls have made, and those that were looked at.
	asked map[string]bool
}

func (s *standing) learn(n int, x *recording.Exchange) {
	if x.Answer.Status/100 != 2 {
		return
	}
	sent, told := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body)
	s.asked[strings.ToLower(told.Text("paymentRequestId"))] = true
	path := strings.Split(strings.ToLower(strings.Trim(x.Path, "/")), "/")
	switch plan := strings.ToLower(told.Text("paymentPlanId")); {
	case path[0] == "paymentplan" && len(path) > 1:
		if plan == "" {
			plan = path[1]
		}
		p := s.plans[plan]
		if p == nil {
			p = &terms{}
			s.plans[plan] = p
		}
		for _, b := range []trail.Body{sent, told} {
			p.Learn(b)
			if cents, ok := b.Whole("amount"); ok {
				p.cents = cents
			}
		}
		s.row(n, x, plan, sent.Text("registrationId"), told)
	case path[0] == "consent" && len(path) > 2 && (path[2] == "decline" || path[2] == "revoke"):
		s.end(n, x, path[1])
	case path[0] == "consent":
		for _, row := range append(told.List("consents"), told) {
			s.row(n, x, "", "", row)
		}
	}
}

// row takes what an answer shows of a consent.
func (s *standing) row(n int, x *recording.Exchange, plan, payer string, row trail.Body) {
	id := strings.ToLower(row.Text("consentId"))
	if id == "" {
		return
	}
	c := s.consents[id]
	if c == nil {
		c = &consent{ended: -1}
		s.consents[id] = c
	}
	for _, one := range []string{plan, row.Text("paymentPlanId")} {
		if one != "" {
			c.plan = strings.ToLower(one)
		}
	}
	for _, one := range []string{payer, row.Text("registrationId")} {
		if one != "" {
			c.payer = strings.ToLower(one)
		}
	}
	switch row.Text("status") {
	case "Revoked", "Declined":
		s.end(n, x, id)
	case "Pending", "Accepted":
		c.ended = -1
	}
}

func (s *standing) end(n int, x *recording.Exchange, id string) {
	if c := s.consents[id]; c != nil && c.ended < 0 {
		c.ended, c.at = n, x.Begin
	}
}

// over is a consent of a payer that was over at a time at which a plan has collected for it, nil for none: nor where the payer has
// another that is not.
func (s *standing) over(payer string, cents int64, at time.Time) *Collected {
	var found *Collected
	for id, c := range s.consents {
		if c.payer != payer || payer == "" {
			continue
		}
		if c.ended < 0 {
			return nil
		}
		p := s.plans[c.plan]
		if p == nil || p.cents != cents || c.at.IsZero() || !at.After(c.at.Add(around)) {
			continue
		}
		if due := p.Due(at.Add(-around), at.Add(around)); !due.IsZero() && (found == nil || id < found.Consent) {
			found = &Collected{Call: c.ended, Payer: payer, Consent: id, Cents: cents, Due: due}
		}
	}
	return found
}

// around is how far from the hour at which what is due is collected a webhook tells of it at most.
const around = 3 * time.Hour

package plans

import (
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Collected is a payment of a plan from a payer who had ended the consent to it, or while it was paused, or after its end.
type Collected struct {
	// Heard is the webhook that tells of it, from 1, and Call the call that shows the end of the consent, of the plan, or the pause, from 0.
	Heard, Call int
	// Why says which of them, and Consent is "" where it is not that of a consent.
	Why                           string
	Payment, Payer, Plan, Consent string
	Cents                         int64
	// Due is the date of the plan on which it was collected.
	Due time.Time
}

// Wrongly are such payments, each once: of the plan's amount, on one of its dates, and asked for by no call.
func Wrongly(r *recording.Recording) []Collected {
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
		payer := strings.ToLower(d.Text("RegistrationId"))
		c := s.over(payer, cents, w.At)
		if c == nil {
			c = s.outside(payer, cents, w.At)
		}
		if c != nil {
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
	// told is the call that told its dates last; pauses are the calls that show a pause, each with the call that shows its end.
	told   int
	pauses []pause
}

// pause goes from a call to another, -1 for none, with their times; one that is for good is an end.
type pause struct {
	from, to   int
	ends       bool
	begin, end time.Time
}

// stands takes what a call did to a plan, by the last part of its path, or what its answer says of the plan's state.
func (p *terms) stands(n int, at time.Time, did, state string) {
	last := len(p.pauses) - 1
	open := last >= 0 && p.pauses[last].to < 0
	ends := did == "cancel" || state == "Canceled" || state == "Completed"
	switch {
	case (ends || did == "pause" || state == "Paused") && !open:
		p.pauses = append(p.pauses, pause{from: n, to: -1, begin: at, ends: ends})
	case (did == "activate" || state == "Active") && open:
		p.pauses[last].to, p.pauses[last].end = n, at
	}
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
	case path[0] == "consent" && len(path) > 2 && (path[2] == "decline" || path[2] == "revoke"):
		s.end(n, x, path[1])
	case path[0] == "consent":
		for _, row := range append(told.List("consents"), told) {
			s.row(n, x, "", "", row)
		}
	case plan != "" || path[0] == "paymentplan" && len(path) > 1: // or a recurring payment, which makes one
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
				p.cents, p.told = cents, n
			}
		}
		p.stands(n, x.Begin, path[len(path)-1], told.Text("status"))
		s.row(n, x, plan, sent.Text("registrationId"), told)
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
			found = &Collected{Call: c.ended, Payer: payer, Plan: c.plan, Consent: id, Cents: cents, Due: due, Why: fmt.Sprintf("from the payer %s, whose consent %s was over since call %d", payer, id, c.ended+1)}
		}
	}
	return found
}

// pays says whether a payer pays a plan: one of those that calls show, or anybody where they show none of this plan, and no other.
func (s *standing) pays(plan, payer string) bool {
	some, elsewhere := false, false
	for _, c := range s.consents {
		if c.plan == plan && c.payer == payer {
			return true
		}
		some = some || c.plan == plan && c.payer != ""
		elsewhere = elsewhere || c.payer == payer
	}
	return !some && !elsewhere
}

// rests says by which call, from 0, and why a plan was to collect nothing on a date, at a time; "" where it was to.
func (p *terms) rests(due, at time.Time) (call int, why string) {
	if last := p.Last(); !last.IsZero() && due.After(last) {
		call, why = p.told, fmt.Sprintf("although its last date is %s, as call %d tells", last.Format(time.DateOnly), p.told+1)
	}
	for _, stop := range p.pauses {
		switch during := !stop.begin.IsZero() && at.After(stop.begin.Add(around)) && (stop.to < 0 || at.Before(stop.end)); {
		case during && stop.ends:
			call, why = stop.from, fmt.Sprintf("although it was over since call %d", stop.from+1)
		case during:
			call, why = stop.from, fmt.Sprintf("although it was paused since call %d, and nothing shows it active again before", stop.from+1)
		}
	}
	return call, why
}

// outside is a plan that has collected at a time at which it was paused or over, nil for none: nothing shows it active again before that,
// and of no other plan it may be.
func (s *standing) outside(payer string, cents int64, at time.Time) *Collected {
	var found *Collected
	for id, p := range s.plans {
		if p.cents != cents || !s.pays(id, payer) {
			continue
		}
		due := p.Due(at.Add(-around), at.Add(around))
		if due.IsZero() {
			continue
		}
		if found != nil {
			return nil
		}
		found = &Collected{Plan: id, Cents: cents, Due: due}
		found.Call, found.Why = p.rests(due, at)
	}
	if found == nil || found.Why == "" {
		return nil
	}
	return found
}

// around is how far from the hour at which what is due is collected a webhook tells of it at most.
const around = 3 * time.Hour

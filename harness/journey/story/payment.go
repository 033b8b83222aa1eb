package story

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func paymentIntents() []Step {
	const asked = money + ` from ` + person + ` for ` + company
	return []Step{
		step(`the partner requests `+asked+`(?: at `+quoted+`)?(?:, due in ([0-9]+) days)?`, bind5((*Story).requests)),
		step(`the partner wants `+asked+` as soon as that is allowed`, bind3((*Story).wants)),
		step(`the partner has requested `+money+` from `+person, bind2((*Story).hasRequested)),
		step(`the partner asks how `+person+`'s `+money+` stands`, bind2((*Story).asksPayment)),
		step(`the partner asks how all payments stand, at the same time`, bind((*Story).asksAll)),
		step(`the partner cancels `+person+`'s `+money+`( too late)?`, bind3((*Story).cancels)),
		step(`the partner refunds `+money+` of `+person+`'s `+money+`( with a receipt|, more than there is)?`, bind4((*Story).refunds)),
	}
}

// requests asks for money, at a location or due on a day where the story says so.
func (s *Story) requests(ctx context.Context, amount, name, noun, place, days string) error {
	more := map[string]any{}
	if place != "" {
		f, err := s.firm(noun)
		if err != nil {
			return err
		}
		if f.locations[place] == "" {
			return fmt.Errorf("%w the location %s", errStranger, place)
		}
		more["locationId"] = f.locations[place]
	}
	if n, err := strconv.Atoi(days); err == nil {
		more["dueDate"] = s.day(n)
	}
	return s.request(ctx, amount, name, noun, more, false)
}

func (s *Story) wants(ctx context.Context, amount, name, noun string) error {
	return s.request(ctx, amount, name, noun, nil, true)
}

// request asks a payer for money. For a company that is not verified, or a payer
// who is not registered, the partner may have to wait.
func (s *Story) request(ctx context.Context, amount, name, noun string, more map[string]any, wait bool) error {
	h, f, err := s.payerOf(name, noun)
	if err != nil {
		return err
	}
	with := map[string]any{"amount": cents(amount), "registrationId": h.id, "companyReferenceId": f.ref, "shortDescription": "Services"}
	say := fmt.Sprintf("request %s from %s for %s", amount, name, f.name)
	place, _ := more["locationId"].(string)
	if place != "" {
		delete(with, "companyReferenceId")
		with["locationId"] = place
		say += " at " + placeOf(f, place)
	}
	due, _ := more["dueDate"].(string)
	if due != "" {
		with["dueDate"] = due
		say += ", due on " + due
	}
	if wait {
		say += ", as soon as that is allowed"
	}
	p := &payment{who: h, amount: cents(amount)}
	s.payments[paymentKey(name, amount)] = p
	p.wanted = &task.Intent{
		Task: partner.Task{Do: partner.DoCreatePayment, Say: say, With: with, Wait: wait},
		Fits: func(c *trail.Call) bool {
			return c.Sent().Cents("amount") == p.amount && h.asked(c) && (due == "" || strings.HasPrefix(c.Sent().Text("dueDate"), due)) && s.forFirm(c, f, place)
		},
		Bind: func(c *trail.Call) {
			p.id, p.back, p.wanted = c.Answered().Text("paymentRequestId"), c.Sent().Text("returnUrl"), nil
			if p.id == "" {
				p.id = s.Tape.Made(c.Entry.Seq, "payment")
			}
		},
		Names: func() map[string]string { return map[string]string{p.id: paymentKey(name, amount)} },
	}
	return s.Perform(ctx, p.wanted)
}

// forFirm says whether a call asks for a company: at one of its locations where
// the story names it, and for no other company of the story.
func (s *Story) forFirm(c *trail.Call, f *firm, place string) bool {
	if place != "" {
		return strings.EqualFold(c.Sent().Text("locationId"), place)
	}
	for _, member := range [...]string{"companyId", task.CompanyMember, "locationId"} {
		id := c.Sent().Text(member)
		for _, other := range s.companies {
			if other != f && other.has(id) {
				return false
			}
		}
	}
	return true
}

// has says whether an id stands for the company or one of its locations.
func (f *firm) has(id string) bool {
	if id == "" {
		return false
	}
	for _, known := range f.locations {
		if strings.EqualFold(known, id) {
			return true
		}
	}
	return strings.EqualFold(id, f.id) || strings.EqualFold(id, f.ref)
}

func placeOf(f *firm, id string) string {
	for name, known := range f.locations {
		if known == id {
			return name
		}
	}
	return id
}

// hasRequested finds a request that had to wait.
func (s *Story) hasRequested(ctx context.Context, amount, name string) error {
	p := s.payments[paymentKey(name, amount)]
	switch {
	case p == nil:
		return fmt.Errorf("%w %s", errStranger, paymentKey(name, amount))
	case p.wanted == nil:
		return nil
	}
	return s.Find(ctx, p.wanted)
}

// pacific is where the service's days are counted.
const pacific = "America/Los_Angeles"

// day is a date of the service's calendar, counted from today.
func (s *Story) day(n int) string {
	now := s.Tape.Time()
	if zone, err := time.LoadLocation(pacific); err == nil {
		now = now.In(zone)
	}
	return now.AddDate(0, 0, n).Format(time.DateOnly)
}

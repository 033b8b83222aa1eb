package request

import (
	"regexp"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// referencePresent looks for a reference in every payment request.
func referencePresent(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	var bad verdict.Offences
	for _, c := range t.Calls() {
		if !trail.OperationOf(c.Exchange).RequestsPayment() {
			continue
		}
		if !c.MayHaveActed() {
			y.Skip("every payment that was requested was refused")
			continue
		}
		b := t.Sent(c.Exchange)
		switch {
		case b == nil: // a fault has answered before the body was read
		case strings.TrimSpace(b.Text("reference")) == "":
			bad.Add("a payment request without one", c.Entry.Seq)
		default:
			y.Holds(c.Entry.Seq)
		}
	}
	bad.Fail(&y, "a reference in every payment request")
	t.Omitted(&y, tape.KindExchange)
	return y.Exercised()
}

// referenceUnique looks for two payments with one reference. What is sent again after a
// failure, or under its key, is the same payment; and what has ended without
// money may be asked for again.
func referenceUnique(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	first := map[string]*trail.Call{}
	list := t.Calls()
	ended := endings(t)
	for _, c := range list {
		if !trail.OperationOf(c.Exchange).RequestsPayment() || !c.MayHaveActed() {
			continue
		}
		reference := strings.TrimSpace(t.Sent(c.Exchange).Text("reference"))
		if reference == "" {
			continue
		}
		before := first[reference]
		switch {
		case before == nil:
			y.Holds(c.Entry.Seq)
		case before.Failed(), before.Key != "" && before.Key == c.Key, trail.Replayed(c.Exchange):
		case ended[before.Entry.Seq] != 0 && ended[before.Entry.Seq] < c.Entry.Seq:
		case t.Stubbed(tape.KindTransition):
			y.Open("whether the first payment has ended may be in what was too large for the tape", before.Entry.Seq, c.Entry.Seq)
		default:
			y.Fail("a reference of its own for each payment", "two payments with the reference "+strconv.Quote(reference), before.Entry.Seq, c.Entry.Seq)
		}
		first[reference] = c
	}
	t.Omitted(&y, tape.KindExchange)
	if y.Held() < 2 && y.Problems() == 0 { // of those that were not refused
		return []verdict.Judgement{{Word: verdict.NotExercised, Received: "fewer than two payments that were not refused have a reference"}}
	}
	return y.Exercised()
}

// endings gives when the payment that each call has created has ended without
// money having been kept.
func endings(t *trail.Trail) map[uint64]uint64 {
	ends := map[uint64]uint64{}
	for e := range t.Of(tape.KindTransition) {
		switch e.Transition.To {
		case "Canceled", "Denied", "Failed":
			if b := t.Born(e.Transition.Entity); b != nil {
				ends[b.Cause] = e.Seq
			}
		}
	}
	return ends
}

// commaForm is an amount with a decimal comma, which makes the body no JSON.
var commaForm = trail.Pattern(`(?i)"(?:amount|limit|debitAuthLimit|autoPayLimit)"\s*:\s*[0-9]+,[0-9]`)

// amountsInCents looks at every amount.
func amountsInCents(t *trail.Trail) []verdict.Judgement {
	return members(t, func(o *trail.Operation) []string { return o.Amounts }, "a whole number of cents",
		func(v any) bool {
			n, ok := v.(interface{ Int64() (int64, error) })
			if !ok {
				return false
			}
			_, err := n.Int64()
			return err == nil
		}, commaForm)
}

var e164Form = trail.Pattern(`^\+[1-9][0-9]{1,14}$`)

// phonesInE164 looks at every mobile number.
func phonesInE164(t *trail.Trail) []verdict.Judgement {
	return members(t, func(o *trail.Operation) []string { return o.Phones }, "a plus, the country code and at most 15 digits",
		func(v any) bool {
			s, ok := v.(string)
			return ok && e164Form().MatchString(s)
		}, nil)
}

// members looks at some members of the bodies of some operations, where they have a
// value. broken is how a wrong one makes a body no JSON, nil for not at all.
func members(t *trail.Trail, of func(o *trail.Operation) []string, want string, good func(v any) bool, broken func() *regexp.Regexp) []verdict.Judgement {
	var y verdict.Tally
	var bad verdict.Offences
	for e := range t.CallEntries() {
		x := e.Exchange
		names := of(trail.OperationOf(x))
		if len(names) == 0 {
			continue
		}
		b := t.Sent(x)
		if b == nil && broken != nil {
			if part := broken().Find(x.Request.Body); part != nil {
				bad.Add(string(part)+" in "+x.Operation, e.Seq)
			}
		}
		for _, name := range names {
			switch v := b.Get(name); {
			case v == nil, v == "":
			case good(v):
				y.Holds(e.Seq)
			default:
				bad.Add(name+" "+trail.Show(trail.Quote(v))+" in "+x.Operation, e.Seq)
			}
		}
	}
	bad.Fail(&y, want)
	t.Omitted(&y, tape.KindExchange)
	return y.Exercised()
}

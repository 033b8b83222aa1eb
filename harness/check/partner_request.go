package check

import (
	"regexp"
	"strconv"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// requestClauses are the checks of what an integration sends.
func requestClauses() []Check {
	one := func(id, title string, run func(t *Tape) []verdict.Judgement) Check {
		return Check{ID: id, Title: title, Clauses: []string{id}, Run: run}
	}
	return []Check{
		one("partner.reference.present", "Every payment request has a reference", referenced),
		one("partner.reference.unique", "No two payments share a reference", distinct),
		one("partner.idempotency.key", "Money-moving calls carry a key", withKey),
		one("partner.idempotency.same-key", "A repetition carries the key of the first time", sameKey),
		one("partner.idempotency.fresh-key", "A key stands for one body only", freshKey),
		one("partner.idempotency.opaque", "Keys are long and tell nothing", opaque),
		one("partner.amount.cents", "Amounts are whole numbers of cents", inCents),
		one("partner.phone.e164", "Mobile numbers are in E.164 form", inE164),
		one("partner.body.known-members", "Bodies have known members only", knownMembers),
		one("partner.body.known-values", "Values are of the documented sets", knownValues),
		one("partner.client.user-agent", "User-Agent names product and version", userAgent),
	}
}

// took says whether the service may have done what a call asked for: it was
// served, or neither side knows that it was not.
func (c *try) took() bool { return c.lost || c.x.Response.Status < 400 || c.x.Response.Status >= 500 }

// referenced looks for a reference in every payment request.
func referenced(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	var bad offences
	for _, c := range t.tries() {
		if c.x.Operation != "createPayment" {
			continue
		}
		if !c.took() {
			y.Skip("every payment that was requested was refused")
			continue
		}
		b := read(c.x.Request.Body)
		switch {
		case b == nil: // a fault has answered before the body was read
		case strings.TrimSpace(b.text("reference")) == "":
			bad.add("a payment request without one", c.e.Seq)
		default:
			y.Holds(c.e.Seq)
		}
	}
	bad.fail(&y, "a reference in every payment request", "send your own id of the payment as reference: it is how you find it again")
	t.omitted(&y, tape.KindExchange)
	return y.Exercised("request a payment")
}

// distinct looks for two payments with one reference. What is sent again after a
// failure, or under its key, is the same payment; and what has ended without
// money may be asked for again.
func distinct(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	first := map[string]*try{}
	list := t.tries()
	ended := t.endings()
	for n := range list {
		c := &list[n]
		if c.x.Operation != "createPayment" || !c.took() {
			continue
		}
		reference := strings.TrimSpace(read(c.x.Request.Body).text("reference"))
		if reference == "" {
			continue
		}
		before := first[reference]
		switch {
		case before == nil:
			y.Holds(c.e.Seq)
		case before.failed(), before.key != "" && before.key == c.key, replayed(c.x):
		case ended[before.e.Seq] != 0 && ended[before.e.Seq] < c.e.Seq:
		case t.stubbed(tape.KindTransition):
			y.Open("whether the first payment has ended may be in what was too large for the tape", before.e.Seq, c.e.Seq)
		default:
			y.Fail("a reference of its own for each payment", "two payments with the reference "+strconv.Quote(reference),
				"derive the reference from the payment that is meant, not from payer, day or product", before.e.Seq, c.e.Seq)
		}
		first[reference] = c
	}
	t.omitted(&y, tape.KindExchange)
	if y.Held() < 2 && y.Problems() == 0 { // of those that were not refused
		return []verdict.Judgement{{Word: verdict.NotExercised, Received: "fewer than two payments that were not refused have a reference; request two payments"}}
	}
	return y.Exercised("request two payments")
}

// endings gives when the payment that each call has created has ended without
// money having been kept.
func (t *Tape) endings() map[uint64]uint64 {
	ends := map[uint64]uint64{}
	for e := range t.of(tape.KindTransition) {
		switch e.Transition.To {
		case "Canceled", "Denied", "Failed":
			if b := t.born[e.Transition.Entity]; b != nil {
				ends[b.Cause] = e.Seq
			}
		}
	}
	return ends
}

// amounts are the members of the operations that are amounts.
var amounts = map[string][]string{
	"createPayment": {"amount", "debitAuthLimit", "autoPayLimit"}, "authoriseCard": {"amount"}, "chargeSavedCard": {"amount"},
	"refundPayment": {"amount"}, "refundPaymentByQuery": {"amount"}, "registerCardPayment": {"amount"}, "registerUser": {"amount"},
	"createPlan": {"amount"}, "createRecurring": {"amount"}, "requestDebitAuthorisation": {"limit"},
}

// commaForm is an amount with a decimal comma, which makes the body no JSON.
var commaForm = lazy(`(?i)"(?:amount|limit|debitAuthLimit|autoPayLimit)"\s*:\s*[0-9]+,[0-9]`)

// inCents looks at every amount.
func inCents(t *Tape) []verdict.Judgement {
	return t.members(amounts, "a whole number of cents", "send cents as a JSON number without fraction or quotes: 5000 for 50.00", "request a payment",
		func(v any) bool {
			n, ok := v.(interface{ Int64() (int64, error) })
			if !ok {
				return false
			}
			_, err := n.Int64()
			return err == nil
		}, commaForm)
}

var (
	phones = map[string][]string{
		"registerUser": {"mobileNumber"}, "createExternalAuthLink": {"mobileNumber"}, "registerCardPayment": {"mobileNumber"},
	}
	e164Form = lazy(`^\+[1-9][0-9]{1,14}$`)
)

// inE164 looks at every mobile number.
func inE164(t *Tape) []verdict.Judgement {
	return t.members(phones, "a plus, the country code and at most 15 digits", "send +12025550123 for (202) 555-0123",
		"register a payer with a mobile number", func(v any) bool {
			s, ok := v.(string)
			return ok && e164Form().MatchString(s)
		}, nil)
}

// members looks at some members of the bodies of some operations, where they have a
// value. broken is how a wrong one makes a body no JSON, nil for not at all.
func (t *Tape) members(of map[string][]string, want, hint, exercise string, good func(v any) bool, broken func() *regexp.Regexp) []verdict.Judgement {
	var y verdict.Tally
	var bad offences
	for e := range t.exchanges() {
		x := e.Exchange
		names := of[x.Operation]
		if len(names) == 0 {
			continue
		}
		b := read(x.Request.Body)
		if b == nil && broken != nil {
			if part := broken().Find(x.Request.Body); part != nil {
				bad.add(string(part)+" in "+x.Operation, e.Seq)
			}
		}
		for _, name := range names {
			switch v := b.get(name); {
			case v == nil, v == "":
			case good(v):
				y.Holds(e.Seq)
			default:
				bad.add(name+" "+show(quoted(v))+" in "+x.Operation, e.Seq)
			}
		}
	}
	bad.fail(&y, want, hint)
	t.omitted(&y, tape.KindExchange)
	return y.Exercised(exercise)
}

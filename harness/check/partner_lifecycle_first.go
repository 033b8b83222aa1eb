package check

import (
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// verifiedFirst judges what is charged for companies that were not Verified at
// once.
func verifiedFirst(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	book, changes := t.companies(), t.changes("company")
	for e := range t.exchanges() {
		if !charges(e.Exchange.Operation) {
			continue
		}
		list := changes[book.of(e.Exchange)]
		if len(list) == 0 || list[0].Transition.From != "" {
			continue
		}
		verified, now := became(list, "Verified"), at(list, e.Seq)
		switch {
		case verified != nil && verified.Cause == list[0].Cause:
			y.Skip("a company that was Verified at once, as every company is in the environment sandbox")
		case now == nil || now.Transition.To == "Rejected": // the clause about rejected companies judges
		case now.Transition.To == "Verified":
			y.Holds(now.Seq, e.Seq)
		default:
			t.unsure(&y, "no "+e.Exchange.Operation+" before the company is Verified", "one while the company "+now.Transition.Entity+" is "+now.Transition.To,
				"keep what is to be charged until COMPANY_VERIFICATION_STATUS_CHANGED says Verified, or the status does", now.Seq, e.Seq)
		}
	}
	if knob := t.chose("kyb-rehearsal"); knob == "kyb-rehearsal=at-once" && y.Held() == 0 && y.Problems() == 0 {
		return verdict.DoesNotApply("by the choice " + knob + " no company waits to be Verified")
	}
	return y.Exercised("register a company in the rehearsal environment, and charge for it once it is Verified")
}

// rejected judges what is charged for companies once the application could know
// that they were Rejected.
func rejected(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	book, hooks := t.companies(), t.hooks()
	for e := range t.of(tape.KindTransition) {
		if m := e.Transition; m.Machine == "company" && m.To == "Rejected" {
			id := strings.ToLower(m.Entity)
			if told := t.toldOf(e, id, book, hooks); told != nil {
				t.afterRejection(&y, told, id, book)
			} else {
				y.Skip("a company that was Rejected, which the application has not been told")
			}
		}
	}
	return y.Exercised("register a company that is rejected, in the rehearsal environment")
}

// toldOf is the entry by which the application learns of a company's rejection:
// the event, if it takes it, or a status that it reads. Applications act while
// they answer, so that what has begun the delivery counts: the event, or the timer
// of a later attempt.
func (t *Tape) toldOf(change *tape.Entry, id string, book *companies, hooks []hook) *tape.Entry {
	for i := range hooks {
		if h := &hooks[i]; h.entry.Seq > change.Seq && h.telling() && h.about() == id && h.says() == "Rejected" {
			if begun := t.entry(h.entry.Cause); h.Number > 1 && begun != nil {
				return begun
			}
			return h.event
		}
	}
	for e := range t.exchanges() {
		if e.Seq > change.Seq && served(e.Exchange) && book.reads(e, id) {
			return e
		}
	}
	return nil
}

// afterRejection judges one company. Whoever waits for Verified has no call on
// its way when a company is Rejected.
func (t *Tape) afterRejection(y *verdict.Tally, told *tape.Entry, id string, book *companies) {
	for e := range t.exchanges() {
		if e.Seq > told.Seq && charges(e.Exchange.Operation) && book.of(e.Exchange) == id {
			y.Fail("nothing charged for a company that was Rejected", e.Exchange.Operation+" for the company "+id+", after the application was told",
				"take a company out of use when COMPANY_VERIFICATION_STATUS_CHANGED says Rejected", told.Seq, e.Seq)
			return
		}
	}
	y.Holds(told.Seq)
}

// registeredFirst judges the charges of payers who were registered by a call.
func registeredFirst(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	changes := t.changes("registration")
	calls := t.registrations()
	for e := range t.exchanges() {
		x := e.Exchange
		id, sent := payerOf(x)
		registration, known := calls[id]
		if id == "" || !known {
			continue
		}
		now := at(changes[id], e.Seq)
		switch {
		case now == nil:
		case now.Transition.To == "Registered":
			y.Holds(now.Seq, e.Seq)
		case x.Operation == "createPayment" && (single(registration) || sent.get("oneTimePayment") == true):
			y.Skip("a single payment within the registration")
		default:
			t.unsure(&y, "no "+x.Operation+" before the payer is Registered", "one while the registration is "+now.Transition.To,
				"wait until the status of the registration is Registered", now.Seq, e.Seq)
		}
	}
	return y.Exercised("register a payer, and charge later")
}

// registrations are the bodies of the calls that have registered payers, whoever
// has made them.
func (t *Tape) registrations() map[string]body {
	calls := map[string]body{}
	for e := range t.of(tape.KindExchange) {
		if x := e.Exchange; x.Operation == "registerUser" && served(x) {
			calls[strings.ToLower(read(x.Response.Body).text("registrationId"))] = read(x.Request.Body)
		}
	}
	return calls
}

// payerOf is the registration that a call charges, "" for none, and its body.
func payerOf(x *tape.Exchange) (string, body) {
	member := "registrationId"
	switch x.Operation {
	case "createRecurring":
		member = "registrationUserId"
	case "createPayment", "chargeSavedCard", "createPlan":
	default:
		return "", nil
	}
	b := read(x.Request.Body)
	return strings.ToLower(b.text(member)), b
}

// single says whether a registration is one for a single payment.
func single(b body) bool {
	_, amount := b.whole("amount")
	return amount && strings.EqualFold(b.text("period"), "once")
}

package lifecycle

import (
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// verifiedFirst judges what is charged for companies that were not Verified at
// once.
func verifiedFirst(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	changes := t.Changes("company")
	for e := range t.CallEntries() {
		if !trail.OperationOf(e.Exchange).Charges {
			continue
		}
		list := changes[t.CompanyOf(e.Exchange)]
		if len(list) == 0 || list[0].Transition.From != "" {
			continue
		}
		verified, now := trail.FirstInto(list, "Verified"), trail.LastBefore(list, e.Seq)
		switch {
		case verified != nil && verified.Cause == list[0].Cause:
			y.Skip("a company that was Verified at once, as every company is in the environment sandbox")
		case now == nil || now.Transition.To == "Rejected": // the clause about rejected companies judges
		case now.Transition.To == "Verified":
			y.Holds(now.Seq, e.Seq)
		default:
			t.Unsure(&y, "no "+e.Exchange.Operation+" before the company is Verified", "one while the company "+now.Transition.Entity+" is "+now.Transition.To, now.Seq, e.Seq)
		}
	}
	if knob := t.Chose("kyb-rehearsal"); knob == "kyb-rehearsal=at-once" && y.Held() == 0 && y.Problems() == 0 {
		return verdict.DoesNotApply("by the choice " + knob + " no company waits to be Verified")
	}
	return y.Exercised()
}

// rejectedCompany judges what is charged for companies once the application could know
// that they were Rejected.
func rejectedCompany(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindTransition) {
		if m := e.Transition; m.Machine == "company" && m.To == "Rejected" {
			id := strings.ToLower(m.Entity)
			if told := toldOf(t, e, id); told != nil {
				afterRejection(t, &y, told, id)
			} else {
				y.Skip("a company that was Rejected, which the application has not been told")
			}
		}
	}
	return y.Exercised()
}

// toldOf is the entry by which the application learns of a company's rejection:
// the event, if it takes it, or a status that it reads. Applications act while
// they answer, so that what has begun the delivery counts: the event, or the timer
// of a later attempt.
func toldOf(t *trail.Trail, change *tape.Entry, id string) *tape.Entry {
	for _, h := range t.Deliveries() {
		if h.Entry.Seq > change.Seq && h.Told() && h.About() == id && h.Says() == "Rejected" {
			if begun := t.Entry(h.Entry.Cause); h.Number > 1 && begun != nil {
				return begun
			}
			return h.Emitted
		}
	}
	for e := range t.CallEntries() {
		if e.Seq > change.Seq && trail.Served(e.Exchange) && t.ReadsState(e, id) {
			return e
		}
	}
	return nil
}

// afterRejection judges one company. Whoever waits for Verified has no call on
// its way when a company is Rejected.
func afterRejection(t *trail.Trail, y *verdict.Tally, told *tape.Entry, id string) {
	for e := range t.CallEntries() {
		if e.Seq > told.Seq && trail.OperationOf(e.Exchange).Charges && t.CompanyOf(e.Exchange) == id {
			y.Fail("nothing charged for a company that was Rejected", e.Exchange.Operation+" for the company "+id+", after the application was told", told.Seq, e.Seq)
			return
		}
	}
	y.Holds(told.Seq)
}

// registeredFirst judges the charges of payers who were registered by a call.
func registeredFirst(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	changes := t.Changes("registration")
	calls := registrations(t)
	for e := range t.CallEntries() {
		x := e.Exchange
		id, _ := t.PayerOf(x)
		registration, known := calls[id]
		if id == "" || !known {
			continue
		}
		now := trail.LastBefore(changes[id], e.Seq)
		switch {
		case now == nil:
		case now.Transition.To == "Registered":
			y.Holds(now.Seq, e.Seq)
		case trail.OperationOf(x).RequestsPayment() && single(registration):
			y.Skip("a single payment within the registration")
		default:
			t.Unsure(&y, "no "+x.Operation+" before the payer is Registered", "one while the registration is "+now.Transition.To, now.Seq, e.Seq)
		}
	}
	return y.Exercised()
}

// registrations are the bodies of the calls that have registered payers, whoever
// has made them.
func registrations(t *trail.Trail) map[string]trail.Body {
	calls := map[string]trail.Body{}
	for e := range t.Of(tape.KindExchange) {
		if x := e.Exchange; x.Operation == "registerUser" && trail.Served(x) {
			calls[strings.ToLower(t.Answered(x).Text("registrationId"))] = t.Sent(x)
		}
	}
	return calls
}

// single says whether a registration is one for a single payment.
func single(b trail.Body) bool {
	_, amount := b.Whole("amount")
	return amount && strings.EqualFold(b.Text("period"), "once")
}

package writeout

import (
	"fmt"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// secret is that of the receiver in a scenario: the partner's own is none of ours.
const secret = "s3cret"

// moves are, by the status that a payment's event tells, the state before it and what happens then.
var moves = map[string][2]string{
	"Processing": {"Pending", "approve"}, "Paid": {"Processing", "pay"}, "Failed": {"Processing", "fail"}, "Denied": {"Pending", "deny"},
	"Canceled": {"Pending", "cancel"}, "Scheduled": {"Pending", "schedule"}, "Queued": {"Pending", "queue"}, "InReview": {"Pending", "review"},
}

// outcomes are, by the status that a company's event tells, how its verification ended.
var outcomes = map[string]string{"Verified": "verified", "Rejected": "rejected"}

// delivered tells the webhooks that a fault of their receiver rests on: how the event came to be, and how it was delivered. It
// gives the clause that this is about, "" where no step makes such an event.
func (f *scenario) delivered() (clause string) {
	if len(f.Webhooks) == 0 {
		return ""
	}
	first, w := &f.Webhooks[0], &f.Webhooks[len(f.Webhooks)-1]
	body := trail.ReadBody(w.Body)
	status := body.Object("Data").Text("Status")
	way, paid := moves[status]
	if w.Did(recording.Ignored) {
		way = [2]string{"Paid", "return"}
	}
	outcome, verified := outcomes[status]
	company := body.Text("Event") == trail.CompanyEvent
	if !company && (!paid || body.Text("Event") != trail.PaymentEvent) {
		return ""
	}
	f.lines, f.last = nil, ""
	if company && !verified {
		return f.unsent()
	}
	if company {
		f.rehearsed = true
		f.given("a company")
	} else {
		f.given(`a payment that is "%s"`, way[0])
	}
	again := len(f.Webhooks) > 1 && first.Says() != "" && first.Says() == w.Says()
	retried := again && first.Status >= 300 && status != "Processing" // which goes on before it is sent again
	f.receiver(first, w, again, retried)
	if company {
		f.when(`the verification ends as "%s"`, outcome)
	} else {
		f.when(`"%s" happens to the payment`, way[1])
	}
	if retried {
		f.when("5 seconds pass")
	}
	return f.came(w, again)
}

// unsent tells that a company has no event before its verification ends, and gives the clause.
func (f *scenario) unsent() string {
	f.rehearsed = true
	f.given("a webhook receiver")
	f.when("the partner registers a company")
	f.then("the receiver has got 0 deliveries")
	return "event.company"
}

// receiver tells how the receiver answers, and what goes wrong with the deliveries.
func (f *scenario) receiver(first, w *recording.Received, again, retried bool) {
	if w.Signature == "" {
		f.given("a webhook receiver")
	} else {
		f.given(`a webhook receiver with the secret "%s"`, secret)
	}
	switch {
	case w.Signature == recording.Wrong:
		f.given(`the deliveries go wrong by "altered-signature"`)
	case w.Signature == recording.Missing:
		f.given(`the deliveries go wrong by "missing-signature"`)
	case retried:
		f.given(`the receiver answers "%d, 200"`, first.Status)
	case again:
		f.given(`the deliveries go wrong by "duplicate"`)
	}
	for i := range f.Webhooks { // what the partner's own receiver did, no step says
		if said := f.Webhooks[i].Status; said > 0 {
			f.lines = append(f.lines, fmt.Sprintf("# the partner's receiver answered %d to delivery %d", said, i+1))
		}
	}
	for _, d := range w.Log {
		if says := deeds[d.Kind]; says != "" {
			f.lines = append(f.lines, "# its log tells that it "+says+": "+oneLine(d.Line))
		}
	}
}

// deeds are what a receiver's log tells, in words.
var deeds = map[recording.Kind]string{
	recording.DidAgain: "did the same each time", recording.SetBack: "went back",
	recording.TooSoon: "took the payment for paid", recording.Ignored: "did nothing",
	recording.SameDigest: "computed the same digest", recording.OtherDigest: "computed another digest", recording.Another: "did something for another payment",
}

// came tells what the receiver has got, and gives the clause that it is about.
func (f *scenario) came(w *recording.Received, again bool) string {
	if again {
		f.then("the receiver has got 2 deliveries")
		f.then("the deliveries have the same body")
	} else {
		f.then("the receiver has got 1 delivery")
	}
	switch w.Signature {
	case recording.Valid, recording.Otherwise:
		f.then(`every delivery is signed with "%s"`, secret)
	case recording.Wrong:
		f.then(`no delivery is rightly signed with "%s"`, secret)
	case recording.Missing:
		f.then("no delivery is signed")
	default:
	}
	if again {
		return "event.delivery.retry"
	}
	return "event.signature"
}

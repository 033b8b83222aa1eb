package webhook

import (
	"net/http"
	"slices"
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// ways say of a delivery what its profile has done to it.
var ways = map[string]string{
	"altered-byte":      "of which a byte was changed after it was signed",
	"altered-signature": "of whose signature the last digit is another one",
	"missing-signature": "without " + trail.SignatureHeader,
	"wrong-secret":      "that is signed with another secret than the endpoint's",
	"empty-secret":      "that is signed with an empty secret",
	"altered-status":    "that tells another status than was signed",
	"stale-signature":   "with the signature of an earlier body",
	"odd-json":          "that is written in odd but legal JSON, and rightly signed",
	"unknown-event":     "with an event of an unknown name, rightly signed",
	"extra-member":      "with members that are not known, rightly signed",
	aheadProfile:        "that comes before the answer to the call which has caused it",
}

// forgedRefused judges the answers to deliveries that are not genuine by one of the
// profiles; the first one is the usual one. Those that no delivery had are told.
func forgedRefused(profiles ...string) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement {
		var y verdict.Tally
		met := map[string]bool{}
		for _, h := range t.Deliveries() {
			for _, profile := range profiles {
				if trail.Spoilt(h.Attempt, profile) {
					before := y.Held()
					judgeForged(&y, h, profile, t.Takes(h.Endpoint))
					met[profile] = met[profile] || y.Held() > before
				}
			}
		}
		noteUnmet(&y, met, profiles...)
		return y.Exercised()
	}
}

// judgeForged judges one answer. takes says whether the endpoint takes what is
// genuine: to refuse everything is no proof.
func judgeForged(y *verdict.Tally, h *trail.Delivery, profile string, takes bool) {
	const expected = "401, or another 4xx"
	got := "status " + strconv.Itoa(h.Status)
	switch {
	case !h.Signed() && !trail.Spoilt(h.Attempt, "missing-signature"):
		y.Skip("a delivery to an endpoint without a secret")
	case h.Away():
		y.Skip("a delivery that was not answered, or by somebody who could not judge it: a gateway, or a receiver that is busy")
	case trail.Accepted(h.Attempt):
		y.Fail(expected, got+" to a delivery "+ways[profile], h.Entry.Seq)
	case h.Status >= 500 || h.Status < 400:
		y.WarnAs("chance", expected, got+": refused, but not on purpose", h.Entry.Seq)
	case !takes:
		noteHindrance(y, got+", but nothing genuine was accepted either", secretHint, h)
	default:
		y.Holds(h.Entry.Seq)
	}
}

// unusualAccepted judges the answers to deliveries that are genuine though unusual.
func unusualAccepted(profile string) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement {
		var y verdict.Tally
		strange := strangers(t)
		var away putOff
		for _, h := range t.Deliveries() {
			away.note(h, trail.Spoilt(h.Attempt, profile))
			switch {
			case !trail.Spoilt(h.Attempt, profile) || !h.Genuine():
			case h.Refused() && unknownYet(t, h):
				y.Skip("a delivery came so soon after the call which has made what it is about that the receiver may not have known it yet, which is partner.webhook.before-response's matter")
			case h.Refused() && strange(h):
				noteHindrance(&y, "status "+strconv.Itoa(h.Status)+", as to everything since the clock was moved: does the receiver refuse what is not of its own time?",
					"let test builds take events of any time, or go on until the receiver takes others", h)
			default:
				judgeUnusual(&y, h, ways[profile], t.Takes(h.Endpoint))
			}
		}
		away.judge(t, &y, ways[profile])
		return y.Exercised()
	}
}

// putOff are the unusual deliveries that were not answered, or by the wish to come later,
// and how often plain ones were taken, and were not.
type putOff struct {
	seqs         []uint64
	got          string
	taken, plain int
}

// note counts a delivery.
func (p *putOff) note(h *trail.Delivery, unusual bool) {
	switch {
	case !h.Genuine():
	case unusual && h.Away():
		p.seqs, p.got = append(p.seqs, h.Entry.Seq), "status "+strconv.Itoa(h.Status)
		if h.Status == 0 {
			p.got = "no answer"
		}
	case h.Profile == "":
		p.plain++
		if trail.Accepted(h.Attempt) {
			p.taken++
		}
	}
}

// judge fails a receiver that answers none of the unusual deliveries and nearly all
// others: that is no chance.
func (p *putOff) judge(t *trail.Trail, y *verdict.Tally, what string) {
	const always, most = 2, 10 // how many, and of how many plain ones one may be away
	if len(p.seqs) >= always && y.Held() == 0 && p.taken > 0 && most*(p.plain-p.taken) <= p.plain {
		t.Unsure(y, "2xx to a delivery "+what, p.got+" to each of "+strconv.Itoa(len(p.seqs))+", and to others 2xx", p.seqs...)
	}
}

// unknownYet says of a delivery that was refused whether the receiver may not have known
// the resource yet: the call that has made it has also caused the event, and had been
// answered just before; and the refusal is one of what is not known.
func unknownYet(t *trail.Trail, h *trail.Delivery) bool {
	missing := h.Status == http.StatusNotFound || h.Status == http.StatusConflict || h.Status == http.StatusTooEarly
	if !missing || h.Emitted == nil || trail.Spoilt(h.Attempt, "unknown-event") { // whose name may be what is not found
		return false
	}
	born, call := t.Born(trail.Subject(h.Emitted)), t.Entry(h.Emitted.Cause)
	return born != nil && call != nil && call.Kind == tape.KindExchange && born.Cause == call.Seq &&
		t.Waited(h.Entry)-h.Took-t.Waited(call) <= int64(followSoon)
}

// strangers says of a delivery whether the clock was moved before it, and the receiver
// has refused all since, plain ones among them: one that knows only the time of the
// wall may take them for old ones that somebody sends again.
func strangers(t *trail.Trail) func(h *trail.Delivery) bool {
	if t.Meta.Clock != "real" || t.Virtual() {
		return func(*trail.Delivery) bool { return false }
	}
	type place struct {
		endpoint string
		moves    int
	}
	at := func(h *trail.Delivery) place {
		return place{h.Endpoint, t.MovesBefore(h.Entry.Seq)}
	}
	took, refused := map[place]bool{}, map[place]bool{}
	for _, h := range t.Deliveries() {
		switch {
		case h.Taken():
			took[at(h)] = true
		case h.Profile == "" && h.Refused():
			refused[at(h)] = true
		}
	}
	return func(h *trail.Delivery) bool {
		moved := at(h).moves > 0 || t.Meta.Dropped > 0
		return t.Stubbed(tape.KindClock) || moved && !took[at(h)] && refused[at(h)]
	}
}

// judgeUnusual judges one answer to a delivery that has to be accepted.
func judgeUnusual(y *verdict.Tally, h *trail.Delivery, what string, takes bool) {
	got := "status " + strconv.Itoa(h.Status)
	switch {
	case h.Away():
		y.Skip("a delivery that was not answered, or when the receiver was away")
	case trail.Accepted(h.Attempt):
		y.Holds(h.Entry.Seq)
	case !takes:
		noteHindrance(y, got+", but nothing else was accepted either", secretHint, h)
	default:
		y.Fail("2xx to a delivery "+what, got, h.Entry.Seq)
	}
}

// secretHint is told where a receiver has taken nothing.
const secretHint = "see that the receiver has the endpoint's secret"

// noteHindrance notes what keeps any clause about deliveries from being judged: its hint is
// no clause's.
func noteHindrance(y *verdict.Tally, received, hint string, h *trail.Delivery) {
	y.Add(verdict.Judgement{Word: verdict.Review, Received: received, Hint: hint, Entries: []uint64{h.Entry.Seq}})
}

// unpaidFulfilled says whether the application has fulfilled any payment that was not Paid, also
// one that never was and that it has taken back since: then it goes by something else, which is
// partner.payment.paid-first's matter. One that a forgery has told to be Paid does not count.
func unpaidFulfilled(t *trail.Trail) bool {
	return slices.ContainsFunc(t.Probes(), func(p *trail.Probe) bool {
		for id, got := range p.By {
			changes := t.PaymentChanges()[id]
			if got.Fulfilled == 0 || trail.LastBefore(changes, p.Entry.Seq) == nil || t.ForgedPaid(id, p.Entry.Seq) {
				continue
			}
			if paid := trail.FirstInto(changes, "Paid"); paid == nil || paid.Seq > p.Entry.Seq {
				return true
			}
		}
		return false
	})
}

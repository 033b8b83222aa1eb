package check

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// ways say of a delivery what its profile has done to it.
var ways = map[string]string{
	"altered-byte":      "of which a byte was changed after it was signed",
	"altered-signature": "of whose signature the last digit is another one",
	"missing-signature": "without " + signatureHeader,
	"wrong-secret":      "that is signed with another secret than the endpoint's",
	"empty-secret":      "that is signed with an empty secret",
	"stale-signature":   "with the signature of an earlier body",
	"odd-json":          "that is written in odd but legal JSON, and rightly signed",
	"unknown-event":     "with an event of an unknown name, rightly signed",
	"extra-member":      "with members that are not known, rightly signed",
	aheadProfile:        "that comes before the answer to the call which has caused it",
}

// refusing judges the answers to deliveries that are not genuine by one of the
// profiles; the first one is the usual one.
func refusing(profiles ...string) func(*Tape) []verdict.Judgement {
	return func(t *Tape) []verdict.Judgement {
		var y verdict.Tally
		hooks := t.hooks()
		takes := t.takers(hooks)
		for i := range hooks {
			h := &hooks[i]
			for _, profile := range profiles {
				if spoilt(h.Attempt, profile) {
					judgeForged(&y, h, profile, takes(h.Endpoint))
				}
			}
		}
		return y.Exercised("be sent a delivery that has to be refused: the delivery profile " + profiles[0])
	}
}

// forged judges one answer. takes says whether the endpoint takes what is
// genuine: to refuse everything is no proof.
func judgeForged(y *verdict.Tally, h *hook, profile string, takes bool) {
	const expected = "401, or another 4xx"
	got := "status " + strconv.Itoa(h.Status)
	switch {
	case !h.signed() && !spoilt(h.Attempt, "missing-signature"):
		y.Skip("a delivery to an endpoint without a secret")
	case h.away():
		y.Skip("a delivery that was not answered, or by somebody who could not judge it: a gateway, or a receiver that is busy")
	case succeeded(h.Attempt):
		y.Fail(expected, got+" to a delivery "+ways[profile],
			"compute the HMAC-SHA256 of the raw body with the endpoint's secret, compare it in constant time with "+signatureHeader+", and answer 401 when they differ or it is missing", h.entry.Seq)
	case h.Status >= 500 || h.Status < 400:
		y.Warn(expected, got+": refused, but not on purpose", "answer 401 when the signature is not right", h.entry.Seq)
	case !takes:
		y.Review(got+", but nothing genuine was accepted either", "see that the receiver has the endpoint's secret", h.entry.Seq)
	default:
		y.Holds(h.entry.Seq)
	}
}

// accepting judges the answers to deliveries that are genuine though unusual.
func accepting(profile, hint string) func(*Tape) []verdict.Judgement {
	return func(t *Tape) []verdict.Judgement {
		var y verdict.Tally
		hooks := t.hooks()
		takes, strange := t.takers(hooks), t.strangers(hooks)
		for i := range hooks {
			switch h := &hooks[i]; {
			case !spoilt(h.Attempt, profile) || !h.genuine():
			case h.refused() && t.unknownYet(h):
				y.Skip("a delivery came so soon after the call which has made what it is about that the receiver may not have known it yet, which is partner.webhook.before-response's matter")
			case h.refused() && strange(h):
				y.Review("status "+strconv.Itoa(h.Status)+", as to everything since the clock was moved: does the receiver refuse what is not of its own time?",
					"let test builds take events of any time, or go on until the receiver takes others", h.entry.Seq)
			default:
				judgeUnusual(&y, h, ways[profile], hint, takes(h.Endpoint))
			}
		}
		return y.Exercised("be sent a delivery that has to be accepted: the delivery profile " + profile)
	}
}

// unknownYet says of a delivery that was refused whether the receiver may not have known
// the resource yet: the call that has made it has also caused the event, and had been
// answered just before; and the refusal is one of what is not known.
func (t *Tape) unknownYet(h *hook) bool {
	missing := h.Status == http.StatusNotFound || h.Status == http.StatusConflict || h.Status == http.StatusTooEarly
	if !missing || h.event == nil || spoilt(h.Attempt, "unknown-event") { // whose name may be what is not found
		return false
	}
	born, call := t.born[main(h.event)], t.entry(h.event.Cause)
	return born != nil && call != nil && call.Kind == tape.KindExchange && born.Cause == call.Seq &&
		t.waited(h.entry)-h.Took-t.waited(call) <= int64(followSoon)
}

// strangers says of a delivery whether the clock was moved before it, and the receiver
// has refused all since, plain ones among them: one that knows only the time of the
// wall may take them for old ones that somebody sends again.
func (t *Tape) strangers(hooks []hook) func(h *hook) bool {
	if t.Meta.Clock != "real" || t.virtual() {
		return func(*hook) bool { return false }
	}
	type place struct {
		endpoint string
		moves    int
	}
	at := func(h *hook) place {
		n, _ := slices.BinarySearchFunc(t.moves, h.entry.Seq, func(m move, seq uint64) int { return cmp.Compare(m.seq, seq) })
		return place{h.Endpoint, n}
	}
	took, refused := map[place]bool{}, map[place]bool{}
	for i := range hooks {
		switch h := &hooks[i]; {
		case h.trusted():
			took[at(h)] = true
		case h.Profile == "" && h.refused():
			refused[at(h)] = true
		}
	}
	return func(h *hook) bool {
		moved := at(h).moves > 0 || t.Meta.Dropped > 0
		return t.stubbed(tape.KindClock) || moved && !took[at(h)] && refused[at(h)]
	}
}

// unusual judges one answer to a delivery that has to be accepted.
func judgeUnusual(y *verdict.Tally, h *hook, what, hint string, takes bool) {
	got := "status " + strconv.Itoa(h.Status)
	switch {
	case h.away():
		y.Skip("a delivery that was not answered, or when the receiver was away")
	case succeeded(h.Attempt):
		y.Holds(h.entry.Seq)
	case !takes:
		y.Review(got+", but nothing else was accepted either", "see that the receiver has the endpoint's secret", h.entry.Seq)
	default:
		y.Fail("2xx to a delivery "+what, got, hint, h.entry.Seq)
	}
}

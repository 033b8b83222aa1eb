package check

import (
	"maps"
	"slices"
	"strconv"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// webhookClauses are the checks on how an integration takes in deliveries.
func webhookClauses() []Check {
	return []Check{
		hookCheck("altered", "A delivery that was altered on its way is refused", refusing("altered-byte", "altered-signature")),
		hookCheck("unsigned", "A delivery without a signature is refused", refusing("missing-signature")),
		hookCheck("wrong-secret", "A delivery signed with another secret is refused", refusing("wrong-secret", "empty-secret")),
		hookCheck("stale-signature", "A delivery with the signature of an earlier body is refused", refusing("stale-signature")),
		hookCheck("no-follow-up", "Nothing is done after a delivery that has to be refused", notFollowed),
		hookCheck("raw-bytes", "The signature is checked over the bytes as they came: odd but legal JSON is accepted",
			accepting("odd-json", "compute the HMAC over the bytes of the body as they came, before it is parsed")),
		hookCheck("unknown-event", "An event of an unknown name is accepted and left alone",
			accepting("unknown-event", "answer 200 to an event whose name is not known, and do nothing")),
		hookCheck("unknown-member", "An event with unknown members is accepted",
			accepting("extra-member", "read the members that are needed and pass over the others")),
		hookCheck("duplicate", "An event that comes twice has its effect once", onceOnly("duplicate", true)),
		hookCheck("parallel-duplicate", "An event that comes twice at the same moment has its effect once", onceOnly("parallel-duplicate", false)),
		hookCheck("order", "Events that come out of order lead to the same result", anyOrder),
		hookCheck("before-response", "An event that comes before the answer to the call is accepted", ahead),
		hookCheck("quick", "Deliveries are answered quickly also in a burst: 95 of 100 within 3 seconds", quick),
		hookCheck("rotation", "No event is lost while the secret changes", rotated),
	}
}

// hookCheck makes the check of a clause about webhooks. Where nothing could be seen
// because the receiver takes nothing, it says so.
func hookCheck(name, title string, run func(*Tape) []verdict.Judgement) Check {
	return partnerCheck("partner.webhook."+name, title, func(t *Tape) []verdict.Judgement {
		list := run(t)
		if why := t.unwelcome(); why != "" && verdict.Of(list) == verdict.NotExercised {
			return []verdict.Judgement{{Word: verdict.NotExercised, Received: why + "; let it answer 2xx to what is genuine"}}
		}
		return list
	})
}

// unwelcome says how a receiver has answered that has taken none of several genuine
// deliveries; empty for one that has taken any.
func (t *Tape) unwelcome() string {
	const several = 3
	answers, n := map[int]int{}, 0
	for e := range t.of(tape.KindAttempt) {
		if spoilt(e.Attempt, forgeries...) {
			continue // which has to be refused
		}
		if succeeded(e.Attempt) {
			return ""
		}
		answers[e.Attempt.Status]++
		n++
	}
	if n < several || t.cut(tape.KindAttempt) {
		return ""
	}
	most := 0
	for _, status := range slices.Sorted(maps.Keys(answers)) {
		if answers[status] > answers[most] {
			most = status
		}
	}
	said := "status " + strconv.Itoa(most)
	if most == 0 {
		said = "no answer"
	}
	return "the receiver has taken none of " + strconv.Itoa(n) + " genuine deliveries, " + said + " to " + strconv.Itoa(answers[most]) + " of them"
}

// partnerCheck makes the check of a clause of the integration catalogue, which
// has the clause's id.
func partnerCheck(id, title string, run func(*Tape) []verdict.Judgement) Check {
	return Check{ID: id, Title: title, Clauses: []string{id}, Run: run}
}

// Package webhook judges how an integration takes in deliveries: that it refuses what
// is not genuine, takes what is, and does the right thing once, in any order.
//
// The hints of its clauses stand in the catalogue. Only what hinders all clauses about
// deliveries alike, such as a receiver that takes nothing, has its hint here: it is no clause's.
package webhook

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// unlessUnwelcome judges a clause about deliveries. Where nothing could be seen because
// the receiver takes nothing, it says so.
func unlessUnwelcome(run trail.Judge) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement {
		if t.Polls() {
			return verdict.DoesNotApply("the application reads states instead of receiving events")
		}
		list := run(t)
		if why := unwelcome(t); why != "" && verdict.Of(list) == verdict.NotExercised {
			return []verdict.Judgement{{Word: verdict.NotExercised, Received: why, Hint: "let it answer 2xx to what is genuine"}}
		}
		return list
	}
}

// unwelcome says how a receiver has answered that has taken none of several genuine
// deliveries; empty for one that has taken any.
func unwelcome(t *trail.Trail) string {
	const several = 3
	answers, n := map[int]int{}, 0
	for e := range t.Of(tape.KindAttempt) {
		if trail.Spoilt(e.Attempt, trail.Forgeries...) {
			continue // which has to be refused
		}
		if trail.Accepted(e.Attempt) {
			return ""
		}
		answers[e.Attempt.Status]++
		n++
	}
	if n < several || t.Cut(tape.KindAttempt) {
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

const followWindow = 5 * time.Second

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]trail.Judge {
	list := map[clause.ID]trail.Judge{
		"partner.webhook.altered":            forgedRefused("altered-byte", "altered-signature", "altered-status"),
		"partner.webhook.unsigned":           forgedRefused("missing-signature"),
		"partner.webhook.wrong-secret":       forgedRefused("wrong-secret", "empty-secret"),
		"partner.webhook.stale-signature":    forgedRefused("stale-signature"),
		"partner.webhook.no-follow-up":       nothingFollows,
		"partner.webhook.raw-bytes":          unusualAccepted("odd-json"),
		"partner.webhook.unknown-event":      unusualAccepted("unknown-event"),
		"partner.webhook.unknown-member":     unusualAccepted("extra-member"),
		"partner.webhook.duplicate":          effectOnce("duplicate", true),
		"partner.webhook.parallel-duplicate": effectOnce("parallel-duplicate", false),
		"partner.webhook.order":              effectInAnyOrder,
		"partner.webhook.before-response":    beforeResponse,
		"partner.webhook.quick":              quickAnswers,
		"partner.webhook.rotation":           secretRotation,
	}
	for id, run := range list {
		list[id] = unlessUnwelcome(run)
	}
	list["partner.payment.books"] = booksAtTheEnd // which an application owes that reads states, too
	return list
}

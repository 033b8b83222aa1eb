package webhook

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// unlessUnwelcome judges a clause about deliveries. Where nothing could be seen because
// the receiver takes nothing, it says so.
func unlessUnwelcome(run func(*trail.Trail) []verdict.Judgement) func(*trail.Trail) []verdict.Judgement {
	return func(t *trail.Trail) []verdict.Judgement {
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

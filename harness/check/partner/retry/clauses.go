// Package retry judges how an integration meets failures: lost answers, timeouts,
// repetitions and how they are paced, and polling. It owns what a row of repetitions
// is; what a call is it takes from package trail.
package retry

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]trail.Judge {
	return map[clause.ID]trail.Judge{
		"partner.outcome.resolved": lostOutcomes,
		"partner.client.timeout":   clientTimeout,
		"partner.retry.backoff":    growingPauses,
		"partner.retry.pause":      pausesAtAll,
		"partner.retry.after":      retryAfterObeyed,
		"partner.retry.not-4xx":    refusedNotRepeated,
		"partner.retry.bounded":    boundedAttempts,
		"partner.polling.gentle":   gentlePolling,
	}
}

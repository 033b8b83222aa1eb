// Package token judges how an integration comes by its access tokens and keeps its
// secret. It owns the clauses partner.token.* and knows nothing of the other
// families.
package token

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]trail.Judge {
	return map[clause.ID]trail.Judge{
		"partner.token.reuse":         tokenReuse,
		"partner.token.refresh":       tokenRefresh,
		"partner.token.recover":       tokenRecovery,
		"partner.token.single-flight": singleFlight,
		"partner.token.out-of-urls":   secretsOutOfURLs,
		"partner.token.server-side":   serverSideTokens,
	}
}

package world

import (
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// Token is what an access token says, before it is signed.
type Token struct {
	// ID is the token's own id (jti).
	ID uuid.UUID
	// Number counts the tokens of the integration from 1.
	Number uint64
	// Issued and Expires are virtual times in whole seconds, UTC.
	Issued, Expires time.Time
}

// tokens is what a world remembers of the tokens it has issued: how many, and
// up to which one they are revoked.
type tokens struct{ issued, revoked uint64 }

// IssueToken grants an access token for the lifetime that the ledger chooses.
// Specification, Authentication.
func (w *World) IssueToken() Token {
	w.tokens.issued++
	now := w.Now().Truncate(time.Second)
	life := time.Duration(w.cfg.Settings.Number(latitude.TokenLifetime)) * time.Second
	return Token{ID: w.core.NewID(), Number: w.tokens.issued, Issued: now, Expires: now.Add(life)}
}

// RevokeTokens revokes every token issued so far.
func (w *World) RevokeTokens() { w.tokens.revoked = w.tokens.issued }

// TokenRevoked says whether the token with the number has been revoked, or was
// never issued by this world.
func (w *World) TokenRevoked(number uint64) bool {
	return number <= w.tokens.revoked || number > w.tokens.issued
}

var (
	ruleClientID     = rule{"token.client-id", kernel.Spec, "a client id", "send clientId"}
	ruleClientSecret = rule{"token.client-secret", kernel.Spec, "a client secret", "send clientSecret"}
)

// CheckTokenRequest judges whether a token call names its credentials.
func (w *World) CheckTokenRequest(clientID, secret string, noted ...kernel.Finding) error {
	c := w.check(noted)
	c.required("/clientId", clientID, ruleClientID)
	c.required("/clientSecret", secret, ruleClientSecret)
	return c.Err("the token request")
}

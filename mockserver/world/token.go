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
	// Generation counts how often all tokens had been revoked before this one.
	Generation uint64
	// Issued and Expires are virtual times in whole seconds, UTC.
	Issued, Expires time.Time
}

// tokens is what a world remembers of the tokens it has issued: how often all of
// them were revoked.
type tokens struct{ generation uint64 }

// Pack lists what is remembered of tokens.
func (t *tokens) Pack(k *kernel.Codec) { k.Num(&t.generation) }

// IssueToken grants an access token for the lifetime that the ledger chooses.
// Specification, Authentication.
func (w *World) IssueToken() Token {
	now := w.Now().Truncate(time.Second)
	life := time.Duration(w.cfg.Settings.Number(latitude.TokenLifetime)) * time.Second
	return Token{ID: w.core.NewID("token"), Generation: w.tokens.generation, Issued: now, Expires: now.Add(life)}
}

// RevokeTokens revokes every token issued so far.
func (w *World) RevokeTokens() { w.tokens.generation++ }

// KeepRevoked lets what was revoked in another world stay so in this one, which takes
// its place. Where that was another integration's, tokens stand as they stood there.
func (w *World) KeepRevoked(before *World, same bool) {
	if !same {
		w.tokens = before.tokens
	}
	w.tokens.generation = max(w.tokens.generation, before.tokens.generation)
}

// TokenRevoked says whether a token of the generation has been revoked.
func (w *World) TokenRevoked(generation uint64) bool { return generation != w.tokens.generation }

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

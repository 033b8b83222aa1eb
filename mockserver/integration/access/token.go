package access

import (
	"encoding/hex"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"paysandbox/mockserver/tape"
)

// claims are what an access token says. All times are virtual.
type claims struct {
	jwt.RegisteredClaims
	// Integration is the id of the integration that the token belongs to.
	Integration string `json:"integration"`
	// Generation counts how often the integration's tokens had been revoked.
	Generation uint64 `json:"generation"`
}

// Token is what a token says of itself, and what its signature proves.
type Token struct {
	// Verdict is tape.AuthValid as far as the token alone can tell, or why not.
	Verdict string
	// ID is the token's id, when it could be read.
	ID string
	// Generation is how often tokens had been revoked, Expires the token's end, and Life
	// the one of the integration that has signed it.
	Generation, Life uint64
	Expires          time.Time
}

// errForeign says that a token belongs to no integration of this server.
var errForeign = errors.New("the token's integration does not exist")

// Read reads a token and checks its signature with the keys that find gives for an
// integration's id, nil where there is none; time is not judged here.
func Read(token string, find func(integration string) *Keys) (t Token) {
	var c claims
	var k *Keys
	parsed, err := jwt.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) {
		if k = find(c.Integration); k == nil {
			return nil, errForeign
		}
		return k.signing[:], nil
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}), jwt.WithoutClaimsValidation(), jwt.WithStrictDecoding())
	t.ID, t.Generation = printable(c.ID), c.Generation
	switch {
	case errors.Is(err, errForeign):
		t.Verdict = tape.AuthForeign
	case parsed != nil && parsed.Method != nil && parsed.Method.Alg() == "none":
		t.Verdict = tape.AuthAlgNone
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		t.Verdict = tape.AuthWrongSignature
		if k != nil && k.signedBefore(token) {
			t.Verdict = tape.AuthRevoked
		}
	case err != nil, c.ExpiresAt == nil:
		t.Verdict = tape.AuthMalformed
	default:
		t.Verdict, t.Expires, t.Life = tape.AuthValid, c.ExpiresAt.Time, k.Life
	}
	return t
}

// printable cuts what a stranger has written to something that can be shown.
func printable(s string) string {
	if len(s) <= 64 {
		for n := range len(s) {
			if s[n] < ' ' || s[n] > '~' {
				return hex.EncodeToString([]byte(s))
			}
		}
		return s
	}
	return printable(s[:64])
}

// Bearer takes the token out of an Authorization header; the scheme's case is free.
func Bearer(header string) (string, bool) {
	const scheme = "bearer "
	if len(header) <= len(scheme) || !foldPrefix(header, scheme) {
		return "", false
	}
	return header[len(scheme):], true
}

// foldPrefix says whether s starts with a lower-case prefix, whatever its case.
func foldPrefix(s, prefix string) bool {
	for n := range len(prefix) {
		b := s[n]
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
		}
		if b != prefix[n] {
			return false
		}
	}
	return true
}

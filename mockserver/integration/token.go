package integration

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// keys are an integration's secrets.
type keys struct {
	clientSecret [sha256.Size]byte
	signing      []byte
}

// claims are what an access token says. All times are virtual.
type claims struct {
	jwt.RegisteredClaims
	// Integration is the id of the integration that the token belongs to.
	Integration string `json:"integration"`
	// Number counts the integration's tokens.
	Number uint64 `json:"n"`
}

// newKeys derives an integration's keys from its identity, so that no token of
// one integration passes for another's.
func newKeys(id string, o *Options) keys {
	mac := hmac.New(sha256.New, []byte(o.ClientSecret))
	mac.Write([]byte("access-token\x00" + id + "\x00" + o.ClientID))
	return keys{clientSecret: sha256.Sum256([]byte(o.ClientSecret)), signing: mac.Sum(nil)}
}

// CheckCredentials compares a client id and secret with the integration's own,
// in constant time.
func (i *Integration) CheckCredentials(clientID, secret string) bool {
	given := sha256.Sum256([]byte(secret))
	right := subtle.ConstantTimeCompare(given[:], i.keys.clientSecret[:])
	return right&subtle.ConstantTimeCompare([]byte(clientID), []byte(i.opts.ClientID)) == 1
}

// Sign makes the access token that a grant stands for: a JWT under HS256.
func (i *Integration) Sign(t world.Token) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: "paysandbox", Subject: i.opts.ClientID, ID: t.ID.String(),
			IssuedAt: jwt.NewNumericDate(t.Issued), ExpiresAt: jwt.NewNumericDate(t.Expires),
		},
		Integration: i.ID, Number: t.Number,
	}).SignedString(i.keys.signing)
}

// Caller is who a request says it comes from, judged without the clock.
type Caller struct {
	// Integration owns the tape that the request goes on. It is never nil.
	Integration *Integration
	// Verdict is tape.AuthValid as far as the token alone can tell, or why not.
	Verdict string
	// Token is the token's id, when it could be read.
	Token string
	// Number is the token's number, and Expires its end.
	Number  uint64
	Expires time.Time
}

// Standing is the final verdict at a virtual time: a good token may have
// expired or been revoked. Call it inside Do.
func (c *Caller) Standing(w *world.World) string {
	switch {
	case c.Verdict != tape.AuthValid:
		return c.Verdict
	case w.TokenRevoked(c.Number):
		return tape.AuthRevoked
	case !w.Now().Before(c.Expires):
		return tape.AuthExpired
	default:
		return tape.AuthValid
	}
}

// remembered tokens bound the cache; when it is full it starts again.
const rememberedTokens = 4096

// tokenCache remembers which tokens have proved good, by their digest.
type tokenCache struct {
	mu    sync.RWMutex
	known map[[sha256.Size]byte]Caller
}

func (t *tokenCache) get(key [sha256.Size]byte) (Caller, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	c, ok := t.known[key]
	return c, ok
}

func (t *tokenCache) put(key [sha256.Size]byte, c Caller) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= rememberedTokens {
		t.known = make(map[[sha256.Size]byte]Caller)
	}
	t.known[key] = c
}

func (t *tokenCache) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = nil
}

// Authenticate judges the Authorization header of a request. A caller that
// cannot be told is put on the default integration's tape.
func (r *Registry) Authenticate(header string) Caller {
	c := Caller{Integration: r.Default()}
	token, ok := bearer(header)
	switch {
	case header == "":
		c.Verdict = tape.AuthMissing
		return c
	case !ok:
		c.Verdict = tape.AuthMalformed
		return c
	}
	key := sha256.Sum256([]byte(token))
	if known, ok := r.tokens.get(key); ok {
		return known
	}
	c = r.verify(token, c)
	if c.Verdict == tape.AuthValid {
		r.tokens.put(key, c)
	}
	return c
}

// bearer takes the token out of an Authorization header.
func bearer(header string) (string, bool) {
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

// errForeign says that a token belongs to no integration of this server.
var errForeign = errors.New("the token's integration does not exist")

// verify reads a token and checks its signature; time is not judged here.
func (r *Registry) verify(token string, c Caller) Caller {
	var cl claims
	parsed, err := jwt.ParseWithClaims(token, &cl, func(*jwt.Token) (any, error) {
		i := r.Get(cl.Integration)
		if i == nil {
			return nil, errForeign
		}
		c.Integration = i
		return i.keys.signing, nil
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}), jwt.WithoutClaimsValidation())
	c.Token, c.Number = printable(cl.ID), cl.Number
	switch {
	case errors.Is(err, errForeign):
		c.Verdict = tape.AuthForeign
	case parsed != nil && parsed.Method != nil && parsed.Method.Alg() == "none":
		c.Verdict = tape.AuthAlgNone
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		c.Verdict = tape.AuthWrongSignature
	case err != nil, cl.ExpiresAt == nil:
		c.Verdict = tape.AuthMalformed
	default:
		c.Verdict, c.Expires = tape.AuthValid, cl.ExpiresAt.Time
	}
	return c
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

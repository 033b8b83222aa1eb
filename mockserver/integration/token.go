package integration

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// keys are an integration's secrets in one life of it.
type keys struct {
	life         uint64
	clientSecret [sha256.Size]byte
	signing      [sha256.Size]byte
	// claims are the steady part of an access token, once one was signed.
	claims atomic.Pointer[[]byte]
}

// claims are what an access token says. All times are virtual.
type claims struct {
	jwt.RegisteredClaims
	// Integration is the id of the integration that the token belongs to.
	Integration string `json:"integration"`
	// Generation counts how often the integration's tokens had been revoked.
	Generation uint64 `json:"generation"`
}

// newKeys derives an integration's keys from its identity and its life, so that no
// token of one integration passes for another's, or for one of a former life.
func newKeys(id string, o *Options, life uint64) *keys {
	return &keys{life: life, clientSecret: sha256.Sum256([]byte(o.ClientSecret)), signing: [sha256.Size]byte(signingKey(id, o, life))}
}

func signingKey(id string, o *Options, life uint64) []byte {
	mac := hmac.New(sha256.New, []byte(o.ClientSecret))
	mac.Write([]byte("access-token\x00" + id + "\x00" + o.ClientID))
	if life > 0 {
		mac.Write(binary.BigEndian.AppendUint64([]byte{0}, life))
	}
	return mac.Sum(nil)
}

// formerLives is how far back a token is looked for, to say why it is refused.
const formerLives = 8

// signedBefore says whether a token that is not one of this life was one of the
// last few before it.
func (i *Integration) signedBefore(token string, life uint64) bool {
	at := strings.LastIndexByte(token, '.')
	signature, err := jwt.NewParser(jwt.WithStrictDecoding()).DecodeSegment(token[at+1:])
	if at < 0 || err != nil {
		return false
	}
	for back := uint64(1); back <= min(life, formerLives); back++ {
		if jwt.SigningMethodHS256.Verify(token[:at], signature, signingKey(i.ID, i.opts.Load(), life-back)) == nil {
			return true
		}
	}
	return false
}

// CheckCredentials compares a client id and secret with the integration's own,
// in constant time.
func (i *Integration) CheckCredentials(clientID, secret string) bool {
	given := sha256.Sum256([]byte(secret))
	right := subtle.ConstantTimeCompare(given[:], i.keys.Load().clientSecret[:])
	return right&subtle.ConstantTimeCompare([]byte(clientID), []byte(i.opts.Load().ClientID)) == 1
}

// Sign makes the access token that a grant stands for: a JWT under HS256, as
// claims describes it. What does not change from token to token is encoded once.
func (i *Integration) Sign(t world.Token) (string, error) {
	k := i.keys.Load()
	if k.claims.Load() == nil {
		k.claims.Store(new(steadyClaims(i.ID, i.opts.Load().ClientID)))
	}
	b := append(make([]byte, 0, 256), *k.claims.Load()...)
	b = strconv.AppendInt(append(b, `,"iat":`...), t.Issued.Unix(), 10)
	b = strconv.AppendInt(append(b, `,"exp":`...), t.Expires.Unix(), 10)
	b = strconv.AppendUint(append(b, `,"generation":`...), t.Generation, 10)
	b = append(append(append(b, `,"jti":"`...), t.ID.String()...), `"}`...)
	unsigned := jwtHeader + "." + base64.RawURLEncoding.EncodeToString(b)
	signature, err := jwt.SigningMethodHS256.Sign(unsigned, k.signing[:])
	if err != nil {
		return "", err
	}
	return unsigned + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// jwtHeader is {"alg":"HS256","typ":"JWT"}.
const jwtHeader = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"

// steadyClaims are the claims that every token of an integration has, without
// the closing brace.
func steadyClaims(id, clientID string) []byte {
	b, err := json.Marshal(struct {
		Issuer      string `json:"iss"`
		Subject     string `json:"sub"`
		Integration string `json:"integration"`
	}{"paysandbox", clientID, id})
	if err != nil {
		panic("integration: texts can be encoded: " + err.Error())
	}
	return b[:len(b)-1]
}

// Caller is who a request says it comes from, judged without the clock.
type Caller struct {
	// Integration owns the tape that the request goes on. It is never nil.
	Integration *Integration
	// Verdict is tape.AuthValid as far as the token alone can tell, or why not.
	Verdict string
	// Token is the token's id, when it could be read.
	Token string
	// Generation is the token's, and Expires its end.
	Generation uint64
	Expires    time.Time

	// life is the one of the integration in which the token was issued.
	life uint64
}

// Standing is the final verdict at a virtual time: a good token may have
// expired or been revoked. Call it inside Do.
func (c *Caller) Standing(w *world.World) string { return c.standing(w, w.Now()) }

// Present is the verdict at this moment, before the call is carried out. Call it
// outside Do.
func (c *Caller) Present() string {
	i := c.Integration
	i.mu.Lock()
	defer i.mu.Unlock()
	return c.standing(i.world, time.Unix(0, i.clock.now()))
}

func (c *Caller) standing(w *world.World, now time.Time) string {
	switch {
	case c.Verdict != tape.AuthValid:
		return c.Verdict
	case c.life != c.Integration.life(), w.TokenRevoked(c.Generation):
		return tape.AuthRevoked
	case !now.Before(c.Expires):
		return tape.AuthExpired
	default:
		return tape.AuthValid
	}
}

// remembered tokens bound the cache; when it is full it starts again.
const rememberedTokens = 4096

// tokenCache remembers which tokens have proved good. A keyed hash finds the
// place; the token itself is compared in constant time.
type tokenCache struct {
	seed  maphash.Seed
	mu    sync.RWMutex
	known map[uint64]knownToken
}

type knownToken struct {
	token  string
	caller Caller
}

func (t *tokenCache) get(token string) (Caller, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	k, ok := t.known[maphash.String(t.seed, token)]
	if !ok || len(k.token) != len(token) || subtle.ConstantTimeCompare([]byte(k.token), []byte(token)) != 1 {
		return Caller{}, false
	}
	return k.caller, true
}

func (t *tokenCache) put(token string, c Caller) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= rememberedTokens {
		t.known = make(map[uint64]knownToken)
	}
	t.known[maphash.String(t.seed, token)] = knownToken{strings.Clone(token), c}
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
	if known, ok := r.tokens.get(token); ok {
		return known
	}
	c = r.verify(token, c)
	if c.Verdict == tape.AuthValid {
		r.tokens.put(token, c)
		if r.Get(c.Integration.ID) != c.Integration { // it was deleted meanwhile
			r.tokens.forget()
		}
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
	var k *keys
	parsed, err := jwt.ParseWithClaims(token, &cl, func(*jwt.Token) (any, error) {
		i := r.Find(cl.Integration)
		if i == nil {
			return nil, errForeign
		}
		c.Integration, k = i, i.keys.Load()
		return k.signing[:], nil
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}), jwt.WithoutClaimsValidation(), jwt.WithStrictDecoding())
	c.Token, c.Generation = printable(cl.ID), cl.Generation
	switch {
	case errors.Is(err, errForeign):
		c.Verdict = tape.AuthForeign
	case parsed != nil && parsed.Method != nil && parsed.Method.Alg() == "none":
		c.Verdict = tape.AuthAlgNone
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		c.Verdict = tape.AuthWrongSignature
		if k != nil && c.Integration.signedBefore(token, k.life) {
			c.Verdict = tape.AuthRevoked
		}
	case err != nil, cl.ExpiresAt == nil:
		c.Verdict = tape.AuthMalformed
	default:
		c.Verdict, c.Expires, c.life = tape.AuthValid, cl.ExpiresAt.Time, k.life
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

// Package access holds what one life of an integration proves itself by: the client
// secret that callers are compared with, and the access tokens (JWT under HS256) that are
// signed and read with a key derived from it. It knows no clock and no integration:
// whether a good token has expired or was revoked is judged where those are.
package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/golang-jwt/jwt/v5"

	"paysandbox/mockserver/world"
)

// Keys are an integration's secrets in one life of it. They are safe for concurrent use.
type Keys struct {
	// Life is the number of the life.
	Life            uint64
	id, clientID    string
	secret          string
	hashed, signing [sha256.Size]byte
	// steady are the claims that all of its tokens have, once one was signed.
	steady atomic.Pointer[[]byte]
}

// NewKeys derives an integration's keys from its identity and its life, so that no token
// of one integration passes for another's, or for one of a former life.
func NewKeys(id, clientID, clientSecret string, life uint64) *Keys {
	k := &Keys{Life: life, id: id, clientID: clientID, secret: clientSecret, hashed: sha256.Sum256([]byte(clientSecret))}
	k.signing = [sha256.Size]byte(k.signingKey(life))
	return k
}

func (k *Keys) signingKey(life uint64) []byte {
	mac := hmac.New(sha256.New, []byte(k.secret))
	mac.Write([]byte("access-token\x00" + k.id + "\x00" + k.clientID))
	if life > 0 {
		mac.Write(binary.BigEndian.AppendUint64([]byte{0}, life))
	}
	return mac.Sum(nil)
}

// Match compares a client id and secret with the integration's own, in constant time.
func (k *Keys) Match(clientID, secret string) bool {
	given := sha256.Sum256([]byte(secret))
	right := subtle.ConstantTimeCompare(given[:], k.hashed[:])
	return right&subtle.ConstantTimeCompare([]byte(clientID), []byte(k.clientID)) == 1
}

// TokenHead begins each access token: {"alg":"HS256","typ":"JWT"} and a point.
const TokenHead = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." //nolint:gosec // the head of each token says nothing

// AnyHead begins the token of anybody that is a JSON Web Token: {" in Base64.
const AnyHead = "eyJ"

// Sign makes the access token that a grant stands for, as claims describes it. What does
// not change from token to token is encoded once.
func (k *Keys) Sign(t world.Token) (string, error) {
	if k.steady.Load() == nil {
		k.steady.Store(new(k.steadyClaims()))
	}
	b := append(make([]byte, 0, 256), *k.steady.Load()...)
	b = strconv.AppendInt(append(b, `,"iat":`...), t.Issued.Unix(), 10)
	b = strconv.AppendInt(append(b, `,"exp":`...), t.Expires.Unix(), 10)
	b = strconv.AppendUint(append(b, `,"generation":`...), t.Generation, 10)
	b = append(append(append(b, `,"jti":"`...), t.ID.String()...), `"}`...)
	unsigned := TokenHead + base64.RawURLEncoding.EncodeToString(b)
	signature, err := jwt.SigningMethodHS256.Sign(unsigned, k.signing[:])
	if err != nil {
		return "", err
	}
	return unsigned + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// steadyClaims are the claims that every token of an integration has, without the closing
// brace.
func (k *Keys) steadyClaims() []byte {
	b, err := json.Marshal(struct {
		Issuer      string `json:"iss"`
		Subject     string `json:"sub"`
		Integration string `json:"integration"`
	}{"paysandbox", k.clientID, k.id})
	if err != nil {
		panic("access: texts can be encoded: " + err.Error())
	}
	return b[:len(b)-1]
}

// formerLives is how far back a token is looked for, to say why it is refused.
const formerLives = 8

// signedBefore says whether a token that is not one of this life was one of the last few
// before it.
func (k *Keys) signedBefore(token string) bool {
	at := strings.LastIndexByte(token, '.')
	signature, err := jwt.NewParser(jwt.WithStrictDecoding()).DecodeSegment(token[at+1:])
	if at < 0 || err != nil {
		return false
	}
	for back := uint64(1); back <= min(k.Life, formerLives); back++ {
		if jwt.SigningMethodHS256.Verify(token[:at], signature, k.signingKey(k.Life-back)) == nil {
			return true
		}
	}
	return false
}

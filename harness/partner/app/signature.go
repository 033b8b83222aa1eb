package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
)

// secrets are those with which deliveries may be signed: the newest, and the one
// before, of which deliveries can still be on their way.
type secrets struct {
	mu  sync.Mutex
	all []string
}

// AcceptSecret makes deliveries that are signed with this secret welcome. Those
// with the one before stay welcome. An empty secret is none: anybody can sign with it.
func (a *App) AcceptSecret(secret string) {
	if secret == "" {
		return
	}
	s := &a.secrets
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append([]string{secret}, slices.DeleteFunc(s.all, func(old string) bool { return old == secret })...)
	s.all = s.all[:min(len(s.all), 2)]
}

// accepted lists the secrets, the newest first.
func (s *secrets) accepted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// genuine says whether a signature is that of the exact bytes. Comparing takes
// the same time wherever two signatures differ.
func (s *secrets) genuine(body []byte, signature string) bool {
	fits := false
	for _, secret := range s.accepted() {
		fits = signedWith(secret, body, signature) || fits
	}
	return fits
}

// signedWith compares with sha256= and the HMAC-SHA256 in hex, in either case.
func signedWith(secret string, body []byte, signature string) bool {
	return hmac.Equal([]byte(strings.ToLower(signature)), []byte(signatureOf(secret, body)))
}

// signatureOf is the right signature of a body.
func signatureOf(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body) // a hash never fails
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

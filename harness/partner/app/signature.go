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
	// tardy is a secret that a careless application has not taken over yet, and
	// how many deliveries it refuses until then.
	tardy string
	left  int
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
	if a.careless().is("webhook.rotation") && len(s.all) > 0 {
		s.tardy, s.left = secret, 2
		return
	}
	s.accept(secret)
}

func (s *secrets) accept(secret string) {
	s.all = append([]string{secret}, slices.DeleteFunc(s.all, func(old string) bool { return old == secret })...)
	s.all = s.all[:min(len(s.all), 2)]
}

// genuine says whether a signature is that of the exact bytes. Comparing takes
// the same time wherever two signatures differ.
func (a *App) genuine(body []byte, signature string) bool {
	body = a.asSigned(body)
	a.secrets.mu.Lock()
	defer a.secrets.mu.Unlock()
	fits := false
	for _, secret := range a.secrets.all {
		fits = fits || signedWith(secret, body, signature)
	}
	if !fits {
		a.secrets.overdue()
		return a.forgives(body, signature)
	}
	return true
}

// overdue lets a careless application learn its new secret at last.
func (s *secrets) overdue() {
	if s.tardy == "" {
		return
	}
	if s.left--; s.left <= 0 {
		s.accept(s.tardy)
		s.tardy = ""
	}
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

// Package session owns who has signed in to the console: the cookie that a token was
// changed for, how long it is good, and what a form has to bring to be of a page that the
// same browser was shown. It knows no tokens and no pages.
package session

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// Lasts is how long a session is good.
	Lasts = 7 * 24 * time.Hour
	// maxEnded is how many sessions that were signed out of are known one by one.
	maxEnded = 4096
	// rounds make each guess at what a shared key is made from as slow as signing in is.
	rounds = 600_000
)

// Sessions are those of one console. A session is what its cookie says, so that nothing is
// kept of it but that it has ended.
type Sessions struct {
	secret func() []byte
	now    func() time.Time
	mu     sync.Mutex
	// ended holds until when each session that was signed out of would have been good.
	ended map[string]time.Time
	// since is when the oldest sessions began that are still good.
	since time.Time
}

// New makes sessions that end with the process. Processes that share what they serve are
// given what they all know, and know each other's sessions; "" for none.
func New(shared string, now func() time.Time) *Sessions {
	s := &Sessions{now: now, ended: map[string]time.Time{}}
	s.secret = sync.OnceValue(func() []byte {
		key := make([]byte, sha256.Size)
		_, _ = rand.Read(key) // never fails
		if shared != "" {     // what is signed is shown, and whoever sees it may guess what the key is made from
			key, _ = pbkdf2.Key(sha256.New, shared, []byte("paysandbox console session"), rounds, sha256.Size)
		}
		return key
	})
	return s
}

// sign makes what only these processes can make.
func (s *Sessions) sign(what ...string) string {
	mac := hmac.New(sha256.New, s.secret())
	mac.Write([]byte(strings.Join(what, "\x00")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Name is the cookie's: consoles of one machine do not take each other's away.
func (s *Sessions) Name() string { return "paysandbox_console_" + s.sign("name")[:8] }

// Begin makes the value of a new session's cookie; of is who has signed in, in letters.
func (s *Sessions) Begin(of string) string {
	id := of + "-" + strconv.FormatInt(s.now().Unix(), 36) + "-" + rand.Text()
	return id + "." + s.sign("session", id)
}

// Of tells what the cookie of a request names and who has signed in, "" when it is not ours
// or over.
func (s *Sessions) Of(r *http.Request) (id, of string) {
	c, err := r.Cookie(s.Name())
	if err != nil {
		return "", ""
	}
	id, sum, _ := strings.Cut(c.Value, ".")
	if !hmac.Equal([]byte(sum), []byte(s.sign("session", id))) {
		return "", ""
	}
	of, begun := parts(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ended := s.ended[id]; ended || begun.Before(s.since) || !s.now().Before(begun.Add(Lasts)) {
		return "", ""
	}
	return id, of
}

// parts are who a session is of, and when it began.
func parts(id string) (of string, begun time.Time) {
	of, rest, _ := strings.Cut(id, "-")
	second, _, _ := strings.Cut(rest, "-")
	unix, _ := strconv.ParseInt(second, 36, 64)
	return of, time.Unix(unix, 0)
}

// End ends a session, wherever its cookie has come to. Who signs out thousands of times
// within days has signed out everybody.
func (s *Sessions) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if len(s.ended) >= maxEnded {
		for one, until := range s.ended {
			if !now.Before(until) {
				delete(s.ended, one)
			}
		}
	}
	if len(s.ended) >= maxEnded {
		s.since = time.Unix(now.Unix()+1, 0)
		clear(s.ended)
	}
	_, begun := parts(id)
	s.ended[id] = begun.Add(Lasts)
}

// Form is what each form of a session's pages has to bring.
func (s *Sessions) Form(id string) string { return s.sign("form", id) }

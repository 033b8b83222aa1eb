package check_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerTokenRecoverOdd: a refusal that its caller has not heard of asks for
// nothing, and a call is made again in more than one way.
func TestPartnerTokenRecoverOdd(t *testing.T) {
	t.Parallel()
	held := faulty("f1: token-revoked=token; latency=800ms")
	// refused plays a reading whose refusal is held back, and others beside it.
	refused := func(s *spool) *tape.Entry {
		s.token("token-1")
		s.status("token-1", tape.AuthValid, "p1")
		e := s.call("getPaymentStatus", 401, bearer("token-1", tape.AuthRevoked), at("/Payment/p2/Status", ""), held)
		s.token("token-2")
		for n := range 5 {
			s.status("token-2", tape.AuthValid, fmt.Sprint("p", n+3))
		}
		return e
	}
	pay := func(s *spool, jti, auth, reference, key string, status int) {
		s.pass(20 * time.Millisecond)
		s.call("createPayment", status, bearer(jti, auth), keyed(key), sends(`{"amount":5000,"reference":"`+reference+`"}`))
	}
	// paid plays a payment that was refused, and is made again.
	paid := func(reference, again, first, second string) func(s *spool) {
		return func(s *spool) {
			pay(s, "token-1", tape.AuthRevoked, reference, first, 401)
			s.token("token-2")
			pay(s, "token-2", tape.AuthValid, again, second, 200)
			s.pass(time.Second)
			s.calls(5)
		}
	}
	oddCases(t, []partnerCase{
		{recoverToken, "held back when the tape ends", verdict.NotExercised, "", func(s *spool) { refused(s) }},
		{recoverToken, "held back when the tape of a still clock ends", verdict.NotExercised, "manual", func(s *spool) { refused(s) }},
		{recoverToken, "hung up before the refusal came", verdict.NotExercised, "", func(s *spool) {
			s.hangup(refused(s), 20*time.Millisecond)
			s.calls(9)
		}},
		{recoverToken, "held back, and nothing after it had come", verdict.Fail, "", func(s *spool) {
			refused(s)
			s.pass(2 * time.Second)
			s.calls(5)
		}},
		{recoverToken, "held back, and made again then", verdict.Pass, "", func(s *spool) {
			refused(s)
			s.pass(time.Second)
			s.status("token-2", tape.AuthValid, "p2")
		}},
		{recoverToken, "made again under a new key", verdict.Pass, "", paid("r1", "r1", key(1), key(2))},
		{recoverToken, "made again under a new key without a reference", verdict.Pass, "", paid("", "", key(1), key(2))},
		{recoverToken, "a row of tokens for one refusal", verdict.Fail, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthRevoked, "p1")
			for n := range 6 {
				s.token(fmt.Sprint("token-", n+2))
			}
			s.status("token-7", tape.AuthValid, "p1")
		}},
		{recoverToken, "a row of tokens for as many refusals", verdict.Pass, "", func(s *spool) {
			s.token("token-1")
			for n := range 6 {
				s.status("token-1", tape.AuthRevoked, fmt.Sprint("p", n))
			}
			for n := range 6 {
				s.token(fmt.Sprint("token-", n+2))
			}
			for n := range 6 {
				s.status(fmt.Sprint("token-", n+2), tape.AuthValid, fmt.Sprint("p", n))
			}
		}},
		{recoverToken, "started anew before it could react", verdict.NotExercised, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthRevoked, "p1")
			s.pass(2 * time.Second)
			s.control("addWebhook", `{"url":"http://127.0.0.1:9/hooks"}`)
			s.token("token-2")
			s.calls(9)
		}},
		{recoverToken, "started anew much later", verdict.Fail, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthRevoked, "p1")
			s.pass(time.Minute)
			s.control("addWebhook", `{"url":"http://127.0.0.1:9/hooks"}`)
			s.calls(9)
		}},
		{recoverToken, "another payment is no repetition", verdict.Fail, "", paid("r1", "r2", key(1), key(2))},
	})
}

// TestPartnerTokenRecoverLate: a reading that is made an hour later, with the token
// of that time, proves nothing about the one that was refused.
func TestPartnerTokenRecoverLate(t *testing.T) {
	t.Parallel()
	s := newSpool("")
	s.token("token-1")
	s.status("token-1", tape.AuthRevoked, "p1")
	s.pass(time.Hour)
	s.token("token-2")
	s.status("token-2", tape.AuthValid, "p1")
	s.calls(5)
	res := partnerCheck(t, recoverToken).Judge(s.tape())
	require.Equal(t, verdict.NotExercised, res.Word, told(res))
}

// TestPartnerTokenReuseOdd: applications that are started anew, and tokens of
// several processes.
func TestPartnerTokenReuseOdd(t *testing.T) {
	t.Parallel()
	// starts plays processes one after the other, each with a token of its own.
	starts := func(start func(s *spool), calls int) func(s *spool) {
		return func(s *spool) {
			for n := range 7 {
				start(s)
				s.token(fmt.Sprint("token-", n))
				for c := range calls {
					s.status(fmt.Sprint("token-", n), tape.AuthValid, fmt.Sprint("p", c))
				}
				s.pass(3 * time.Second)
			}
		}
	}
	oddCases(t, []partnerCase{
		{reuse, "started anew for each test, and registers its webhook", verdict.Pass, "", starts(func(s *spool) { s.control("addWebhook", `{"url":"http://127.0.0.1:9/hooks"}`) }, 3)},
		{reuse, "started anew for each test, and names its state probe", verdict.Pass, "", starts(func(s *spool) { s.note(check.NoteProbe, map[string]any{"url": "http://127.0.0.1:9/state"}) }, 3)},
		{reuse, "kept for a minute of its hour", verdict.Fail, "", func(s *spool) {
			for n := range 12 {
				s.token(fmt.Sprint("token-", n))
				for c := range 3 {
					s.status(fmt.Sprint("token-", n), tape.AuthValid, fmt.Sprint("p", c))
				}
				s.pass(time.Minute)
			}
		}},
		{reuse, "one for each worker of each job", verdict.Fail, "", func(s *spool) {
			for n := range 6 {
				for w := range 3 {
					s.token(fmt.Sprint("token-", n, w))
				}
				for w := range 3 {
					s.status(fmt.Sprint("token-", n, w), tape.AuthValid, fmt.Sprint("p", w))
				}
				s.pass(5 * time.Second)
			}
		}},
		{reuse, "one cache for all processes", verdict.Pass, "", func(s *spool) {
			s.token("token-1")
			for c := range 12 {
				s.status("token-1", tape.AuthValid, fmt.Sprint("p", c))
				s.pass(time.Second)
			}
		}},
		{reuse, "a token of a short life", verdict.Pass, "", func(s *spool) {
			for n := range 9 {
				s.token(fmt.Sprint("token-", n), answers(`{"accessToken":"xxx","expiresInSeconds":90}`))
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.pass(20 * time.Second)
			}
		}},
	})
}

// TestPartnerServerSideOdd: what a browser leaves behind whose page may not fetch a
// token, and what telephones send.
func TestPartnerServerSideOdd(t *testing.T) {
	t.Parallel()
	preflight := func(path, origin string) func(s *spool) {
		return func(s *spool) {
			s.token("token-1")
			s.call("", 405, func(x *tape.Exchange) { x.Method, x.Path, x.Auth, x.Token = "OPTIONS", path, "missing", "" }, sent("Origin", origin))
		}
	}
	by := func(agent string) func(s *spool) {
		return func(s *spool) { s.token("token-1", sent("User-Agent", agent)) }
	}
	oddCases(t, []partnerCase{
		{serverSide, "a page asks whether it may", verdict.Fail, "", preflight("/Authentication/Token", "https://gym.example.com")},
		{serverSide, "a page asks whether it may by the other name", verdict.Fail, "", preflight("/auth/token", "http://localhost:5173")},
		{serverSide, "a page asks about something else", verdict.Pass, "", preflight("/Company/List", "https://gym.example.com")},
		{serverSide, "a telephone's own client", verdict.Review, "", by("GymApp/12 CFNetwork/1498.700.2 Darwin/23.6.0")},
		{serverSide, "another telephone's", verdict.Review, "", by("Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)")},
		{serverSide, "a server of the same library", verdict.Pass, "", by("okhttp/4.12.0")},
	})
}

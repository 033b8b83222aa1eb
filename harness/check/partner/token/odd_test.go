package token_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerTokenRecoverOdd: a refusal that its caller has not heard of asks for
// nothing, and a call is made again in more than one way.
func TestPartnerTokenRecoverOdd(t *testing.T) {
	t.Parallel()
	held := checktest.Faulty("f1: token-revoked=token; latency=800ms")
	// refused plays a reading whose refusal is held back, and others beside it.
	refused := func(s *checktest.Tape) *tape.Entry {
		s.Token("token-1")
		s.Status("token-1", tape.AuthValid, "p1")
		e := s.Call("getPaymentStatus", 401, checktest.Bearer("token-1", tape.AuthRevoked), checktest.At("/Payment/p2/Status", ""), held)
		s.Token("token-2")
		for n := range 5 {
			s.Status("token-2", tape.AuthValid, fmt.Sprint("p", n+3))
		}
		return e
	}
	pay := func(s *checktest.Tape, jti, auth, reference, key string, status int) {
		s.Pass(20 * time.Millisecond)
		s.Call("createPayment", status, checktest.Bearer(jti, auth), checktest.Keyed(key), checktest.Sends(`{"amount":5000,"reference":"`+reference+`"}`))
	}
	// paid plays a payment that was refused, and is made again.
	paid := func(reference, again, first, second string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			pay(s, "token-1", tape.AuthRevoked, reference, first, 401)
			s.Token("token-2")
			pay(s, "token-2", tape.AuthValid, again, second, 200)
			s.Pass(time.Second)
			s.Calls(5)
		}
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(recoverToken, "held back when the tape ends", verdict.NotExercised, "", func(s *checktest.Tape) { refused(s) }),
		checktest.On(recoverToken, "held back when the tape of a still clock ends", verdict.NotExercised, "manual", func(s *checktest.Tape) { refused(s) }),
		checktest.On(recoverToken, "hung up before the refusal came", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Hangup(refused(s), 20*time.Millisecond)
			s.Calls(9)
		}),
		checktest.On(recoverToken, "held back, and nothing after it had come", verdict.Fail, "", func(s *checktest.Tape) {
			refused(s)
			s.Pass(2 * time.Second)
			s.Calls(5)
		}),
		checktest.On(recoverToken, "held back, and made again then", verdict.Pass, "", func(s *checktest.Tape) {
			refused(s)
			s.Pass(time.Second)
			s.Status("token-2", tape.AuthValid, "p2")
		}),
		checktest.On(recoverToken, "made again under a new key", verdict.Pass, "", paid("r1", "r1", checktest.Key(1), checktest.Key(2))),
		checktest.On(recoverToken, "made again under a new key without a reference", verdict.Pass, "", paid("", "", checktest.Key(1), checktest.Key(2))),
		checktest.On(recoverToken, "another write made again under a new key", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("token-1")
			payer := checktest.Sends(`{"mobileNumber":"+12025550123"}`)
			s.Call("registerUser", 401, payer, checktest.Keyed(checktest.Key(1)), checktest.Bearer("token-1", tape.AuthRevoked))
			s.Token("token-2")
			s.Call("registerUser", 200, payer, checktest.Keyed(checktest.Key(2)), checktest.Bearer("token-2", tape.AuthValid))
			s.Pass(time.Second)
			s.Calls(5)
		}),
		checktest.On(recoverToken, "a row of tokens for one refusal", verdict.Fail, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthRevoked, "p1")
			for n := range 6 {
				s.Token(fmt.Sprint("token-", n+2))
			}
			s.Status("token-7", tape.AuthValid, "p1")
		}),
		checktest.On(recoverToken, "a token for each call, one of which was refused", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("token-0")
			s.Status("token-0", tape.AuthRevoked, "p1")
			for n := range 5 {
				token := fmt.Sprint("token-", n+1)
				s.Token(token)
				s.Status(token, tape.AuthValid, fmt.Sprint("p", n+2))
			}
			s.Token("token-9")
			s.Status("token-9", tape.AuthValid, "p1")
		}),
		checktest.On(recoverToken, "a row of tokens for as many refusals", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("token-1")
			for n := range 6 {
				s.Status("token-1", tape.AuthRevoked, fmt.Sprint("p", n))
			}
			for n := range 6 {
				s.Token(fmt.Sprint("token-", n+2))
			}
			for n := range 6 {
				s.Status(fmt.Sprint("token-", n+2), tape.AuthValid, fmt.Sprint("p", n))
			}
		}),
		checktest.On(recoverToken, "started anew before it could react", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthRevoked, "p1")
			s.Pass(2 * time.Second)
			s.Control("addWebhook", `{"url":"http://127.0.0.1:9/hooks"}`)
			s.Token("token-2")
			s.Calls(9)
		}),
		checktest.On(recoverToken, "started anew much later", verdict.Fail, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthRevoked, "p1")
			s.Pass(time.Minute)
			s.Control("addWebhook", `{"url":"http://127.0.0.1:9/hooks"}`)
			s.Calls(9)
		}),
		checktest.On(recoverToken, "another payment is no repetition", verdict.Fail, "", paid("r1", "r2", checktest.Key(1), checktest.Key(2))),
	})
}

// TestPartnerTokenRecoverLate: a reading that is made an hour later, with the token
// of that time, proves nothing about the one that was refused.
func TestPartnerTokenRecoverLate(t *testing.T) {
	t.Parallel()
	s := checktest.New("")
	s.Token("token-1")
	s.Status("token-1", tape.AuthRevoked, "p1")
	s.Pass(time.Hour)
	s.Token("token-2")
	s.Status("token-2", tape.AuthValid, "p1")
	s.Calls(5)
	res := checktest.Partner(t, recoverToken).Judge(s.Trail())
	require.Equal(t, verdict.NotExercised, res.Word, checktest.Told(res))
}

// TestPartnerTokenReuseOdd: applications that are started anew, and tokens of
// several processes.
func TestPartnerTokenReuseOdd(t *testing.T) {
	t.Parallel()
	// starts plays processes one after the other, each with a token of its own.
	starts := func(start func(s *checktest.Tape), calls int) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for n := range 7 {
				start(s)
				s.Token(fmt.Sprint("token-", n))
				for c := range calls {
					s.Status(fmt.Sprint("token-", n), tape.AuthValid, fmt.Sprint("p", c))
				}
				s.Pass(3 * time.Second)
			}
		}
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(reuse, "started anew for each test, and registers its webhook", verdict.Pass, "", starts(func(s *checktest.Tape) { s.Control("addWebhook", `{"url":"http://127.0.0.1:9/hooks"}`) }, 3)),
		checktest.On(reuse, "started anew for each test, and names its state probe", verdict.Pass, "", starts(func(s *checktest.Tape) { s.Probed() }, 3)),
		checktest.On(reuse, "kept for a minute of its hour", verdict.Fail, "", func(s *checktest.Tape) {
			for n := range 12 {
				s.Token(fmt.Sprint("token-", n))
				for c := range 3 {
					s.Status(fmt.Sprint("token-", n), tape.AuthValid, fmt.Sprint("p", c))
				}
				s.Pass(time.Minute)
			}
		}),
		checktest.On(reuse, "one for each worker of each job", verdict.Fail, "", func(s *checktest.Tape) {
			for n := range 6 {
				for w := range 3 {
					s.Token(fmt.Sprint("token-", n, w))
				}
				for w := range 3 {
					s.Status(fmt.Sprint("token-", n, w), tape.AuthValid, fmt.Sprint("p", w))
				}
				s.Pass(5 * time.Second)
			}
		}),
		checktest.On(reuse, "one cache for all processes", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("token-1")
			for c := range 12 {
				s.Status("token-1", tape.AuthValid, fmt.Sprint("p", c))
				s.Pass(time.Second)
			}
		}),
		checktest.On(reuse, "a token of a short life", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 9 {
				s.Token(fmt.Sprint("token-", n), checktest.Answers(`{"accessToken":"xxx","expiresInSeconds":90}`))
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.Pass(20 * time.Second)
			}
		}),
	})
}

// TestPartnerServerSideOdd: what a browser leaves behind whose page may not fetch a
// token, and what telephones send.
func TestPartnerServerSideOdd(t *testing.T) {
	t.Parallel()
	preflight := func(path, origin string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Token("token-1")
			s.Call("", 405, func(x *tape.Exchange) { x.Method, x.Path, x.Auth, x.Token = "OPTIONS", path, "missing", "" }, checktest.Sent("Origin", origin))
		}
	}
	by := func(agent string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Token("token-1", checktest.Sent("User-Agent", agent)) }
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(serverSide, "a page asks whether it may", verdict.Fail, "", preflight("/Authentication/Token", "https://gym.example.com")),
		checktest.On(serverSide, "a page asks whether it may by the other name", verdict.Fail, "", preflight("/auth/token", "http://localhost:5173")),
		checktest.On(serverSide, "a page asks about something else", verdict.Pass, "", preflight("/Company/List", "https://gym.example.com")),
		checktest.On(serverSide, "a telephone's own client", verdict.Review, "", by("GymApp/12 CFNetwork/1498.700.2 Darwin/23.6.0")),
		checktest.On(serverSide, "another telephone's", verdict.Review, "", by("Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)")),
		checktest.On(serverSide, "a server of the same library", verdict.Pass, "", by("okhttp/4.12.0")),
	})
}

package token_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

const (
	reuse        = "partner.token.reuse"
	refresh      = "partner.token.refresh"
	recoverToken = "partner.token.recover"
	singleFlight = "partner.token.single-flight"
	outOfURLs    = "partner.token.out-of-urls"
	serverSide   = "partner.token.server-side"
)

func TestPartnerTokenReuse(t *testing.T) {
	t.Parallel()
	each := func(s *checktest.Tape, tokens, calls int) {
		for n := range tokens {
			s.Token(fmt.Sprint("token-", n))
			for c := range calls {
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, fmt.Sprint("p", c))
			}
			s.Pass(time.Second)
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(reuse, "one token for all", verdict.Pass, "", func(s *checktest.Tape) { each(s, 1, 9) }),
		checktest.On(reuse, "three processes", verdict.Pass, "", func(s *checktest.Tape) { each(s, 3, 2) }),
		checktest.On(reuse, "a new one each hour", verdict.Pass, "manual", func(s *checktest.Tape) {
			for n := range 6 {
				s.Token(fmt.Sprint("token-", n))
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.Pass(59 * time.Minute)
			}
		}),
		checktest.On(reuse, "a new one for each that was refused", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 8 {
				s.Token(fmt.Sprint("token-", n))
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.Status(fmt.Sprint("token-", n), tape.AuthRevoked, "p3")
			}
		}),
		checktest.On(reuse, "all were revoked", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 8 {
				s.Token(fmt.Sprint("token-", n))
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.Status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.Control("revokeTokens", "{}")
			}
		}),
		checktest.On(reuse, "one burst", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 6 {
				s.Token(fmt.Sprint("token-", n))
			}
			for n := range 12 {
				s.Status(fmt.Sprint("token-", n%6), tape.AuthValid, fmt.Sprint("p", n))
			}
		}),
		checktest.On(reuse, "a token a call", verdict.Fail, "", func(s *checktest.Tape) { each(s, 6, 1) }),
		checktest.On(reuse, "a token a job", verdict.Fail, "", func(s *checktest.Tape) { each(s, 6, 3) }),
		checktest.On(reuse, "many processes", verdict.Warning, "", func(s *checktest.Tape) { each(s, 6, 8) }),
		checktest.On(reuse, "another one for each five calls", verdict.Fail, "", func(s *checktest.Tape) { sales(s, 5, 5, 100*time.Millisecond) }),
		checktest.On(reuse, "another one for each nine calls", verdict.Fail, "", func(s *checktest.Tape) { sales(s, 9, 8, 100*time.Millisecond) }),
		checktest.On(reuse, "another one for each forty calls", verdict.Warning, "", func(s *checktest.Tape) { sales(s, 40, 26, 100*time.Millisecond) }),
		checktest.On(reuse, "a process for each sale", verdict.Warning, "", func(s *checktest.Tape) { sales(s, 8, 6, 100*time.Millisecond) }),
		checktest.On(reuse, "a process that starts again in the middle of a sale", verdict.Warning, "", func(s *checktest.Tape) { sales(s, 9, 8, time.Second) }),
		checktest.On(reuse, "one call", verdict.NotExercised, "", func(s *checktest.Tape) { each(s, 1, 1) }),
		checktest.On(reuse, "nothing", verdict.NotExercised, "", func(*checktest.Tape) {}),
	})
}

// sales are payments of eight calls each, made one after the other by a caller that fetches
// another token after so many calls, whatever it is doing.
func sales(s *checktest.Tape, share, n int, rest time.Duration) {
	calls, jti := 0, ""
	token := func() string {
		if calls%share == 0 {
			jti = fmt.Sprint("token-", calls)
			s.Token(jti)
		}
		calls++
		return jti
	}
	for i := range n {
		id := fmt.Sprintf("6f1c2b9e-4d3a-4e57-9a61-%012d", i)
		s.Call("createPayment", http.StatusOK, checktest.Bearer(token(), tape.AuthValid), checktest.Answers(`{"paymentRequestId":"`+id+`"}`))
		for range 7 {
			s.Pass(rest)
			s.Call("getPaymentStatus", http.StatusOK, checktest.Bearer(token(), tape.AuthValid), checktest.At("/Payment/"+id+"/Status", ""))
		}
		s.Pass(time.Second)
	}
}

func TestPartnerTokenRefresh(t *testing.T) {
	t.Parallel()
	hour := func(s *checktest.Tape, before time.Duration, jti, auth string) {
		s.Token("token-1")
		s.Status("token-1", tape.AuthValid, "p1")
		s.Pass(before)
		if jti != "token-1" {
			s.Token(jti)
		}
		s.Status(jti, auth, "p2")
		s.Pass(10 * time.Minute)
		s.Status(jti, auth, "p3")
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(refresh, "in time", verdict.Pass, "", func(s *checktest.Tape) { hour(s, 58*time.Minute, "token-2", tape.AuthValid) }),
		checktest.On(refresh, "in virtual time", verdict.Pass, "manual", func(s *checktest.Tape) { hour(s, 58*time.Minute, "token-2", tape.AuthValid) }),
		checktest.On(refresh, "two processes that take turns", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("a-1")
			s.Token("b-1")
			for n := range 14 {
				a, b := "a-1", "b-1"
				if n == 10 {
					s.Token("a-2")
					s.Token("b-2")
				}
				if n >= 10 {
					a, b = "a-2", "b-2"
				}
				s.Status(a, tape.AuthValid, fmt.Sprint("p", n))
				s.Status(b, tape.AuthValid, fmt.Sprint("q", n))
				s.Pass(5 * time.Minute)
			}
		}),
		checktest.On(refresh, "after a long rest", verdict.Pass, "", func(s *checktest.Tape) { hour(s, 8*time.Hour, "token-2", tape.AuthValid) }),
		checktest.On(refresh, "an application that moves the clock itself", verdict.Fail, "", func(s *checktest.Tape) {
			s.Virtual()
			s.Token("token-1")
			s.Status("token-1", tape.AuthValid, "p1")
			s.Move(25 * time.Hour)
			s.Status("token-1", tape.AuthExpired, "p1")
		}),
		checktest.On(refresh, "not at all", verdict.Fail, "", func(s *checktest.Tape) { hour(s, 61*time.Minute, "token-1", tape.AuthExpired) }),
		checktest.On(refresh, "not at all in virtual time", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Virtual()
			hour(s, 61*time.Minute, "token-1", tape.AuthExpired)
		}),
		checktest.On(refresh, "a short life", verdict.Fail, "", func(s *checktest.Tape) {
			s.Token("token-1", checktest.Answers(`{"accessToken":"xxx","expiresInSeconds":60}`))
			s.Pass(61 * time.Second)
			s.Status("token-1", tape.AuthExpired, "p1")
		}),
		checktest.On(refresh, "the clock was moved", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthValid, "p1")
			s.Move(25 * time.Hour)
			s.Status("token-1", tape.AuthExpired, "p1")
		}),
		checktest.On(refresh, "fetched while the clock was being moved", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthValid, "p1")
			s.Move(96 * time.Hour)
			end := s.Now
			s.Now -= int64(24 * time.Hour)
			s.Status("token-1", tape.AuthExpired, "p1")
			s.Token("token-2")
			s.Status("token-2", tape.AuthValid, "p1")
			s.Now = end + int64(5*time.Second)
			s.Status("token-2", tape.AuthExpired, "p1")
		}),
		checktest.On(refresh, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Tape) { hour(s, 61*time.Minute, "token-1", tape.AuthExpired) }),
		checktest.On(refresh, "replaced after a refusal", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthValid, "p1")
			s.Status("token-1", tape.AuthRevoked, "p1")
			s.Token("token-2")
			s.Status("token-2", tape.AuthValid, "p1")
			s.Move(25 * time.Hour)
			s.Status("token-2", tape.AuthExpired, "p1")
			s.Token("token-3")
			s.Status("token-3", tape.AuthValid, "p1")
		}),
		checktest.On(refresh, "within the life", verdict.NotExercised, "", func(s *checktest.Tape) { hour(s, time.Minute, "token-1", tape.AuthValid) }),
	})
}

func TestPartnerTokenRecover(t *testing.T) {
	t.Parallel()
	start := func(s *checktest.Tape) {
		s.Token("token-1")
		s.Status("token-1", tape.AuthValid, "p1")
		s.Status("token-1", tape.AuthRevoked, "p2")
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(recoverToken, "at once", verdict.Pass, "", func(s *checktest.Tape) {
			start(s)
			s.Token("token-2")
			s.Status("token-2", tape.AuthValid, "p2")
		}),
		checktest.On(recoverToken, "a payment, beside others", verdict.Pass, "manual", func(s *checktest.Tape) {
			pay := func(jti, auth, reference string, status int) {
				s.Call("createPayment", status, checktest.Bearer(jti, auth), checktest.Sends(`{"amount":5000,"reference":"`+reference+`"}`))
			}
			s.Token("token-1")
			pay("token-1", tape.AuthRevoked, "r1", 401)
			pay("token-1", tape.AuthRevoked, "r2", 401)
			s.Token("token-2")
			pay("token-2", tape.AuthValid, "r3", 200)
			pay("token-2", tape.AuthValid, "r1", 200)
			pay("token-2", tape.AuthValid, "r2", 200)
			for range 7 {
				s.Status("token-2", tape.AuthValid, "p9")
			}
		}),
		checktest.On(recoverToken, "refused twice", verdict.Pass, "", func(s *checktest.Tape) {
			start(s)
			s.Token("token-2")
			s.Status("token-2", tape.AuthRevoked, "p2")
			s.Token("token-3")
			s.Status("token-3", tape.AuthValid, "p2")
		}),
		checktest.On(recoverToken, "a refusal without a repetition", verdict.Fail, "", func(s *checktest.Tape) {
			start(s)
			s.Pass(time.Second)
			for range 4 {
				s.Status("token-2", tape.AuthValid, "p3")
			}
		}),
		checktest.On(recoverToken, "nothing follows for long", verdict.Fail, "", func(s *checktest.Tape) {
			start(s)
			s.Pass(time.Minute)
			s.Control("advanceClock", "{}")
		}),
		checktest.On(recoverToken, "again and again", verdict.Fail, "", func(s *checktest.Tape) {
			start(s)
			for n := range 5 {
				s.Token(fmt.Sprint("token-", n+2))
				s.Status(fmt.Sprint("token-", n+2), tape.AuthRevoked, "p2")
			}
		}),
		checktest.On(recoverToken, "again and again with the same", verdict.Fail, "", func(s *checktest.Tape) {
			start(s)
			for range 20 {
				s.Status("token-1", tape.AuthRevoked, "p2")
			}
		}),
		checktest.On(recoverToken, "an outage hides that the token has expired", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("token-1")
			for range 28 {
				s.Pass(time.Second)
				s.Call("getPaymentStatus", 500, checktest.Bearer("token-1", tape.AuthExpired), checktest.At("/Payment/p2/Status", ""), checktest.Faulty("observe-outage-1: status=500"))
			}
			s.Status("token-1", tape.AuthExpired, "p2")
			s.Token("token-2")
			s.Status("token-2", tape.AuthValid, "p2")
		}),
		checktest.On(recoverToken, "the end of the tape", verdict.NotExercised, "", start),
		checktest.On(recoverToken, "no refusal", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-1")
			s.Status("token-1", tape.AuthValid, "p1")
			s.Status("nobody's", tape.AuthWrongSignature, "p1")
		}),
	})
}

// TestWhetherItGivesUpIsTold: a client that renews its token for ever looks like any other
// until a new one is refused, too.
func TestWhetherItGivesUpIsTold(t *testing.T) {
	t.Parallel()
	played := func(refused int) verdict.Judgement {
		s := checktest.New("")
		for n := range refused {
			s.Token(fmt.Sprint("token-", n))
			s.Status(fmt.Sprint("token-", n), tape.AuthRevoked, "p1")
		}
		s.Token("token-9")
		s.Status("token-9", tape.AuthValid, "p1")
		return checktest.Partner(t, recoverToken).Judge(s.Trail()).Judgements[0]
	}
	require.Contains(t, played(1).Unseen, "whether the client gives up")
	require.Empty(t, played(2).Unseen)
	require.Equal(t, verdict.Fail, played(5).Word)
}

package check_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"paysandbox/harness/check"
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

// status reads the status of a payment with a token.
func (s *spool) status(jti, auth string, payment string) {
	status := http.StatusOK
	if auth != tape.AuthValid {
		status = http.StatusUnauthorized
	}
	s.call("getPaymentStatus", status, bearer(jti, auth), at("/Payment/"+payment+"/Status", ""))
	s.pass(5 * time.Millisecond)
}

func TestPartnerTokenReuse(t *testing.T) {
	t.Parallel()
	each := func(s *spool, tokens, calls int) {
		for n := range tokens {
			s.token(fmt.Sprint("token-", n))
			for c := range calls {
				s.status(fmt.Sprint("token-", n), tape.AuthValid, fmt.Sprint("p", c))
			}
			s.pass(time.Second)
		}
	}
	playCases(t, []partnerCase{
		{reuse, "one token for all", verdict.Pass, "", func(s *spool) { each(s, 1, 9) }},
		{reuse, "three processes", verdict.Pass, "", func(s *spool) { each(s, 3, 2) }},
		{reuse, "a new one each hour", verdict.Pass, "manual", func(s *spool) {
			for n := range 6 {
				s.token(fmt.Sprint("token-", n))
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.pass(59 * time.Minute)
			}
		}},
		{reuse, "a new one for each that was refused", verdict.Pass, "", func(s *spool) {
			for n := range 8 {
				s.token(fmt.Sprint("token-", n))
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.status(fmt.Sprint("token-", n), tape.AuthRevoked, "p3")
			}
		}},
		{reuse, "all were revoked", verdict.Pass, "", func(s *spool) {
			for n := range 8 {
				s.token(fmt.Sprint("token-", n))
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p1")
				s.status(fmt.Sprint("token-", n), tape.AuthValid, "p2")
				s.control("revokeTokens", "{}")
			}
		}},
		{reuse, "one burst", verdict.Pass, "", func(s *spool) {
			for n := range 6 {
				s.token(fmt.Sprint("token-", n))
			}
			for n := range 12 {
				s.status(fmt.Sprint("token-", n%6), tape.AuthValid, fmt.Sprint("p", n))
			}
		}},
		{reuse, "a token a call", verdict.Fail, "", func(s *spool) { each(s, 6, 1) }},
		{reuse, "a token a job", verdict.Fail, "", func(s *spool) { each(s, 6, 3) }},
		{reuse, "many processes", verdict.Warning, "", func(s *spool) { each(s, 6, 8) }},
		{reuse, "one call", verdict.NotExercised, "", func(s *spool) { each(s, 1, 1) }},
		{reuse, "nothing", verdict.NotExercised, "", func(*spool) {}},
	})
}

func TestPartnerTokenRefresh(t *testing.T) {
	t.Parallel()
	hour := func(s *spool, before time.Duration, jti, auth string) {
		s.token("token-1")
		s.status("token-1", tape.AuthValid, "p1")
		s.pass(before)
		if jti != "token-1" {
			s.token(jti)
		}
		s.status(jti, auth, "p2")
		s.pass(10 * time.Minute)
		s.status(jti, auth, "p3")
	}
	playCases(t, []partnerCase{
		{refresh, "in time", verdict.Pass, "", func(s *spool) { hour(s, 58*time.Minute, "token-2", tape.AuthValid) }},
		{refresh, "in virtual time", verdict.Pass, "manual", func(s *spool) { hour(s, 58*time.Minute, "token-2", tape.AuthValid) }},
		{refresh, "two processes that take turns", verdict.Pass, "", func(s *spool) {
			s.token("a-1")
			s.token("b-1")
			for n := range 14 {
				a, b := "a-1", "b-1"
				if n == 10 {
					s.token("a-2")
					s.token("b-2")
				}
				if n >= 10 {
					a, b = "a-2", "b-2"
				}
				s.status(a, tape.AuthValid, fmt.Sprint("p", n))
				s.status(b, tape.AuthValid, fmt.Sprint("q", n))
				s.pass(5 * time.Minute)
			}
		}},
		{refresh, "after a long rest", verdict.Pass, "", func(s *spool) { hour(s, 8*time.Hour, "token-2", tape.AuthValid) }},
		{refresh, "an application that moves the clock itself", verdict.Fail, "", func(s *spool) {
			s.note(check.NoteVirtual, map[string]any{})
			s.token("token-1")
			s.status("token-1", tape.AuthValid, "p1")
			s.move(25 * time.Hour)
			s.status("token-1", tape.AuthExpired, "p1")
		}},
		{refresh, "not at all", verdict.Fail, "", func(s *spool) { hour(s, 61*time.Minute, "token-1", tape.AuthExpired) }},
		{refresh, "not at all in virtual time", verdict.Fail, "manual", func(s *spool) {
			s.note(check.NoteVirtual, map[string]any{})
			hour(s, 61*time.Minute, "token-1", tape.AuthExpired)
		}},
		{refresh, "a short life", verdict.Fail, "", func(s *spool) {
			s.token("token-1", answers(`{"accessToken":"xxx","expiresInSeconds":60}`))
			s.pass(61 * time.Second)
			s.status("token-1", tape.AuthExpired, "p1")
		}},
		{refresh, "the clock was moved", verdict.NotExercised, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthValid, "p1")
			s.move(25 * time.Hour)
			s.status("token-1", tape.AuthExpired, "p1")
		}},
		{refresh, "fetched while the clock was being moved", verdict.NotExercised, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthValid, "p1")
			s.move(96 * time.Hour)
			end := s.now
			s.now -= int64(24 * time.Hour)
			s.status("token-1", tape.AuthExpired, "p1")
			s.token("token-2")
			s.status("token-2", tape.AuthValid, "p1")
			s.now = end + int64(5*time.Second)
			s.status("token-2", tape.AuthExpired, "p1")
		}},
		{refresh, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *spool) { hour(s, 61*time.Minute, "token-1", tape.AuthExpired) }},
		{refresh, "replaced after a refusal", verdict.NotExercised, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthValid, "p1")
			s.status("token-1", tape.AuthRevoked, "p1")
			s.token("token-2")
			s.status("token-2", tape.AuthValid, "p1")
			s.move(25 * time.Hour)
			s.status("token-2", tape.AuthExpired, "p1")
			s.token("token-3")
			s.status("token-3", tape.AuthValid, "p1")
		}},
		{refresh, "within the life", verdict.NotExercised, "", func(s *spool) { hour(s, time.Minute, "token-1", tape.AuthValid) }},
	})
}

func TestPartnerTokenRecover(t *testing.T) {
	t.Parallel()
	start := func(s *spool) {
		s.token("token-1")
		s.status("token-1", tape.AuthValid, "p1")
		s.status("token-1", tape.AuthRevoked, "p2")
	}
	playCases(t, []partnerCase{
		{recoverToken, "at once", verdict.Pass, "", func(s *spool) {
			start(s)
			s.token("token-2")
			s.status("token-2", tape.AuthValid, "p2")
		}},
		{recoverToken, "a payment, beside others", verdict.Pass, "manual", func(s *spool) {
			pay := func(jti, auth, reference string, status int) {
				s.call("createPayment", status, bearer(jti, auth), sends(`{"amount":5000,"reference":"`+reference+`"}`))
			}
			s.token("token-1")
			pay("token-1", tape.AuthRevoked, "r1", 401)
			pay("token-1", tape.AuthRevoked, "r2", 401)
			s.token("token-2")
			pay("token-2", tape.AuthValid, "r3", 200)
			pay("token-2", tape.AuthValid, "r1", 200)
			pay("token-2", tape.AuthValid, "r2", 200)
			for range 5 {
				s.status("token-2", tape.AuthValid, "p9")
			}
		}},
		{recoverToken, "refused twice", verdict.Pass, "", func(s *spool) {
			start(s)
			s.token("token-2")
			s.status("token-2", tape.AuthRevoked, "p2")
			s.token("token-3")
			s.status("token-3", tape.AuthValid, "p2")
		}},
		{recoverToken, "a refusal without a repetition", verdict.Fail, "", func(s *spool) {
			start(s)
			s.pass(300 * time.Millisecond)
			for range 4 {
				s.status("token-2", tape.AuthValid, "p3")
			}
		}},
		{recoverToken, "nothing follows for long", verdict.Fail, "", func(s *spool) {
			start(s)
			s.pass(time.Minute)
			s.control("advanceClock", "{}")
		}},
		{recoverToken, "again and again", verdict.Fail, "", func(s *spool) {
			start(s)
			for n := range 5 {
				s.token(fmt.Sprint("token-", n+2))
				s.status(fmt.Sprint("token-", n+2), tape.AuthRevoked, "p2")
			}
		}},
		{recoverToken, "again and again with the same", verdict.Fail, "", func(s *spool) {
			start(s)
			for range 20 {
				s.status("token-1", tape.AuthRevoked, "p2")
			}
		}},
		{recoverToken, "the end of the tape", verdict.NotExercised, "", start},
		{recoverToken, "no refusal", verdict.NotExercised, "", func(s *spool) {
			s.token("token-1")
			s.status("token-1", tape.AuthValid, "p1")
			s.status("nobody's", tape.AuthWrongSignature, "p1")
		}},
	})
}

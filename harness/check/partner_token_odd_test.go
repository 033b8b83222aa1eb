package check_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
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
			s.calls(5)
		}
	}
	oddCases(t, []partnerCase{
		{recoverToken, "held back when the tape ends", check.NotExercised, "", func(s *spool) { refused(s) }},
		{recoverToken, "held back when the tape of a still clock ends", check.NotExercised, "manual", func(s *spool) { refused(s) }},
		{recoverToken, "hung up before the refusal came", check.NotExercised, "", func(s *spool) {
			s.hangup(refused(s), 20*time.Millisecond)
			s.calls(9)
		}},
		{recoverToken, "held back, and nothing after it had come", check.Fail, "", func(s *spool) {
			refused(s)
			s.pass(time.Second)
			s.calls(5)
		}},
		{recoverToken, "held back, and made again then", check.Pass, "", func(s *spool) {
			refused(s)
			s.pass(time.Second)
			s.status("token-2", tape.AuthValid, "p2")
		}},
		{recoverToken, "made again under a new key", check.Pass, "", paid("r1", "r1", key(1), key(2))},
		{recoverToken, "made again under a new key without a reference", check.Pass, "", paid("", "", key(1), key(2))},
		{recoverToken, "another payment is no repetition", check.Fail, "", paid("r1", "r2", key(1), key(2))},
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
	require.Equal(t, check.NotExercised, res.Status, told(res))
}

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

// bad requests a payment of half a cent, which the service refuses.
func (s *spool) bad(changes ...with) *tape.Entry {
	s.pass(20 * time.Millisecond)
	return s.call("createPayment", 400, append([]with{sends(`{"amount":0.5,"reference":"r1"}`)}, changes...)...)
}

// announced says that the next calls are wrong on purpose.
func (s *spool) announced(data string) {
	s.control("addNote", `{"kind":"deliberate","text":"a test of ours","data":`+data+`}`)
}

// TestPartnerDeliberate: what a test suite announces as wrong on purpose is left
// out, as far as it was announced.
func TestPartnerDeliberate(t *testing.T) {
	t.Parallel()
	good := func(s *spool) { s.pays(200, "r9", key(9)) }
	wholeCases(t, []partnerCase{
		{amountCents, "not announced", verdict.Fail, "", func(s *spool) { good(s); s.bad() }},
		{amountCents, "announced", verdict.Pass, "", func(s *spool) { s.announced(`{}`); s.bad(); good(s) }},
		{amountCents, "announced for the operation, and others between", verdict.Pass, "", func(s *spool) {
			s.announced(`{"operation":"createPayment","calls":2}`)
			s.calls(3)
			s.bad()
			s.token("token-2")
			s.bad()
			good(s)
		}},
		{amountCents, "one more than announced", verdict.Fail, "", func(s *spool) { s.announced(`{}`); s.bad(); s.bad(keyed(key(2))) }},
		{amountCents, "announced for another operation", verdict.Fail, "", func(s *spool) { s.announced(`{"operation":"refundPayment"}`); s.bad() }},
		{amountCents, "announced for far too many", verdict.Fail, "", func(s *spool) {
			s.announced(`{"calls":1000}`)
			for range 21 {
				s.bad()
			}
		}},
		{amountCents, "nothing else", verdict.NotExercised, "", func(s *spool) { s.announced(`{}`); s.bad() }},
		{amountCents, "made again with another token", verdict.Pass, "", func(s *spool) {
			s.announced(`{}`)
			s.bad(bearer("token-1", tape.AuthRevoked), func(x *tape.Exchange) { x.Response.Status = 401 })
			s.bad(bearer("token-2", tape.AuthValid))
			good(s)
		}},
		{knownValues, "advice about a call that was announced", verdict.Pass, "", func(s *spool) {
			s.announced(`{}`)
			s.finding(s.bad(), tape.Finding{Pointer: "/feePayer", Clause: "payment.create.fee-payer", Received: `"x"`, Advisory: true})
			good(s)
		}},
		{knownValues, "a member that is missing", verdict.Pass, "", func(s *spool) {
			good(s)
			s.finding(s.bad(), tape.Finding{Pointer: "/taxIdType", Clause: "company.create.tax-id-type", Expected: "EIN, TIN or SSN", Advisory: true})
		}},
		{not4xx, "a refusal that was announced", verdict.NotExercised, "", func(s *spool) {
			s.announced(`{"calls":2}`)
			s.bad()
			s.bad()
			s.calls(5)
		}},
	})
}

// TestLeftOut: what is left out is told.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	s := newSpool("")
	s.announced(`{"operation":"createPayment","calls":2}`)
	want := []uint64{s.bad().Seq, s.bad().Seq}
	s.bad()
	s.calls(3)
	want = append(want, func() uint64 { s.announced(`{}`); return s.call("refundPayment", 400).Seq }())
	tp := s.tape()
	require.Equal(t, want, tp.LeftOut())
	require.Empty(t, tp.ByHand())
	require.Empty(t, newSpool("").tape().LeftOut())
}

// TestPartnerByHand: what people try by hand beside an application is not the
// application's doing.
func TestPartnerByHand(t *testing.T) {
	t.Parallel()
	hand := sent("User-Agent", "curl/8.5.0")
	// docs is a call that somebody tries on the service's own pages.
	docs := func(x *tape.Exchange) {
		sent("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")(x)
		sent("Origin", "http://127.0.0.1:8484")(x)
	}
	// app plays an application that does what it should, with one token.
	app := func(s *spool) {
		s.token("token-1")
		for n := range 12 {
			s.pays(200, fmt.Sprint("r", n), key(n))
		}
		s.pass(5 * time.Second)
	}
	each := func(by with) func(s *spool) {
		return func(s *spool) {
			app(s)
			for n := range 5 {
				s.token(fmt.Sprint("hand-", n), by)
				s.call("listCompanies", 200, by, bearer(fmt.Sprint("hand-", n), tape.AuthValid))
				s.pass(2 * time.Second)
			}
		}
	}
	wholeCases(t, []partnerCase{
		{reuse, "a token for each try", verdict.Pass, "", each(hand)},
		{reuse, "a token for each try on the pages of the service", verdict.Pass, "", each(docs)},
		{reuse, "nobody but a script", verdict.Fail, "", func(s *spool) {
			for n := range 6 {
				s.token(fmt.Sprint("hand-", n), hand)
				s.call("listCompanies", 200, hand, bearer(fmt.Sprint("hand-", n), tape.AuthValid))
				s.pass(2 * time.Second)
			}
		}},
		{recoverToken, "a person was refused", verdict.NotExercised, "", func(s *spool) {
			app(s)
			s.call("listCompanies", 401, hand, bearer("hand-1", tape.AuthRevoked))
			s.calls(9)
		}},
		{amountCents, "a person tries half a cent", verdict.Pass, "", func(s *spool) { app(s); s.bad(hand) }},
		{"partner.payer.registered-first", "a person has registered the payer", verdict.Fail, "", func(s *spool) {
			app(s)
			c := s.call("registerUser", 200, hand, sends(`{}`), answers(`{"registrationId":"dana"}`))
			s.becomes("registration", "dana", "", "Pending", c)
			s.call("createPayment", 200, sends(`{"amount":5000,"registrationId":"dana"}`))
		}},
		{"partner.payment.redirect", "a person has read the state", verdict.Fail, "", func(s *spool) {
			app(s)
			s.payment("p1")
			s.note(check.NoteRedirect, map[string]any{"payment": "p1"})
			s.call("getPaymentStatus", 200, hand).Entities = []string{"p1"}
			s.calls(12)
		}},
		{serverSide, "the pages of the service", verdict.Pass, "", func(s *spool) { app(s); s.token("token-2", docs) }},
		{serverSide, "the pages of the service alone", verdict.NotExercised, "", func(s *spool) {
			s.token("token-2", sent("Sec-Fetch-Site", "same-origin"))
		}},
		{serverSide, "a page beside the application", verdict.Fail, "", func(s *spool) {
			app(s)
			s.token("token-2", sent("Origin", "https://gym.example.com"), sent("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"))
		}},
	})
	s := newSpool("")
	each(hand)(s)
	require.Len(t, s.tape().ByHand(), 10)
}

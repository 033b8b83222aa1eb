package check_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Clauses that several tests here are about.
const (
	cents      = "partner.amount.cents"
	reuse      = "partner.token.reuse"
	serverSide = "partner.token.server-side"
)

// bad requests a payment of half a cent, which the service refuses.
func bad(s *checktest.Tape, changes ...checktest.With) *tape.Entry {
	s.Pass(20 * time.Millisecond)
	return s.Call("createPayment", 400, append([]checktest.With{checktest.Sends(`{"amount":0.5,"reference":"r1"}`)}, changes...)...)
}

// announced says that the next calls are wrong on purpose.
func announced(s *checktest.Tape, data string) {
	s.Control("addNote", `{"kind":"deliberate","text":"a test of ours","data":`+data+`}`)
}

// TestPartnerDeliberate: what a test suite announces as wrong on purpose is left
// out, as far as it was announced.
func TestPartnerDeliberate(t *testing.T) {
	t.Parallel()
	good := func(s *checktest.Tape) { s.Pays(200, "r9", checktest.Key(9)) }
	checktest.Whole(t, []checktest.Case{
		checktest.On(cents, "not announced", verdict.Fail, "", func(s *checktest.Tape) { good(s); bad(s) }),
		checktest.On(cents, "announced", verdict.Pass, "", func(s *checktest.Tape) { announced(s, `{}`); bad(s); good(s) }),
		checktest.On(cents, "announced for the operation, and others between", verdict.Pass, "", func(s *checktest.Tape) {
			announced(s, `{"operation":"createPayment","calls":2}`)
			s.Calls(3)
			bad(s)
			s.Token("token-2")
			bad(s)
			good(s)
		}),
		checktest.On(cents, "one more than announced", verdict.Fail, "", func(s *checktest.Tape) { announced(s, `{}`); bad(s); bad(s, checktest.Keyed(checktest.Key(2))) }),
		checktest.On(cents, "announced for another operation", verdict.Fail, "", func(s *checktest.Tape) { announced(s, `{"operation":"refundPayment"}`); bad(s) }),
		checktest.On(cents, "announced for far too many", verdict.Fail, "", func(s *checktest.Tape) {
			announced(s, `{"calls":1000}`)
			for range 21 {
				bad(s)
			}
		}),
		checktest.On(cents, "nothing else", verdict.NotExercised, "", func(s *checktest.Tape) { announced(s, `{}`); bad(s) }),
		checktest.On(cents, "made again with another token", verdict.Pass, "", func(s *checktest.Tape) {
			announced(s, `{}`)
			bad(s, checktest.Bearer("token-1", tape.AuthRevoked), func(x *tape.Exchange) { x.Response.Status = 401 })
			bad(s, checktest.Bearer("token-2", tape.AuthValid))
			good(s)
		}),
		checktest.On("partner.body.known-values", "advice about a call that was announced", verdict.Pass, "", func(s *checktest.Tape) {
			announced(s, `{}`)
			s.Finding(bad(s), tape.Finding{Pointer: "/feePayer", Clause: "payment.create.fee-payer", Received: `"x"`, Advisory: true})
			good(s)
		}),
		checktest.On("partner.body.known-values", "a member that is missing", verdict.Pass, "", func(s *checktest.Tape) {
			good(s)
			s.Finding(bad(s), tape.Finding{Pointer: "/taxIdType", Clause: "company.create.tax-id-type", Expected: "EIN, TIN or SSN", Advisory: true})
		}),
		checktest.On("partner.retry.not-4xx", "a refusal that was announced", verdict.NotExercised, "", func(s *checktest.Tape) {
			announced(s, `{"calls":2}`)
			bad(s)
			bad(s)
			s.Calls(5)
		}),
	})
}

// TestLeftOut: what is left out is told.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	s := checktest.New("")
	announced(s, `{"operation":"createPayment","calls":2}`)
	want := []uint64{bad(s).Seq, bad(s).Seq}
	bad(s)
	s.Calls(3)
	want = append(want, func() uint64 { announced(s, `{}`); return s.Call("refundPayment", 400).Seq }())
	tp := s.Trail()
	require.Equal(t, want, tp.LeftOut())
	require.Empty(t, tp.ByHand())
	require.Empty(t, checktest.New("").Trail().LeftOut())
}

// TestPartnerByHand: what people try by hand beside an application is not the
// application's doing.
func TestPartnerByHand(t *testing.T) {
	t.Parallel()
	hand := checktest.Sent("User-Agent", "curl/8.5.0")
	// docs is a call that somebody tries on the service's own pages.
	docs := func(x *tape.Exchange) {
		checktest.Sent("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")(x)
		checktest.Sent("Origin", "http://127.0.0.1:8484")(x)
	}
	// app plays an application that does what it should, with one token.
	app := func(s *checktest.Tape) {
		s.Token("token-1")
		for n := range 12 {
			s.Pays(200, fmt.Sprint("r", n), checktest.Key(n))
		}
		s.Pass(5 * time.Second)
	}
	each := func(by checktest.With) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			app(s)
			for n := range 5 {
				s.Token(fmt.Sprint("hand-", n), by)
				s.Call("listCompanies", 200, by, checktest.Bearer(fmt.Sprint("hand-", n), tape.AuthValid))
				s.Pass(2 * time.Second)
			}
		}
	}
	checktest.Whole(t, []checktest.Case{
		checktest.On(reuse, "a token for each try", verdict.Pass, "", each(hand)),
		checktest.On(reuse, "a token for each try on the pages of the service", verdict.Pass, "", each(docs)),
		checktest.On(reuse, "nobody but a script", verdict.Fail, "", func(s *checktest.Tape) {
			for n := range 6 {
				s.Token(fmt.Sprint("hand-", n), hand)
				s.Call("listCompanies", 200, hand, checktest.Bearer(fmt.Sprint("hand-", n), tape.AuthValid))
				s.Pass(2 * time.Second)
			}
		}),
		checktest.On("partner.token.recover", "a person was refused", verdict.NotExercised, "", func(s *checktest.Tape) {
			app(s)
			s.Call("listCompanies", 401, hand, checktest.Bearer("hand-1", tape.AuthRevoked))
			s.Calls(9)
		}),
		checktest.On(cents, "a person tries half a cent", verdict.Pass, "", func(s *checktest.Tape) { app(s); bad(s, hand) }),
		checktest.On("partner.payer.registered-first", "a person has registered the payer", verdict.Fail, "", func(s *checktest.Tape) {
			app(s)
			c := s.Call("registerUser", 200, hand, checktest.Sends(`{}`), checktest.Answers(`{"registrationId":"dana"}`))
			s.Becomes("registration", "dana", "", "Pending", c)
			s.Call("createPayment", 200, checktest.Sends(`{"amount":5000,"registrationId":"dana"}`))
		}),
		checktest.On("partner.payment.redirect", "a person has read the state", verdict.Fail, "", func(s *checktest.Tape) {
			app(s)
			s.Payment("p1")
			s.Note(trail.NoteRedirect, map[string]any{"payment": "p1"})
			s.Call("getPaymentStatus", 200, hand).Entities = []string{"p1"}
			s.Calls(12)
		}),
		checktest.On(serverSide, "the pages of the service", verdict.Pass, "", func(s *checktest.Tape) { app(s); s.Token("token-2", docs) }),
		checktest.On(serverSide, "the pages of the service alone", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-2", checktest.Sent("Sec-Fetch-Site", "same-origin"))
		}),
		checktest.On(serverSide, "a page beside the application", verdict.Fail, "", func(s *checktest.Tape) {
			app(s)
			s.Token("token-2", checktest.Sent("Origin", "https://gym.example.com"), checktest.Sent("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"))
		}),
	})
	s := checktest.New("")
	each(hand)(s)
	require.Len(t, s.Trail().ByHand(), 10)
}

// TestAReadyWorldIsNobodys: the calls that have built it are no partner's, and its tokens
// were granted without a call.
func TestAReadyWorldIsNobodys(t *testing.T) {
	t.Parallel()
	built := checktest.Sent("Sandbox-World", "ready")
	checktest.Whole(t, []checktest.Case{
		checktest.On(cents, "half a cent of a ready world", verdict.Pass, "", func(s *checktest.Tape) { bad(s, built); s.Pays(200, "r9", checktest.Key(9)) }),
		checktest.On(cents, "nothing but a ready world", verdict.NotExercised, "", func(s *checktest.Tape) { bad(s, built) }),
		checktest.On(cents, "an application that says it were one", verdict.Fail, "", func(s *checktest.Tape) {
			s.Token("token-1", built)
			bad(s, built)
		}),
		checktest.On(cents, "one that says so later", verdict.Fail, "", func(s *checktest.Tape) { s.Pays(200, "r9", checktest.Key(9)); bad(s, built) }),
	})
}

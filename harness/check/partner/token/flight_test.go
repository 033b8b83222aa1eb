package token_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestPartnerTokenSingleFlight(t *testing.T) {
	t.Parallel()
	parallel := func(s *checktest.Tape, tokens int) {
		s.Token("token-0")
		for n := range 6 {
			s.Status("token-0", tape.AuthRevoked, fmt.Sprint("p", n))
		}
		for n := range tokens {
			s.Token(fmt.Sprint("token-", n+1))
		}
		for n := range 6 {
			s.Status("token-1", tape.AuthValid, fmt.Sprint("p", n))
		}
	}
	expiring := func(s *checktest.Tape, tokens int) {
		s.Token("token-0", checktest.Answers(`{"expiresInSeconds":60}`))
		s.Status("token-0", tape.AuthValid, "p0")
		s.Status("token-0", tape.AuthValid, "p1")
		s.Pass(59 * time.Second)
		for n := range tokens {
			s.Token(fmt.Sprint("token-", n+1))
		}
		for n := range tokens {
			s.Status(fmt.Sprint("token-", n+1), tape.AuthValid, fmt.Sprint("p", n))
		}
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(singleFlight, "one", verdict.Pass, "", func(s *checktest.Tape) { parallel(s, 1) }),
		checktest.On(singleFlight, "one and a straggler", verdict.Pass, "", func(s *checktest.Tape) {
			s.Token("token-0")
			s.Status("token-0", tape.AuthRevoked, "p1")
			s.Status("token-0", tape.AuthRevoked, "p2")
			s.Token("token-1")
			s.Status("token-0", tape.AuthRevoked, "p3")
			s.Token("token-2")
			for n := range 3 {
				s.Status("token-2", tape.AuthValid, fmt.Sprint("p", n+1))
			}
			s.Status("token-2", tape.AuthValid, "p9")
		}),
		checktest.On(singleFlight, "two processes", verdict.Pass, "", func(s *checktest.Tape) {
			for n := range 4 {
				s.Status(fmt.Sprint("token-", n%2), tape.AuthRevoked, fmt.Sprint("p", n))
			}
			s.Token("token-2")
			s.Token("token-3")
			for n := range 4 {
				s.Status(fmt.Sprint("token-", 2+n%2), tape.AuthValid, fmt.Sprint("p", n))
			}
		}),
		checktest.On(singleFlight, "more after a move of the clock", verdict.Pass, "", func(s *checktest.Tape) {
			parallel(s, 1)
			s.Move(2 * time.Hour)
			s.Token("token-7")
			s.Status("token-7", tape.AuthValid, "p1")
		}),
		checktest.On(singleFlight, "each its own", verdict.Fail, "", func(s *checktest.Tape) { parallel(s, 6) }),
		checktest.On(singleFlight, "two at a still clock", verdict.Fail, "manual", func(s *checktest.Tape) { parallel(s, 2) }),
		checktest.On(singleFlight, "each its own before expiry", verdict.Fail, "", func(s *checktest.Tape) { expiring(s, 4) }),
		checktest.On(singleFlight, "one before expiry", verdict.NotExercised, "", func(s *checktest.Tape) { expiring(s, 1) }),
		checktest.On(singleFlight, "three processes start", verdict.NotExercised, "", func(s *checktest.Tape) {
			for n := range 3 {
				s.Token(fmt.Sprint("token-", n))
			}
			for n := range 6 {
				s.Status(fmt.Sprint("token-", n%3), tape.AuthValid, fmt.Sprint("p", n))
			}
		}),
		checktest.On(singleFlight, "one refusal", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Token("token-0")
			s.Status("token-0", tape.AuthRevoked, "p1")
			s.Token("token-1")
			s.Status("token-1", tape.AuthValid, "p1")
		}),
	})
}

func TestPartnerSecretsOfTokens(t *testing.T) {
	t.Parallel()
	address := func(path, query string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Call("listCompanies", 200)
			s.Call("listCompanies", 200, checktest.At(path, query))
		}
	}
	granted := func(name, value string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Token("token-1", checktest.Sent(name, value)) }
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(outOfURLs, "none", verdict.Pass, "", address("/Transaction/Report", "companyId=c1&cursor=eyJhIjoxfQ")),
		checktest.On(outOfURLs, "an empty parameter", verdict.Pass, "", address("/Company/List", "token=")),
		checktest.On(outOfURLs, "the path /Account/LinkToken", verdict.Pass, "", address("/Account/LinkToken", "")),
		checktest.On(outOfURLs, "an access token", verdict.Fail, "", address("/Company/List", "access_token=xxxxxxxxx")),
		checktest.On(outOfURLs, "a client secret", verdict.Fail, "", address("/Authentication/Token", "clientId=a&client-secret=xxxxxxx")),
		checktest.On(outOfURLs, "a token by another name", verdict.Fail, "", address("/Company/List", "q=eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl")),
		checktest.On(outOfURLs, "a token in the path", verdict.Fail, "", address("/Company/eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl/Status", "")),
		checktest.On(outOfURLs, "a token in the address that a call comes from", verdict.Fail, "", func(s *checktest.Tape) {
			s.Call("listCompanies", 200, checktest.Sent("Referer", "https://shop.example.com/run?a=xxx&access_token=xxx"))
		}),
		checktest.On(outOfURLs, "another address that a call comes from", verdict.Pass, "", func(s *checktest.Tape) {
			s.Call("listCompanies", 200, checktest.Sent("Referer", "https://shop.example.com/run?token=&page=xxx"))
		}),
		checktest.On(outOfURLs, "the client secret in a header", verdict.Fail, "", func(s *checktest.Tape) {
			s.Call("listCompanies", 200, func(x *tape.Exchange) { x.Request.Header[2].Value = "shop/2.1 (id:[secret])" })
		}),
		checktest.On(outOfURLs, "the webhook secret as a number of the call", verdict.Fail, "", func(s *checktest.Tape) { s.Call("listCompanies", 200, checktest.Sent("X-Request-Id", "[secret]-1")) }),
		checktest.On(outOfURLs, "a token as a number of the call", verdict.Fail, "", func(s *checktest.Tape) {
			s.Call("listCompanies", 200, checktest.Sent("X-Request-Id", "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.xxxxxxxxx"))
		}),
		checktest.On(outOfURLs, "a word in brackets in a header", verdict.Pass, "", func(s *checktest.Tape) { s.Call("listCompanies", 200, checktest.Sent("X-Request-Id", "[run 1]")) }),
		checktest.On(outOfURLs, "nothing", verdict.NotExercised, "", func(s *checktest.Tape) { s.Control("advanceClock", "{}") }),

		checktest.On(serverSide, "a server", verdict.Pass, "", granted("Accept", "*/*")),
		checktest.On(serverSide, "the fetch of a server", verdict.Pass, "", granted("Sec-Fetch-Mode", "cors")),
		checktest.On(serverSide, "an opaque origin", verdict.Pass, "", granted("Origin", "null")),
		checktest.On(serverSide, "a page", verdict.Fail, "", granted("Origin", "https://gym.example.com")),
		checktest.On(serverSide, "a page of the same site", verdict.Fail, "", granted("Sec-Fetch-Site", "same-site")),
		checktest.On(serverSide, "a page that refers", verdict.Fail, "", granted("Referer", "https://gym.example.com/pay")),
		checktest.On(serverSide, "no token call", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Call("listCompanies", 200, checktest.Sent("Origin", "https://gym.example.com"))
		}),
	})
}

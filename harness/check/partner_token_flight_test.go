package check_test

import (
	"fmt"
	"testing"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestPartnerTokenSingleFlight(t *testing.T) {
	t.Parallel()
	parallel := func(s *spool, tokens int) {
		s.token("token-0")
		for n := range 6 {
			s.status("token-0", tape.AuthRevoked, fmt.Sprint("p", n))
		}
		for n := range tokens {
			s.token(fmt.Sprint("token-", n+1))
		}
		for n := range 6 {
			s.status("token-1", tape.AuthValid, fmt.Sprint("p", n))
		}
	}
	expiring := func(s *spool, tokens int) {
		s.token("token-0", answers(`{"expiresInSeconds":60}`))
		s.status("token-0", tape.AuthValid, "p0")
		s.status("token-0", tape.AuthValid, "p1")
		s.pass(59 * time.Second)
		for n := range tokens {
			s.token(fmt.Sprint("token-", n+1))
		}
		for n := range tokens {
			s.status(fmt.Sprint("token-", n+1), tape.AuthValid, fmt.Sprint("p", n))
		}
	}
	playCases(t, []partnerCase{
		{singleFlight, "one", verdict.Pass, "", func(s *spool) { parallel(s, 1) }},
		{singleFlight, "one and a straggler", verdict.Pass, "", func(s *spool) {
			s.token("token-0")
			s.status("token-0", tape.AuthRevoked, "p1")
			s.status("token-0", tape.AuthRevoked, "p2")
			s.token("token-1")
			s.status("token-0", tape.AuthRevoked, "p3")
			s.token("token-2")
			for n := range 3 {
				s.status("token-2", tape.AuthValid, fmt.Sprint("p", n+1))
			}
			s.status("token-2", tape.AuthValid, "p9")
		}},
		{singleFlight, "two processes", verdict.Pass, "", func(s *spool) {
			for n := range 4 {
				s.status(fmt.Sprint("token-", n%2), tape.AuthRevoked, fmt.Sprint("p", n))
			}
			s.token("token-2")
			s.token("token-3")
			for n := range 4 {
				s.status(fmt.Sprint("token-", 2+n%2), tape.AuthValid, fmt.Sprint("p", n))
			}
		}},
		{singleFlight, "more after a move of the clock", verdict.Pass, "", func(s *spool) {
			parallel(s, 1)
			s.move(2 * time.Hour)
			s.token("token-7")
			s.status("token-7", tape.AuthValid, "p1")
		}},
		{singleFlight, "each its own", verdict.Fail, "", func(s *spool) { parallel(s, 6) }},
		{singleFlight, "two at a still clock", verdict.Fail, "manual", func(s *spool) { parallel(s, 2) }},
		{singleFlight, "each its own before expiry", verdict.Fail, "", func(s *spool) { expiring(s, 4) }},
		{singleFlight, "one before expiry", verdict.NotExercised, "", func(s *spool) { expiring(s, 1) }},
		{singleFlight, "three processes start", verdict.NotExercised, "", func(s *spool) {
			for n := range 3 {
				s.token(fmt.Sprint("token-", n))
			}
			for n := range 6 {
				s.status(fmt.Sprint("token-", n%3), tape.AuthValid, fmt.Sprint("p", n))
			}
		}},
		{singleFlight, "one refusal", verdict.NotExercised, "", func(s *spool) {
			s.token("token-0")
			s.status("token-0", tape.AuthRevoked, "p1")
			s.token("token-1")
			s.status("token-1", tape.AuthValid, "p1")
		}},
	})
}

func TestPartnerSecretsOfTokens(t *testing.T) {
	t.Parallel()
	address := func(path, query string) func(s *spool) {
		return func(s *spool) {
			s.call("listCompanies", 200)
			s.call("listCompanies", 200, at(path, query))
		}
	}
	granted := func(name, value string) func(s *spool) {
		return func(s *spool) { s.token("token-1", sent(name, value)) }
	}
	playCases(t, []partnerCase{
		{outOfURLs, "none", verdict.Pass, "", address("/Transaction/Report", "companyId=c1&cursor=eyJhIjoxfQ")},
		{outOfURLs, "an empty parameter", verdict.Pass, "", address("/Company/List", "token=")},
		{outOfURLs, "the path /Account/LinkToken", verdict.Pass, "", address("/Account/LinkToken", "")},
		{outOfURLs, "an access token", verdict.Fail, "", address("/Company/List", "access_token=xxxxxxxxx")},
		{outOfURLs, "a client secret", verdict.Fail, "", address("/Authentication/Token", "clientId=a&client-secret=xxxxxxx")},
		{outOfURLs, "a token by another name", verdict.Fail, "", address("/Company/List", "q=eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl")},
		{outOfURLs, "a token in the path", verdict.Fail, "", address("/Company/eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl/Status", "")},
		{outOfURLs, "a token in the address that a call comes from", verdict.Fail, "", func(s *spool) {
			s.call("listCompanies", 200, sent("Referer", "https://shop.example.com/run?a=xxx&access_token=xxx"))
		}},
		{outOfURLs, "another address that a call comes from", verdict.Pass, "", func(s *spool) {
			s.call("listCompanies", 200, sent("Referer", "https://shop.example.com/run?token=&page=xxx"))
		}},
		{outOfURLs, "the client secret in a header", verdict.Fail, "", func(s *spool) {
			s.call("listCompanies", 200, func(x *tape.Exchange) { x.Request.Header[2].Value = "shop/2.1 (id:[secret])" })
		}},
		{outOfURLs, "the webhook secret as a number of the call", verdict.Fail, "", func(s *spool) { s.call("listCompanies", 200, sent("X-Request-Id", "[secret]-1")) }},
		{outOfURLs, "a token as a number of the call", verdict.Fail, "", func(s *spool) {
			s.call("listCompanies", 200, sent("X-Request-Id", "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.xxxxxxxxx"))
		}},
		{outOfURLs, "a word in brackets in a header", verdict.Pass, "", func(s *spool) { s.call("listCompanies", 200, sent("X-Request-Id", "[run 1]")) }},
		{outOfURLs, "nothing", verdict.NotExercised, "", func(s *spool) { s.control("advanceClock", "{}") }},

		{serverSide, "a server", verdict.Pass, "", granted("Accept", "*/*")},
		{serverSide, "the fetch of a server", verdict.Pass, "", granted("Sec-Fetch-Mode", "cors")},
		{serverSide, "an opaque origin", verdict.Pass, "", granted("Origin", "null")},
		{serverSide, "a page", verdict.Fail, "", granted("Origin", "https://gym.example.com")},
		{serverSide, "a page of the same site", verdict.Fail, "", granted("Sec-Fetch-Site", "same-site")},
		{serverSide, "a page that refers", verdict.Fail, "", granted("Referer", "https://gym.example.com/pay")},
		{serverSide, "no token call", verdict.NotExercised, "", func(s *spool) { s.call("listCompanies", 200, sent("Origin", "https://gym.example.com")) }},
	})
}

package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// script walks through every part of the API and gives all answers.
func script(s *sandbox) string {
	s.t.Helper()
	var b bytes.Buffer
	note := func(method, path, body string, header ...string) {
		w := s.call(method, path, body, header...)
		fmt.Fprintf(&b, "%s %s %d %v\n%s\n", method, path, w.Code, w.Header(), w.Body)
	}
	own := s.own()
	for _, c := range idCalls {
		note(c.method, own.fill(c.path), own.fill(c.body))
	}
	for n := range 20 {
		note(http.MethodPost, "/Payment/Create", fmt.Sprintf(`{"amount":%d,"contactNumber":"202555%04d","colour":"red"}`, n, 100+n), key, fmt.Sprint("k", n%7))
		note(http.MethodPost, "/Company/Create", companyJSON(s.t, fmt.Sprint("c", n%15), "owner.ssn", fmt.Sprint(n)))
		note(http.MethodGet, "/Transaction/Report", "")
		note(http.MethodPost, "/Account/Link", "{")
		s.pass(11 * time.Minute)
	}
	s.pass(40 * 24 * time.Hour)
	s.token = s.grant("sandbox-client", "sandbox-secret")
	note(http.MethodGet, "/Transaction/Report", "")
	note(http.MethodPost, "/auth/token", goodCredentials)
	return b.String()
}

// TestSameSeedSameBytes: two fresh houses, the same calls: the same answers and
// the same tape, byte for byte. Another seed gives other ids.
func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	a, b, c := start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 8})
	first := script(a)
	require.Equal(t, first, script(b))
	require.Equal(t, jsonl(t, a.entries()), jsonl(t, b.entries()))
	require.NotEqual(t, first, script(c))
}

// replayed feeds the inputs of a tape to a fresh house and gives its tape.
func replayed(t *testing.T, o integration.Options, entries []tape.Entry) []tape.Entry {
	t.Helper()
	fresh := bare(t, o)
	feed(t, fresh, fresh.reg.Default(), entries)
	return fresh.entries()
}

// feed gives the inputs of a tape to an integration that is still empty.
func feed(t *testing.T, s *sandbox, i *integration.Integration, entries []tape.Entry) {
	t.Helper()
	for n := range entries {
		e := &entries[n]
		if !e.Kind.Input() {
			continue
		}
		if e.Kind != tape.KindExchange {
			require.NoError(t, i.Refeed(e))
			continue
		}
		x := e.Exchange
		target := x.Path
		if x.Query != "" {
			target += "?" + x.Query
		}
		again := &integration.Again{Integration: i, At: e.At, Auth: x.Auth, Token: x.Token, InFlight: x.InFlight}
		r, err := http.NewRequestWithContext(integration.WithAgain(t.Context(), again), x.Method, target, bytes.NewReader(x.Request.Body))
		require.NoError(t, err)
		for _, h := range x.Request.Header {
			if r.Header.Set(h.Name, h.Value); h.Name == "Host" {
				r.Host = h.Value
			}
		}
		s.api.ServeHTTP(httptest.NewRecorder(), r)
	}
	if len(entries) > 0 {
		i.CatchUp(entries[len(entries)-1].At)
	}
}

// bare is start without the first token call.
func bare(t *testing.T, o integration.Options) *sandbox {
	t.Helper()
	s := start(t, o)
	require.NoError(t, s.reg.Default().Reset())
	return s
}

// granted is bare with a token.
func granted(t *testing.T, o integration.Options) *sandbox {
	t.Helper()
	s := bare(t, o)
	s.token = s.grant("sandbox-client", "sandbox-secret")
	return s
}

// replaysItself expects a fresh sandbox that is given what is on the tape to have the
// same tape.
func replaysItself(t *testing.T, s *sandbox, o integration.Options) {
	t.Helper()
	recorded := s.entries()
	require.Equal(t, jsonl(t, recorded), jsonl(t, replayed(t, o, recorded)))
}

// caller draws calls from a small world, so that they meet each other.
type caller struct {
	s     *sandbox
	t     *rapid.T
	known []string
}

var templates = []struct{ method, path, body string }{
	{"POST", "/Company/Create", ""},
	{"GET", "/Company/List", ""},
	{"GET", "/Company/c1/Status", ""},
	{"POST", "/Company/c1/Locations", locationBody},
	{"GET", "/company/c1/locations/", ""},
	{"POST", "/User/Register", `{"redirectUrl":"https://p.co","mobileNumber":"+12025550123","amount":N,"period":"once"}`},
	{"GET", "/User/ID/Status", ""},
	{"POST", "/Account/LinkToken", `{"verificationId":"ID"}`},
	{"PUT", "/Account/Link", `{"tokenId":"ID","publicToken":"public-under-review"}`},
	{"PUT", "/Account/Link", `{"tokenId":"ID","publicToken":"public-good"}`},
	{"POST", "/User/ID/DebitAuth", `{"companyId":"ID","enabled":true,"limit":N}`},
	{"POST", "/Payment/Create", `{"amount":N,"registrationId":"ID"}`},
	{"POST", "/Payment/Create", `{"amount":N,"contactNumber":"+12025550123","ssn":"N"}`},
	{"POST", "/Payment/Create", `{"amount":N,"contactNumber":"+12025550123","attachment":"JVBERi0xLjQK","dueDate":"2026-03-0N"}`},
	{"POST", "/payment/create/", `{"amount":"N","contactNumber":"12"}`},
	{"PUT", "/Payment/ID/Cancel", ""},
	{"GET", "/Payment/ID/Status", ""},
	{"POST", "/Payment/Refund?paymentRequestId=ID", `{"amount":N}`},
	{"POST", "/CardPayment", `{"amount":N,"mobileNumber":"+12025550123","merchantId":"c1","transactionStatus":"Succeeded"}`},
	{"GET", "/Transaction/Report?companyId=ID", ""},
	{"GET", "/Transaction/Report", ""},
	{"POST", "/PaymentPlan/Create", `{"amount":N,"startDate":"2026-03-03","intervalValue":N,"intervalUnit":"Day"}`},
	{"POST", "/PaymentPlan/ID/Payers", `{"registrationId":"ID"}`},
	{"PUT", "/PaymentPlan/ID/Activate", ""},
	{"PUT", "/Consent/ID/Decline", ""},
	{"POST", "/Payment/Recurring", `{"amount":N,"startDate":"2026-03-03","intervalValue":1,"intervalUnit":"Week","phoneNumber":"+12025550124"}`},
	{"POST", "/auth/token", goodCredentials},
	{"POST", "/auth/token", `{"clientId":"sandbox-client","clientSecret":"N"}`},
	{"GET", "/nowhere", ""},
	{"PATCH", "/Company/List", ""},
	{"POST", "/Company/Create", `{"companyReferenceId":"c1","owner":{"ssn":"1N34N"}`},
}

// random makes one call; ids are those that earlier answers named.
func (c *caller) random() {
	n := rapid.IntRange(0, len(templates)-1).Draw(c.t, "call")
	fill := func(text string) string {
		for strings.Contains(text, "ID") && !strings.Contains(text, "PDF") {
			text = strings.Replace(text, "ID", rapid.SampledFrom(append([]string{"x"}, c.known...)).Draw(c.t, "id"), 1)
		}
		return strings.ReplaceAll(text, "N", fmt.Sprint(rapid.IntRange(0, 9).Draw(c.t, "n")))
	}
	body := templates[n].body
	if n == 0 {
		body = companyJSON(c.s.t, fmt.Sprint("c", rapid.IntRange(0, 3).Draw(c.t, "ref")))
	}
	var header []string
	if k := rapid.IntRange(0, 5).Draw(c.t, "key"); k > 2 {
		header = []string{key, fmt.Sprint("k", k)}
	}
	if n != 0 {
		body = fill(body)
	}
	w := c.s.call(templates[n].method, fill(templates[n].path), body, header...)
	c.known = append(c.known, ids(w.Body.String())...)
}

// ids are the uuids in a text.
func ids(text string) []string {
	var out []string
	for i := 0; i+36 <= len(text); i++ {
		if text[i+8] == '-' && text[i+13] == '-' && text[i+18] == '-' && text[i+23] == '-' {
			out = append(out, text[i:i+36])
			i += 36
		}
	}
	return out
}

// TestReplay: whatever was called, the inputs of the tape give the tape again.
func TestReplay(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(rt *rapid.T) {
		o := integration.Options{Seed: rapid.Uint64Range(1, 1<<40).Draw(rt, "seed"), Strict: rapid.Bool().Draw(rt, "strict")}
		s := granted(t, o)
		c := &caller{s: s, t: rt}
		for range rapid.IntRange(1, 40).Draw(rt, "calls") {
			c.random()
			if rapid.IntRange(0, 4).Draw(rt, "wait") == 0 {
				s.pass(time.Duration(rapid.IntRange(1, 900).Draw(rt, "minutes")) * time.Minute)
				s.token = s.grant("sandbox-client", "sandbox-secret")
			}
		}
		recorded := s.entries()
		require.Equal(rt, jsonl(t, recorded), jsonl(t, replayed(t, o, recorded)))
	})
}

// TestReplayOfParallelCallers: many callers at once leave a tape that, played
// one entry after the other, is the same again.
func TestReplayOfParallelCallers(t *testing.T) {
	t.Parallel()
	o := integration.Options{Seed: 7}
	s := granted(t, o)
	s.company("c1")
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			var known []string
			for n := range 60 {
				c := templates[(g*7+n)%len(templates)]
				fill := func(text string) string {
					if len(known) > 0 && !strings.Contains(text, "PDF") {
						text = strings.ReplaceAll(text, "ID", known[(g+n)%len(known)])
					}
					return strings.ReplaceAll(text, "N", fmt.Sprint(n%9+1))
				}
				body := fill(c.body)
				if c.path == "/Company/Create" {
					body = strings.Replace(body, "c1", fmt.Sprint("c", g, n), 1)
				}
				w := s.call(c.method, fill(c.path), body, key, fmt.Sprint(g%2, n%11))
				known = append(known, ids(w.Body.String())...)
				if n%20 == 19 {
					_, _ = s.reg.Default().Advance(integration.Move{By: time.Minute})
				}
			}
		})
	}
	wait.Wait()
	recorded := s.entries()
	require.Greater(t, len(recorded), 480)
	require.Equal(t, jsonl(t, recorded), jsonl(t, replayed(t, o, recorded)))
}

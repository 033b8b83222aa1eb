package mockserver_test

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/tape"
)

// steadySession makes one of each thing and lets time pass; before each call it
// says which one comes.
func steadySession(d *driver, before func(n int)) {
	const control = "/_sandbox/integrations/default"
	n := 0
	call := func(method, path, body string) string {
		before(n)
		n++
		known := len(d.ids)
		d.call(method, path, body)
		if len(d.ids) == known {
			return ""
		}
		return d.ids[known]
	}
	post := func(path, body string) string { return call(http.MethodPost, path, body) }
	wait := func(by string) {
		post(control+"/clock/advance", `{"by":"`+by+`"}`)
		post("/Authentication/Token", `{"clientId":"c","clientSecret":"s"}`)
	}
	company := post("/Company/Create", string(fixtures.CompanyJSON(1)))
	wait("25h")
	payer := post("/User/Register", `{"redirectUrl":"https://p.example/done","mobileNumber":"+12025550142"}`)
	post(control+"/registrations/"+payer+"/complete", `{"persona":"good"}`)
	post("/Company/"+company+"/Locations", `{"name":"Annex","streetNumberAndName":"1 A St","city":"Reno","state":"NV","zipCode":"89501"}`)
	post("/Company/"+company+"/ExternalAuthLink", `{"mobileNumber":"+12025550123"}`)
	post("/Account/LinkToken", `{"verificationId":"`+payer+`"}`)
	pay := `{"amount":5000,"registrationId":"` + payer + `","companyId":"` + company + `"}`
	first := post("/Payment/Create", pay)
	second := post("/Payment/Create", pay) // an equal call: its count tells it apart
	post(control+"/payments/"+first+"/approve", `{}`)
	post(control+"/payments/"+second+"/approve", `{}`)
	wait("50h")
	post("/Payment/Refund/"+first, `{"amount":1000}`)
	post("/Payment/Recurring", `{"amount":900,"startDate":"2026-03-06","intervalValue":1,"intervalUnit":"Week","phoneNumber":"+12025550177","companyId":"`+company+`"}`)
	wait("200h")
}

// strayCalls are calls on which nothing of steadySession depends.
func strayCalls() []func(d *driver) {
	post := func(path, body string) func(*driver) {
		return func(d *driver) { d.call(http.MethodPost, path, body) }
	}
	return []func(*driver){
		post("/Company/Create", string(fixtures.CompanyJSON(30))),
		post("/User/Register", `{"redirectUrl":"https://p.example/stray","mobileNumber":"+12025550190"}`),
		post("/Payment/Create", `{"amount":0}`),
		post("/Payment/Refund/3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", `{"amount":1000}`),
		post("/Authentication/Token", `{"clientId":"c","clientSecret":"wrong"}`),
		post("/Authentication/Token", `{"clientSecret":"s","clientId":"c"}`), // an equal one would count
		post("/_sandbox/integrations/default/notes", `{"kind":"note","text":"stray"}`),
		func(d *driver) { d.call(http.MethodGet, "/Company/List", "") },
		func(d *driver) { d.call(http.MethodGet, "/nowhere", "") },
	}
}

// asStray marks the calls to a handler.
func asStray(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("User-Agent", "stray")
		h.ServeHTTP(w, r)
	})
}

func isStray(x *tape.Exchange) bool {
	return x != nil && slices.Contains(x.Request.Header, tape.Header{Name: "User-Agent", Value: "stray"})
}

var (
	traced  = regexp.MustCompile(`[0-9a-f]{32}`)
	numbers = regexp.MustCompile(`"(seq|cause|scheduled)":\d+,?`)
)

// steadyTape is the tape of a session but for entry numbers, and without what
// follows from stray calls.
func steadyTape(t require.TestingT, s *mockserver.Server) []string {
	_, entries := tapeOf(t, s)
	left := map[uint64]bool{}
	var lines []string
	for i := range entries {
		e := &entries[i]
		if left[e.Cause] || isStray(e.Exchange) {
			left[e.Seq] = true
			continue
		}
		if x := e.Exchange; x != nil {
			require.Less(t, x.Response.Status, 300, "%s: each call of the session makes something", x.Path)
			x.Response.Header = slices.DeleteFunc(x.Response.Header, func(h tape.Header) bool { return h.Name == "Sandbox-Exchange" })
			x.Response.Body = traced.ReplaceAll(x.Response.Body, []byte("x"))
			if strings.HasSuffix(x.Path, "/clock/advance") { // what it tells of entries is on the tape itself
				x.Response.Body = nil
			}
		}
		var b bytes.Buffer
		require.NoError(t, tape.Write(&b, tape.Meta{}, slices.Values(entries[i:i+1])))
		lines = append(lines, numbers.ReplaceAllString(strings.Split(b.String(), "\n")[1], ""))
	}
	return lines
}

// TestAStrayCallChangesNothingElse puts calls on which nothing depends between
// those of a session: all that the others make, answer and send stays as it was,
// but for entry numbers.
func TestAStrayCallChangesNothingElse(t *testing.T) {
	t.Parallel()
	list := strayCalls()
	play := func(t require.TestingT, seed uint64, before func(d *driver, n int)) *mockserver.Server {
		s, err := mockserver.New(rehearsalOptions(seed))
		require.NoError(t, err)
		d := newDriver(s)
		d.call(http.MethodPost, "/Authentication/Token", `{"clientId":"c","clientSecret":"s"}`)
		d.call(http.MethodPost, "/_sandbox/integrations/default/webhooks/"+d.hook()+"/profile", `{"profile":"delay"}`)
		steadySession(d, func(n int) {
			before(d, n)
		})
		return s
	}
	sampling.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		at := rapid.SliceOfN(rapid.IntRange(0, 17), 1, 4).Draw(t, "before which calls")
		which := rapid.IntRange(0, len(list)-1).Draw(t, "which call")
		want := play(t, seed, func(*driver, int) {})
		defer want.Registry().Close()
		got := play(t, seed, func(d *driver, n int) {
			if slices.Contains(at, n) {
				list[which](&driver{h: asStray(d.h), token: d.token})
			}
		})
		defer got.Registry().Close()
		plain := steadyTape(t, want)
		require.Greater(t, len(plain), 60)
		require.Equal(t, plain, steadyTape(t, got))
	})
}

// TestASecretThatACallBringsIsReplayed registers an endpoint whose address holds
// its own secret: the tape has neither, and comes out of a replay the same.
func TestASecretThatACallBringsIsReplayed(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(rehearsalOptions(5))
	require.NoError(t, err)
	d := newDriver(s)
	d.call(http.MethodPost, "/_sandbox/integrations/default/webhooks", `{"url":"http://p.example.test/hooks/whsec-own-secret-77","secret":"whsec-own-secret-77"}`)
	d.call(http.MethodPost, "/Authentication/Token", `{"clientId":"c","clientSecret":"s"}`)
	steadySession(d, func(int) {})
	text, _ := tapeOf(t, s)
	require.NotContains(t, text, "whsec-own-secret-77")
	require.Contains(t, text, `"operation":"addWebhook"`)
	require.Contains(t, text, "http://p.example.test/hooks/")
	requireReplay(t, s, 5)
}

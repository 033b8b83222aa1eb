package redirect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/redirect"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// came is what is noted where a payer registered with an address, by a log and by what a browser has recorded.
func came(log string, opened ...recording.Exchange) string {
	r := &recording.Recording{Exchanges: []recording.Exchange{{
		Method: "POST", Path: "/User/Register", Body: []byte(`{"redirectUrl":"https://club.example/join/done?club=3"}`), Answer: recording.Answer{Known: recording.Whole, Status: 200},
	}}}
	redirect.Read([]source.File{{Name: "a.log", Data: []byte(log)}}, opened, r)
	return r.Exchanges[0].CameBack
}

// TestRead: a payer came back to the address as it was given, and the page there refused them.
func TestRead(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		`1.2.3.4 - - [07/Jul/2026:15:17:08 +0000] "GET /join/done?club=3 HTTP/2.0" 500 784`:                   "a.log line 1, where the page answered 500",
		`1.2.3.4 - - [07/Jul/2026:15:17:08 +0000] "GET /join/done HTTP/2.0" 404 784`:                          "a.log line 1, where the page answered 404",
		"Started GET \"/join/done\" for 1.2.3.4\nParameterMissing (param is missing: registrationId)":         "a.log line 1, where the page missed the registrationId (a.log line 2)",
		`{"path":"/join/done","query":{},"err":"query parameter registrationId is missing"}`:                  "a.log line 1, where the page missed the registrationId (a.log line 1)",
		`1.2.3.4 - - [07/Jul/2026:15:17:08 +0000] "GET /join/done?club=3 HTTP/2.0" 302 784`:                   "",
		`1.2.3.4 - - [07/Jul/2026:15:17:08 +0000] "GET /join/done?club=3&registrationId=ab HTTP/2.0" 500 784`: "",
		`1.2.3.4 - - [07/Jul/2026:15:17:08 +0000] "GET /join/donec?club=3 HTTP/2.0" 500 784`:                  "",
		`1.2.3.4 - - [07/Jul/2026:15:17:08 +0000] "POST /join/done HTTP/2.0" 500 784`:                         "",
	} {
		got := came(log)
		require.Equal(t, want, got, log)
		require.Equal(t, want != "", redirect.Is(got), log)
	}
	require.Empty(t, came("param is missing: registrationId"), "nothing tells that the page was opened")
	page := recording.Exchange{Method: "GET", Host: "club.example", Path: "/join/done", Query: "club=3", Place: recording.Place{Source: "b.har", Entry: 8}, Answer: recording.Answer{Status: 500}}
	require.Equal(t, "b.har entry 8, where the page answered 500", came("", page))
	page.Answer.Status = 200
	require.Empty(t, came("", page))
}

// TestAsserted: a browser's test printed that it had got to the address as it was given, and had waited for a registrationId in it.
func TestAsserted(t *testing.T) {
	t.Parallel()
	const page = "https://club.example/join/done?club=3"
	for log, want := range map[string]string{
		"Expected pattern: /[?&]registrationId=[0-9a-f-]{36}/\nReceived string:  \"" + page + "\"":                                  "2 1", // Playwright, Jest
		"Expected pattern: \x1b[32m/registrationId=/\x1b[39m\nReceived string:  \x1b[31m\"https://club.example/join/done\"\x1b[39m": "2 1",
		"waiting for navigation to \"**/join/done?registrationId=*\" until \"load\"\n  navigated to \"" + page + "\"":               "2 1",
		"AssertionError: Timed out retrying: expected '" + page + "' to include 'registrationId='":                                  "1 1", // Cypress
		"Failure: expected \"/join/done?club=3\" to match /registration_id=/":                                                       "1 1", // Capybara
		"E AssertionError: assert 'registrationId=' in '" + page + "'":                                                              "1 1", // pytest
		"AssertionError: 'registrationId' not found in '" + page + "'":                                                              "1 1", // unittest
		"Expected condition failed: waiting for url to contain \"registrationId=\". Current url: \"" + page + "\"":                  "1 1", // Selenium
		"Expecting actual:\n  \"" + page + "\"\nto contain:\n  \"registrationId=\"":                                                 "2 4", // AssertJ
		"Expected: a string containing \"registrationId=\"\n     but: was \"" + page + "\"":                                         "2 1", // Hamcrest
		"Location should have contained 'registrationId' but it was '" + page + "'":                                                 "1 1", // Robot Framework
		// The address that was waited for, and what was got has it.
		"Expected string: \"" + page + "\"\nReceived string: \"" + page + "&registrationId=ab\"": "",
		// It is not to be there, or something else is.
		"Expected pattern: not /registrationId=/\nReceived string: \"" + page + "\"": "",
		"expected '" + page + "' not to include 'registrationId='":                   "",
		"Expected pattern: /welcome/\nReceived string: \"" + page + "\"":             "",
		// Another page.
		"Expected pattern: /registrationId=/\nReceived string: \"https://club.example/join/oops\"":     "",
		"Expected pattern: /registrationId=/\nReceived string: \"https://other.example/join/done\"":    "",
		"Expected pattern: /registrationId=/\nReceived string: \"https://club.example/join/done/pay\"": "",
		// Not of one failure, or what somebody only says.
		"Expected pattern: /registrationId=/\n\n\n\n\n\nReceived string: \"" + page + "\"": "",
		"we expect registrationId in " + page:                                              "",
		// It has come at another try.
		"Expected pattern: /registrationId=/\nReceived string: \"" + page + "\"\n\nReceived string: \"https://club.example/join/done?registrationId=ab\"": "",
	} {
		got := came(log)
		if want != "" {
			at, of, _ := strings.Cut(want, " ")
			want = "a.log line " + at + ", where a test of the page missed the registrationId (a.log line " + of + ")"
		}
		require.Equal(t, want, got, log)
		require.Equal(t, want != "", redirect.Is(got), log)
		require.Equal(t, want != "", redirect.Tested(got), log)
	}
	with := recording.Exchange{Method: "GET", Host: "club.example", Path: "/join/done", Query: "club=3&registrationId=ab", Answer: recording.Answer{Status: 200}}
	require.Empty(t, came("expected '"+page+"' to include 'registrationId='", with), "a browser has seen it come")
}

// TestIs: what a file says itself is taken only as it is noted.
func TestIs(t *testing.T) {
	t.Parallel()
	require.False(t, redirect.Is("<script>, where the page answered 500"))
	require.False(t, redirect.Is("a.log line 1, where the page answered 200"))
	require.False(t, redirect.Is(""))
}

// FuzzRead reads any log.
func FuzzRead(f *testing.F) {
	f.Add(`"GET /join/done?club=3 HTTP/2.0" 500 784`)
	f.Add("Expected pattern: /registrationId=/\nReceived string: \"https://club.example/join/done\"")
	f.Add("expected '/join/done' to include 'registrationId='")
	f.Fuzz(func(t *testing.T, log string) {
		if got := came(log); got != "" {
			require.True(t, redirect.Is(got), got)
		}
	})
}

// TestNoAddress: what a call gives as its redirectUrl may be none, and is passed over.
func TestNoAddress(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"http://[::1", "%zz", "http://a.example:x/done", "\u0000", "", "https://a.example/" + strings.Repeat("(", 4_000_000)} {
		body, err := json.Marshal(map[string]string{"redirectUrl": text})
		require.NoError(t, err)
		r := &recording.Recording{Exchanges: []recording.Exchange{{Method: "POST", Path: "/User/Register", Body: body}}}
		redirect.Read([]source.File{{Name: "a.log", Data: []byte(text)}}, nil, r)
		require.Empty(t, r.Exchanges[0].CameBack, text[:min(len(text), 40)])
	}
}

package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func TestRedactorKnowsTheShapes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"bearer":            {"Authorization: Bearer abc.def-123_456", "Authorization: Bearer [redacted]"},
		"basic":             {"authorization: basic c2FuZGJveDpzZWNyZXQ=", "authorization: basic [redacted]"},
		"jwt alone":         {`got eyJhbGciOiJIUzI1NiJ9.e30.c2ln, twice`, `got [redacted], twice`},
		"client secret":     {`{"clientId":"a","clientSecret":"x y\"z"}`, `{"clientId":"a","clientSecret":"[redacted]"}`},
		"pascal":            {`{"ClientSecret": "xyz"}`, `{"ClientSecret": "[redacted]"}`},
		"escaped":           {`body "{\"ssn\":\"123456789\",\"zip\":\"1\"}"`, `body "{\"ssn\":\"[redacted]\",\"zip\":\"1\"}"`},
		"cut":               {"{\"ssn\":\"1234\n(12 more bytes)", "{\"ssn\":\"[redacted]\"\n(12 more bytes)"},
		"form":              {"client_secret=abc%20d&grant_type=x", "client_secret=[redacted]&grant_type=x"},
		"access token":      {`{"accessToken":"opaque"}`, `{"accessToken":"[redacted]"}`},
		"ssn number":        {`{"ssn":123456789,"taxId":"123456789"}`, `{"ssn":"[redacted]","taxId":"123456789"}`},
		"ssn hyphens":       {"it was 123-45-6789.", "it was [redacted]."},
		"card":              {"4111111111111111 4000 0000 0000 3220, 3782-822463-10005", "[redacted card 1111] [redacted card 3220], [redacted card 0005]"},
		"security code":     {`{"cvv":"123"}`, `{"cvv":"[redacted]"}`},
		"not a card":        {"4111111111111112", "4111111111111112"},
		"an id":             {"44444444-4444-4444-4444-444444444444", "44444444-4444-4444-4444-444444444444"},
		"a time":            {"1774000000000000000 2026-03-01", "1774000000000000000 2026-03-01"},
		"a phone and zip":   {"+12025550123 12345-6789", "+12025550123 12345-6789"},
		"the word bearer":   {"a bearer of news", "a bearer of news"},
		"nothing":           {"", ""},
		"secret in a query": {"https://x/?password=abc#f", "https://x/?password=[redacted]"},
	} {
		require.Equal(t, c.want, redact.New().Text(c.text), name)
	}
}

// TestRedactorLooksForEveryName: the words by which it sees that a pattern may fit are those of
// all its names.
func TestRedactorLooksForEveryName(t *testing.T) {
	t.Parallel()
	for name := range strings.SplitSeq(redact.Names, "|") {
		for _, between := range []string{"", "_"} {
			name := strings.ReplaceAll(name, "_?", between)
			require.Equal(t, `{"`+name+`":"[redacted]"}`, redact.New().Text(`{"`+name+`":"x1y2"}`))
			require.Equal(t, name+"=[redacted]", redact.New().Text(name+"=x1y2"))
		}
	}
}

// TestRedactorNeverCrossesALineEnd: what one line is without its secrets does not
// depend on the next one.
func TestRedactorNeverCrossesALineEnd(t *testing.T) {
	t.Parallel()
	lines := []string{
		"Www-Authenticate: Bearer", "Content-Type: application/json", "Authorization: basic ", "Authorization: Bearer abcdefgh", "Sandbox-Exchange: 12",
		`{"ssn":`, `{"ssn":"1234`, `{"ssn":"1\`, `{"ssn"`, `:"abcdefghi",`, `"abcdefghi"}`, `\"cvv\":`, `\"abcd\"`, "password=", "abcdefghijk", "123-45-", "6789", "41111111", "11111111", "",
	}
	for _, end := range []string{"\n", "\r\n"} {
		for _, first := range lines {
			for _, second := range lines {
				r := redact.New()
				require.Equal(t, r.Text(first)+end+r.Text(second), r.Text(first+end+second), "%q and %q", first, second)
			}
		}
	}
}

func TestRedactorStrikesOutRegisteredValues(t *testing.T) {
	t.Parallel()
	r := redact.New("long secret & more", "long secret", "abc", "")
	require.Equal(t, "[redacted], [redacted], abc", r.Text("long secret & more, long secret, abc"))
	require.Equal(t, "q=[redacted]", r.Text("q=long+secret+%26+more"))
	require.Equal(t, "/[redacted]", r.Text("/long%20secret%20&%20more"))
	require.Equal(t, `{"x":"[redacted]"}`, r.Text(`{"x":"long secret \u0026 more"}`))
}

// TestNoSecretInAnyFormat puts secrets everywhere a text can be, and looks for
// them in every format.
func TestNoSecretInAnyFormat(t *testing.T) {
	t.Parallel()
	const all = "Bearer abcdefghijkl 123-45-6789 4111111111111111 " + sample.Secret
	redact := redact.New()
	c := report.NewCollector(redact)
	start := sample.Run()
	start.Target, start.Command, start.Notes = all, all, []string{all}
	c.RunStarted(start)
	at := report.ScenarioRef{File: "a.feature", Line: 1, Name: all}
	c.ScenarioStarted(report.ScenarioStart{ScenarioRef: at})
	c.StepFinished(at, report.Step{Text: all, Status: report.Failed, Error: all})
	c.ScenarioFinished(at, report.ScenarioEnd{Status: report.Failed, Error: all, Skip: all})
	c.ClauseJudged(report.ClauseResult{
		ID: "a", Area: "a", Level: "MUST", Verdict: verdict.Fail, Reason: all, Scenarios: []report.ScenarioRef{at},
		Deviation: &report.Deviation{Reason: all, Owner: all},
		Evidence:  []report.Evidence{{Expected: all, Received: all, Hint: all, Request: all, Response: all}},
	})
	end := sample.RunEnd()
	end.Reason = all
	end.Readiness = &report.Readiness{
		Sentence: all, Missing: []report.Missing{{Clause: "b", Level: "MUST", Exercise: all}}, Digests: []report.Digest{{Name: all}},
	}
	c.RunFinished(end)
	redact.Redact(sample.Secret) // known only afterwards
	for _, name := range format.Names() {
		text := string(sample.Written(t, name, c.Report()))
		for _, s := range []string{"abcdefghijkl", "123-45-6789", "4111111111111111", sample.Secret} {
			require.NotContains(t, text, s, name)
		}
		require.Contains(t, text, "redacted", name)
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	request, response := report.Excerpt(sample.Exchange())
	require.True(t, strings.HasPrefix(request, "POST /company?dry=1\nAuthorization: Bearer ey"), request)
	require.True(t, strings.HasSuffix(request, "\n\n"+string(sample.Exchange().Request.Body)))
	require.True(t, strings.HasPrefix(response, "200\nContent-Type: application/json\n\n{"))

	request, response = report.Excerpt(&tape.Exchange{Method: "PUT", Path: "/x", Request: tape.Request{Body: []byte(strings.Repeat("é", report.MaxExcerpt))}, Response: tape.Response{Body: []byte{0xff, 0xfe}}})
	require.Contains(t, request, "\n(2000 more bytes)")
	require.Less(t, len(request), report.MaxExcerpt+50)
	require.Equal(t, "(the connection was dropped)\n\n(2 bytes that are not text)", response)
}

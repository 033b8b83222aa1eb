package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/console/cases"
)

// TestTheConsoleMakesTheCase: what the console shows is what `paysandbox replay` says,
// smaller when it is asked, and each form that it offers can be downloaded.
func TestTheConsoleMakesTheCase(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../fixtures/reports/gateway-then-again/session.har")
	require.NoError(t, err)
	c, err := caseOf(t.Context(), []cases.File{{Name: "session.har", Data: raw}})
	require.NoError(t, err)
	require.Equal(t, "partner", c.Side)
	require.Equal(t, "bad", c.Tone)
	require.Len(t, c.Lines, 5)
	require.Contains(t, c.Lines[2], "partner.outcome.resolved")
	require.NotEmpty(t, c.Assumptions)
	var told strings.Builder
	for _, row := range c.Timeline {
		told.WriteString(row.Kind + " " + row.What + " " + row.Recorded + " " + row.Replayed + " " + strings.Join(row.Differs, " ") + "\n")
	}
	require.Regexp(t, `call [0-9]+ POST /Payment/Create 504 504`, told.String())
	require.Regexp(t, `call [0-9]+ POST /Payment/Create [0-9 ]+ partner: partner.outcome.resolved`, told.String())
	require.Contains(t, told.String(), "people ")
	require.NotContains(t, strings.Join(append(c.Lines, c.Notes...), "\n")+told.String(), "pat.lindgren@example.com")

	small, err := c.Minimise(t.Context())
	require.NoError(t, err)
	require.LessOrEqual(t, len(small.Timeline), len(c.Timeline))
	require.Contains(t, strings.Join(small.Notes, "\n"), "Minimised in ")
	require.Contains(t, small.Lines[2], "partner.outcome.resolved")
	require.Nil(t, small.Minimise)
	require.Equal(t, "session.har, minimised", small.Name)
	names := map[string]bool{}
	require.Len(t, small.Forms, len(writeout.Forms())+1)
	for _, form := range small.Forms {
		content, name, err := small.Write(form)
		require.NoError(t, err, form)
		require.NotEmpty(t, content, form)
		require.False(t, names[name] || name == "case", name)
		names[name] = true
	}
	content, _, err := small.Write("case")
	require.NoError(t, err)
	archive := filepath.Join(t.TempDir(), "case.zip")
	require.NoError(t, os.WriteFile(archive, content, 0o600))
	code, said := replayed(t, archive)
	require.Equal(t, 0, code, said) // as it is stored
	require.Contains(t, strings.Join(strings.Fields(said), " "), "(clause partner.outcome.resolved)")

	_, err = caseOf(t.Context(), []cases.File{{Name: "x.txt", Data: []byte("hello")}})
	require.ErrorContains(t, err, "it is in no known form")
	require.NotContains(t, err.Error(), "--as", "a page has no such flag")
}

// TestAttackAFileOfTinyCalls: a file of few bytes that holds more calls than a minute is
// enough for is refused before any is played; it says what to do.
func TestAttackAFileOfTinyCalls(t *testing.T) {
	sampling.NotRaced(t, "one after the other is read")
	t.Parallel()
	const entry = `{"request":{"method":"GET","url":"http://a.io/Company/List"},"response":{"status":200}}`
	har := func(calls int) []cases.File {
		return []cases.File{{Name: "x.har", Data: []byte(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[` + strings.Repeat(entry+",", calls-1) + entry + `]}}`)}}
	}
	_, err := caseOf(t.Context(), har(10_001))
	require.ErrorContains(t, err, "expected at most 10000 calls and webhooks, received 10001; give the part")
	c, err := caseOf(t.Context(), har(20))
	require.NoError(t, err)
	require.Greater(t, c.Bytes, int64(20*8<<10))
}

package control_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// TestNotes: a note is an entry of its own and changes nothing.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := start(t)
	const body = `{"kind":"task","text":"Create a payment.","data":{"amount":5000,"to":["Dana",null]}}`
	got := s.post("/notes", body)
	got.ok(nil)
	require.JSONEq(t, `{}`, got.Body.String())
	s.post("/notes", `{"kind":"x"}`).ok(nil)
	s.post("/notes", `{"kind":"`+strings.Repeat("-", 64)+`","text":"`+strings.Repeat("ü", 2000)+`","data":null}`).ok(nil)

	entries := s.entries()
	require.Len(t, entries, 3)
	require.Equal(t, tape.KindControl, entries[0].Kind)
	require.Equal(t, "addNote", entries[0].Exchange.Operation)
	require.JSONEq(t, body, string(entries[0].Exchange.Request.Body))
	require.Equal(t, http.StatusOK, entries[0].Exchange.Response.Status)
	require.Empty(t, entries[0].Entities)
}

// TestNotesHoldNoSecrets: an application's state may hold more than it should.
func TestNotesHoldNoSecrets(t *testing.T) {
	t.Parallel()
	s := start(t, func(_ *control.Options, o *integration.Options) { o.WebhookSecret = "whsec_7a8b9c2d" })
	s.post("/notes", `{"kind":"state","text":"sandbox-secret, sandbox-secret","data":{"ssn":"123-45-6789","a":{"k":["whsec_7a8b9c2d"]},"fulfilled":1}}`).ok(nil)
	require.JSONEq(t,
		`{"kind":"state","text":"xxxxxxx-xxxxxx, xxxxxxx-xxxxxx","data":{"ssn":"111-11-1111","a":{"k":["xxxxx_1x1x1x1x"]},"fulfilled":1}}`,
		string(s.entries()[0].Exchange.Request.Body))
}

func TestBadNotesNameAllProblems(t *testing.T) {
	t.Parallel()
	s := start(t)
	const object = `{"kind":"task","data":`
	tests := map[string]struct{ pointer, expected string }{
		`{}`:              {"/kind", "1 to 64 small letters and hyphens"},
		`{"kind":null}`:   {"/kind", "1 to 64 small letters"},
		`{"kind":"Task"}`: {"/kind", "1 to 64 small letters"},
		`{"kind":"` + strings.Repeat("a", 65) + `"}`: {"/kind", "1 to 64 small letters"},
		`{"kind":5}`: {"/kind", "a string"},
		`{"kind":"task","text":"` + strings.Repeat("ü", 2001) + `"}`: {"/text", "at most 2000 characters"},
		object + `[1]}`:           {"/data", "object"},
		object + `"x"}`:           {"/data", "object"},
		object + `{"a":1,"a":2}}`: {"/data/a", "once"},
		object + `{"a":"` + strings.Repeat("x", 64<<10) + `"}}`: {"/data", "at most 65536 bytes"},
		`{"kind":"task","more":1}`:                              {"/more", ""},
	}
	for body, want := range tests {
		p := s.post("/notes", body).problem(http.StatusBadRequest)
		require.Len(t, p.Findings, 1, clipped(body))
		require.Equal(t, want.pointer, p.Findings[0].Pointer, clipped(body))
		require.Contains(t, p.Findings[0].Expected, want.expected, clipped(body))
	}
	all := s.post("/notes", `{"kind":"T","text":"`+strings.Repeat("x", 2001)+`","data":1,"more":2}`).problem(http.StatusBadRequest)
	require.Len(t, all.Findings, 4)
	s.ask(http.MethodPost, "/_sandbox/integrations/nobody/notes", `{"kind":"task"}`).problem(http.StatusNotFound)
}

// clipped is the beginning of a long text.
func clipped(s string) string { return s[:min(len(s), 60)] }

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// commands are what a terminal would obey: a new title, colours, text that runs backwards.
const commands = "\x1b]0;owned\x07\x1b[31m\u202e\u009b2J"

// hostile is a sandbox that answers every call with commands to the terminal.
func hostile(t *testing.T, status int) string {
	t.Helper()
	moved := map[string]any{"seq": 1, "at": commands, "kind": "transition", "transition": map[string]string{"machine": commands, "from": commands, "to": commands, "reason": commands}}
	body, err := json.Marshal(map[string]any{
		"detail": commands + "d", "findings": []map[string]string{{"pointer": commands, "expected": commands}},
		"now": commands, "fired": []any{moved}, "tapeEntries": 1, "id": commands, "status": commands,
	})
	require.NoError(t, err)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		if strings.HasSuffix(r.URL.Path, "/tape") && status == http.StatusOK {
			line, _ := json.Marshal(map[string]any{"seq": 1, "at": "2026-03-02T17:00:00Z", "kind": "exchange", "exchange": map[string]any{"method": commands, "path": commands, "response": map[string]int{"status": 200}}})
			body = append([]byte(`{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}`+"\n"), line...)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestAttackTerminal: what a hostile sandbox answers, and what stands in a hostile tape,
// reaches the terminal as text alone.
func TestAttackTerminal(t *testing.T) {
	sampling.NotRaced(t, "it reads what is printed")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hostile.tape")
	header, err := json.Marshal(commands)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(`{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}
{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"method":"GET","path":"/a","request":{"header":[{"name":`+string(header)+`,"value":`+string(header)+`}]},"response":{"status":200}}}
`), 0o600))
	runs := [][]string{{"tape", "grep", "owned", file}, {"tape", "show", file}}
	recorded := filepath.Join(t.TempDir(), "hostile.jsonl")
	require.NoError(t, os.WriteFile(recorded, []byte(`{"method":"GET","url":"https://api.example.com/Payment/`+url.PathEscape(commands)+`/Status","headers":[],"status":404}
{"method":"GET","url":`+strings.Replace(string(header), `"`, `"https://evil`, 1)+`,"headers":[]}
{"method":"POST","url":"https://api.example.com/Payment/Create","headers":[{"name":"Content-Type","value":"application/json"}],"body":`+string(inJSON(t, map[string]string{commands: "aB3dE6gH9jK2mN5pQ8sT1", "amount": commands}))+`}
`), 0o600))
	runs = append(runs, []string{"scrub", recorded, "--out", filepath.Join(t.TempDir(), "clean.jsonl")}, []string{"replay", recorded}, []string{"replay", recorded, "--minimise", "--step"})
	for _, status := range []int{http.StatusOK, http.StatusConflict, http.StatusUnauthorized} {
		for _, args := range []string{"tail --once", "clock advance 1h", "clock", "snapshot list", "trigger payment.pay " + strings.Repeat("0", 8)} {
			runs = append(runs, append(strings.Fields(args), "--url", hostile(t, status)))
		}
	}
	for _, args := range runs {
		var out, told bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		run(ctx, args, func(string) (string, bool) { return "", false }, &out, &told)
		require.NoError(t, ctx.Err(), "it ends by itself: %v", args)
		cancel()
		said := out.String() + told.String()
		require.NotEmpty(t, said, args)
		for _, obeyed := range []string{"\x1b", "\x07", "\u202e", "\u009b"} {
			if strings.HasPrefix(strings.TrimSpace(out.String()), "{") && obeyed > "\x7f" {
				continue // JSON for programs, as the sandbox has sent it
			}
			require.NotContains(t, said, obeyed, args)
		}
	}
}

// inJSON is JSON as a text of JSON.
func inJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	text, err = json.Marshal(string(text))
	require.NoError(t, err)
	return text
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/format"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/tape"
)

// markup is what a page would obey.
const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>`

// command runs paysandbox and gives its exit code and what it said.
func command(t *testing.T, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var out, told bytes.Buffer
	code := run(ctx, args, func(string) (string, bool) { return "", false }, &out, &told)
	require.NoError(t, ctx.Err(), "it ends by itself: %v", args)
	return code, out.String() + told.String()
}

// judged is a report and the tape on which it rests.
func judged(t *testing.T, dir string) (report, saved string) {
	t.Helper()
	report, saved = filepath.Join(dir, "report.json"), filepath.Join(dir, "session.tape")
	meta, entries, err := tape.Read(strings.NewReader(session))
	require.NoError(t, err)
	var whole bytes.Buffer
	require.NoError(t, tape.Write(&whole, meta, slices.Values(entries)))
	require.NoError(t, os.WriteFile(saved, whole.Bytes(), 0o600))
	_, said := command(t, "observe", "--tape", saved, "--format", "json="+report)
	require.FileExists(t, report, said)
	return report, saved
}

// session is a saved tape of two calls, without the line that ends it.
const session = `{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}
{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"method":"GET","path":"/a","response":{"status":200}}}
{"seq":2,"at":"2026-03-02T17:00:01Z","kind":"exchange","exchange":{"method":"GET","path":"/a","response":{"status":200}}}
`

// TestAttackReportsAndTapes: no report and no tape that somebody sends is taken for what
// it is not, costs more than its bytes, or says anything to the terminal.
func TestAttackReportsAndTapes(t *testing.T) {
	sampling.NotRaced(t, "it takes most of a minute with it; TestAttackMarkupInAReport goes the same way")
	t.Parallel()
	dir := t.TempDir()
	report, saved := judged(t, dir)
	whole, err := os.ReadFile(report)
	require.NoError(t, err)
	code, said := command(t, "report", "verify", report, "--tape", saved)
	require.Zero(t, code, said)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for name, text := range map[string]string{
		"deep nesting":    strings.Repeat(`{"a":`, 1_000_000),
		"deep lists":      strings.Repeat("[", 1_000_000),
		"a huge number":   strings.Replace(string(whole), `"seed": 7`, `"seed": 1`+strings.Repeat("0", 100_000), 1) + " ",
		"too many bytes":  string(whole) + strings.Repeat(" ", 33<<20),
		"too many values": `{"a":[` + strings.Repeat("0,", 2_000_000) + "0]}",
		"terminal":        `{"` + commands + `":1}`,
		"nothing":         "",
		"two of them":     string(whole) + string(whole),
		"no UTF-8":        "{\"a\":\"\xff\"}",
		"no number":       `{"seed":1e999999}`,
	} {
		for _, args := range [][]string{{"verify"}, {"pack", "--out", filepath.Join(dir, "out.zip")}} {
			code, said := command(t, append([]string{"report", args[0], write("hostile.json", text), "--tape", saved}, args[1:]...)...)
			require.Equal(t, 2, code, "%s: %s", name, clip(said))
			require.Less(t, len(said), 2000, name)
			require.NotContains(t, said, "\x1b", name)
		}
	}
	tapeText, err := os.ReadFile(saved)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(tapeText), "\n")
	for name, text := range map[string]string{
		"another tape":     strings.Replace(session, `"/a"`, `"/b"`, 1),
		"a cut tape":       lines[0] + lines[1],
		"an end that lies": lines[0] + lines[1] + lines[3],
	} {
		code, said := command(t, "report", "verify", report, "--tape", write("hostile.tape", text))
		require.Equal(t, 1, code, "%s: %s", name, clip(said))
		require.Contains(t, said, "another tape", name)
	}
	for name, text := range map[string]string{
		"a long line":  `{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z","x":"` + strings.Repeat("x", 65<<20),
		"deep nesting": `{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}` + "\n" + strings.Repeat(`{"a":`, 1_000_000),
		"a number":     strings.Replace(session, `"seq":1`, `"seq":1`+strings.Repeat("0", 100_000), 1),
		"gzip":         "\x1f\x8b\x08\x00\x00\x00\x00\x00",
		"terminal":     commands,
	} {
		code, said := command(t, "report", "verify", report, "--tape", write("hostile.tape", text))
		require.Equal(t, 2, code, "%s: %s", name, clip(said))
		require.Less(t, len(said), 2000, name)
		require.NotContains(t, said, "\x1b", name)
	}
}

func clip(s string) string { return s[:min(len(s), 300)] }

// TestAttackMarkupInAReport: what stands in any text of a report is text in every format.
func TestAttackMarkupInAReport(t *testing.T) {
	sampling.NotRaced(t, "it is about what is written, and one thread writes it")
	t.Parallel()
	dir := t.TempDir()
	report, _ := judged(t, dir)
	raw, err := os.ReadFile(report)
	require.NoError(t, err)
	var whole map[string]any
	require.NoError(t, json.Unmarshal(raw, &whole))
	shown := 0
	for _, path := range texts("", whole) {
		set(whole, path, func(was string) string { return was + markup + commands })
		text, err := json.Marshal(whole)
		require.NoError(t, err)
		hostile := filepath.Join(dir, "hostile.json")
		require.NoError(t, os.WriteFile(hostile, text, 0o600))
		set(whole, path, func(was string) string { return strings.TrimSuffix(was, markup+commands) })
		for _, form := range format.Names() {
			code, said := command(t, "report", "show", hostile, "--format", form)
			if form == "html" && code == 0 {
				require.NotContains(t, said, "<script>alert", path)
				require.NotContains(t, said, "<img", path)
			}
			require.NotContains(t, said, "\x1b", "%s in %s", path, form)
			if code == 0 {
				shown++
			}
		}
	}
	require.NotZero(t, shown)
}

// texts are the places of texts in JSON, each kind of place once.
func texts(at string, v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{at}
	case map[string]any:
		for name, one := range v {
			list = append(list, texts(at+"/"+name, one)...)
		}
	case []any:
		if len(v) > 0 {
			list = texts(at+"/0", v[0])
		}
	}
	return list
}

// set changes the text at a place.
func set(v any, path string, change func(string) string) {
	name, rest, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch v := v.(type) {
	case map[string]any:
		if !more {
			v[name] = change(v[name].(string)) //nolint:forcetypeassert // texts has found it
			return
		}
		set(v[name], rest, change)
	case []any:
		if !more {
			v[0] = change(v[0].(string)) //nolint:forcetypeassert // texts has found it
			return
		}
		set(v[0], rest, change)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/clause"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
)

// update is the flag "update", which a program can declare once.
var update = sample.Update

// TestTables holds the tables of the READMEs to what they are printed from.
func TestTables(t *testing.T) {
	sampling.NotRaced(t, "it reads what is printed")
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Registry().Close)
	for _, table := range []struct{ file, name, text string }{
		{"mockserver/api/README.md", "operations", operationsTable(s)},
		{"mockserver/control/README.md", "control", controlTable(t, s)},
		{"fixtures/README.md", "testdata", strings.TrimSpace(fixtures.Markdown())},
		{"harness/README.md", "partner", clausesTable(clause.Integration())},
		{"harness/README.md", "service", clausesTable(clause.Catalogue())},
	} {
		file := "../../" + table.file
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		text := section(t, string(raw), table.name, table.text)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			continue
		}
		require.Equal(t, text, string(raw), "%s is behind the code; run `make golden`", table.file)
	}
}

// TestReadmeIsShort: whoever opens the project reads it to the end.
func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(raw), "\n"), 200)
}

// section puts a text between the two comments that carry the name.
func section(t *testing.T, doc, name, text string) string {
	t.Helper()
	begin, end := "<!-- "+name+": written by `make golden` -->\n", "<!-- /"+name+" -->"
	before, rest, found := strings.Cut(doc, begin)
	require.True(t, found, "%s is lacking", begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s is lacking", end)
	return before + begin + text + "\n" + end + after
}

// operationsTable lists the operations of the partner API.
func operationsTable(s *mockserver.Server) string {
	var b strings.Builder
	b.WriteString("| operation | | surface |\n| --- | --- | --- |\n")
	for _, op := range s.Operations() {
		what := op.Summary
		if op.AliasOf != "" {
			what = "another spelling of `" + op.AliasOf + "`"
		}
		b.WriteString("| `" + op.Method + " " + op.Path + "` | " + what + " | " + string(op.Surface) + " |\n")
	}
	return strings.TrimSpace(b.String())
}

// controlTable lists the calls of the control API, as it describes itself.
func controlTable(t *testing.T, s *mockserver.Server) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/_sandbox/openapi.json", http.NoBody))
	var doc struct {
		Paths map[string]map[string]struct {
			Summary string `json:"summary"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &doc))
	var rows []string
	for path, methods := range doc.Paths {
		short := strings.Replace(path, "/_sandbox/integrations/{integration}", "…/{i}", 1)
		for method, op := range methods {
			rows = append(rows, "| `"+short+"` | "+strings.ToUpper(method)+" | "+op.Summary+" |")
		}
	}
	slices.Sort(rows)
	require.Greater(t, len(rows), 30)
	return "| call | | does |\n| --- | --- | --- |\n" + strings.Join(rows, "\n")
}

// clausesTable lists a catalogue and counts it.
func clausesTable(list []clause.Clause) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d clauses:\n\n| clause | level | |\n| --- | --- | --- |\n", len(list))
	for _, c := range list {
		fmt.Fprintf(&b, "| `%s` | %s%s | %s |\n", c.ID, c.Level, map[bool]string{true: " where met"}[c.WhereMet], strings.ReplaceAll(c.Title, "|", "\\|"))
	}
	return strings.TrimSpace(b.String())
}

package mockserver_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const readme = "../README.md"

// TestReadmeListsWhatIsServed holds the tables of the README to the route table
// and to the test data.
func TestReadmeListsWhatIsServed(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{})
	require.NoError(t, err)
	defer s.Registry().Close()
	raw, err := os.ReadFile(readme)
	require.NoError(t, err)
	text := section(t, string(raw), "operations", operationsTable(s))
	text = section(t, text, "testdata", strings.TrimSpace(fixtures.Markdown()))
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(text), 0o600))
		return
	}
	require.Equal(t, text, string(raw), "README.md is behind the code; run `make golden`")
}

// section puts a text between the two comments that carry the name.
func section(t *testing.T, doc, name, text string) string {
	t.Helper()
	open, end := "<!-- "+name+": written by `make golden` -->\n", "<!-- /"+name+" -->"
	before, rest, found := strings.Cut(doc, open)
	require.True(t, found, "README.md lacks %s", open)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "README.md lacks %s", end)
	return before + open + text + "\n" + end + after
}

// operationsTable lists the operations as a Markdown table.
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

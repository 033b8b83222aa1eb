package read_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// TestACommandInQuotes: a command that a program has printed in quotes, with its own quotes written as signs, has its body, and what
// is told behind it is its answer.
func TestACommandInQuotes(t *testing.T) {
	t.Parallel()
	const body = `{"amount":50.5,"reference":"S-1","shortDescription":"x"}`
	command := fmt.Sprintf("%q", "curl -X POST 'https://api.pay.example/Payment/Create' -H 'Content-Type: application/json' -d '"+body+"'")
	wrapped := fmt.Sprintf("%q", "curl -X POST \"https://api.pay.example/Payment/Create\" \\\n  -H 'Content-Type: application/json' \\\n  -d '"+body+"'")
	for name, c := range map[string]struct {
		text   string
		answer string
	}{
		"within a line":         {"ticket\n\ntime=2026-03-02T17:00:04Z level=INFO cmd=" + command + " status=400\n", ""},
		"on a line of its own":  {"Repro:\n\n" + command + "\nHTTP/1.1 400 Bad Request\n\n{\"status\":400}\n", `{"status":400}`},
		"at a prompt":           {"We ran\n\n  $ " + command + "\n  400 {\"status\":400}\n", `{"status":400}`},
		"over lines":            {"We ran\n\nthis: " + wrapped + "\nanswer 400 {\"status\":400}\n", `{"status":400}`},
		"in the line of a log":  {"\n\n" + `{"time":"2026-03-02T17:00:02Z","msg":"http","curl":` + command + `,"status":400,"response":"{\"status\":400}"}` + "\n", `{"status":400}`},
		"in an object, no more": {"\n\n" + `{"msg":"http","curl":` + command + `,"status":400}`, ""},
	} {
		r := readAll(t, read.Options{}, source.File{Name: "a.txt", Data: []byte(c.text)})
		require.Len(t, r.Exchanges, 1, name)
		x := &r.Exchanges[0]
		require.Equal(t, "/Payment/Create", x.Path, name)
		require.Equal(t, body, string(x.Body), name)
		require.Equal(t, 400, x.Answer.Status, name)
		require.Equal(t, c.answer, string(x.Answer.Body), name)
		require.Equal(t, 3, x.Place.Line, name)
	}
}

package read_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// TestWhatCannotBeSentIsLeftOut, with its place: a method that a shell would carry out, an
// address or a header that goes over the end of its line.
func TestWhatCannotBeSentIsLeftOut(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"time":"2026-03-02T17:00:01Z","method":"POST","url":"https://api.example.com/Company/Create","headers":{},"body":"{}","status":200,"answer":"{}"}`,
		`{"time":"2026-03-02T17:00:02Z","method":"GET|reboot","url":"https://api.example.com/Company/List","headers":{},"status":200,"answer":"{}"}`,
		`{"time":"2026-03-02T17:00:03Z","method":"GET\nreboot","url":"https://api.example.com/Company/List","headers":{},"status":200,"answer":"{}"}`,
		`{"time":"2026-03-02T17:00:04Z","method":"GET","url":"https://api.example.com/Company/List","headers":{"X":"a\nreboot"},"status":200,"answer":"{}"}`,
		`{"time":"2026-03-02T17:00:05Z","method":"get","url":"https://api.example.com/Company/List","headers":{"X":"a"},"status":200,"answer":"{}"}`,
	}
	r, err := read.Contents([]source.File{{Name: "calls.jsonl", Data: []byte(strings.Join(lines, "\n"))}}, read.Options{})
	require.NoError(t, err)
	require.Len(t, r.Exchanges, 2)
	require.Equal(t, "GET", r.Exchanges[1].Method)
	var places []int
	for _, s := range r.Skipped {
		require.Contains(t, s.Why, "it was never sent so")
		places = append(places, s.Place.Line)
	}
	require.Equal(t, []int{2, 3, 4}, places)
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatReachesAPartnerIsCompared: a call of the operator more, and the numbers that it
// moves, are no difference; another answer, event, webhook or message is.
func TestWhatReachesAPartnerIsCompared(t *testing.T) {
	t.Parallel()
	digested := func(tape string) string {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(tape), 0o600))
		var out strings.Builder
		require.NoError(t, digest(&out, dir))
		return out.String()
	}
	const head = `{"tape":1}` + "\n"
	once := digested(head + `{"seq":1,"kind":"exchange","exchange":{"a":1}}`)
	require.Equal(t, once, digested(head+`{"seq":1,"kind":"control","exchange":{"a":2}}`+"\n"+`{"seq":2,"kind":"exchange","exchange":{"a":1}}`))
	require.NotEqual(t, once, digested(head+`{"seq":1,"kind":"exchange","exchange":{"a":2}}`))
	for _, kind := range []string{"event", "attempt", "message"} {
		require.NotEqual(t, once, digested(head+`{"seq":1,"kind":"exchange","exchange":{"a":1}}`+"\n"+`{"seq":2,"kind":"`+kind+`","`+kind+`":{"b":1}}`), kind)
	}
	require.ErrorIs(t, digest(&strings.Builder{}, t.TempDir()), errNothing)

	r := &result{byVerify: 18, seen: []site{{file: "x.go", line: 3, what: "0 becomes one more"}, {}}}
	require.Contains(t, r.visible(), "see 2 that verify does not find, so it finds 90.0 %")
	require.Contains(t, r.visible(), "x.go:3: 0 becomes one more")
}

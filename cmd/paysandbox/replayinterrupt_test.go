package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// onWord calls a function when a text is written to it.
type onWord struct {
	word string
	then func()
	said strings.Builder
}

func (w *onWord) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.word) {
		w.then()
	}
	return w.said.Write(p)
}

// TestAnInterruptedMinimise ends as what was begun and not brought to its end, not as a target that cannot be reached.
func TestAnInterruptedMinimise(t *testing.T) {
	t.Parallel()
	const file = "../../fixtures/reports/blind-zapier-charged-twice/history.json"
	none := func(string) (string, bool) { return "", false }
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	minimising := &onWord{word: "minimise: ", then: stop}
	require.Equal(t, verdict.CodeLittle, run(ctx, []string{"replay", file, "--minimise"}, none, io.Discard, minimising))
	require.Contains(t, minimising.said.String(), "--minimise was interrupted, and nothing is written of it")
}

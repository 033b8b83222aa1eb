package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// TestWhatTakesLongCanBeInterrupted: nobody waits for what is under way, and it says so.
func TestWhatTakesLongCanBeInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan struct{})
	defer close(held)
	_, err := interruptible(ctx, "scrub", func() (int, error) {
		cancel()
		<-held
		return 7, nil
	})
	require.EqualError(t, err, "scrub was interrupted, and nothing was written")
	require.Equal(t, verdict.CodeLittle, exitCode(err))

	broken := errors.New("broken")
	n, err := interruptible(t.Context(), "scrub", func() (int, error) { return 7, broken })
	require.Equal(t, 7, n)
	require.ErrorIs(t, err, broken)
}

// TestInterruptedCommandsWriteNothing: scrub leaves no file, replay no case.
func TestInterruptedCommandsWriteNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"method":"GET","url":"https://api.a.example/Company/List","status":200,"answer":{"companies":[]}}`), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"scrub", file, "--out", filepath.Join(dir, "out")}, {"replay", file, "--to", "case=" + filepath.Join(dir, "out")}} {
		var out, errs strings.Builder
		code := run(ctx, args, func(string) (string, bool) { return "", false }, &out, &errs)
		require.NotZero(t, code, args)
		require.NoFileExists(t, filepath.Join(dir, "out"))
		require.NoDirExists(t, filepath.Join(dir, "out"))
	}
}

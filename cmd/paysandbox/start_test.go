package main

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStartRunsNoOtherProgram starts the binary where a Go toolchain is near: it
// is not asked for anything, and commands are found again afterwards.
func TestStartRunsNoOtherProgram(t *testing.T) {
	t.Parallel()
	self, err := exec.LookPath("paysandbox")
	require.NoError(t, err)
	near, trace := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	toolchain := "#!/bin/sh\necho \"$@\" >>" + trace + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(near, "go"), []byte(toolchain), 0o700))
	for _, args := range [][]string{{"--version"}, {"observe", "--", "go", "on"}} {
		cmd := exec.CommandContext(t.Context(), self, args...)
		cmd.Env = append(os.Environ(), "PATH="+near)
		_ = cmd.Run() // nothing was seen: the exit code is not 0
	}
	ran, err := os.ReadFile(trace)
	require.NoError(t, err)
	require.Equal(t, "on\n", string(ran), "only what the user has asked for")

	file, err := parser.ParseFile(token.NewFileSet(), "hidego/hidego.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	require.Len(t, file.Imports, 1, "hidego is ready as soon as os is")
	require.Equal(t, `"os"`, file.Imports[0].Path.Value)
}

// TestShortTokensGuardNothing: where others can call, a token that is soon guessed is refused.
func TestShortTokensGuardNothing(t *testing.T) {
	t.Parallel()
	for flag, args := range map[string][]string{
		"--control-token": {"--control-token", "elevenchars"},
		"--read-token":    {"--control-token", "twelve-chars", "--read-token", "elevenchars"},
	} {
		code, said := command(t, append([]string{"serve", "--addr", "192.0.2.1:0"}, args...)...)
		require.Equal(t, 2, code, said)
		require.Contains(t, said, flag+": where others can call, a token of fewer than 12 characters is guessed")
	}
	_, said := command(t, "serve", "--addr", "192.0.2.1:0", "--control-token", "twelve-chars", "--read-token", "another-twelve")
	require.Contains(t, said, "cannot listen on 192.0.2.1:0", "it is not the tokens")
}

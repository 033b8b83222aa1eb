package main

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

// jobBlock is the block that TestReadmeShellJob runs.
const jobBlock = "shelljob"

// job gives the lines of that block.
func job(t *testing.T) string {
	t.Helper()
	for _, b := range blocksOf(t, "README.md", "sh") {
		if b.name == jobBlock {
			return b.text
		}
	}
	require.Fail(t, "the README has no such block", jobBlock)
	return ""
}

// block is some lines of a document, with the name that stands before them.
type block struct{ name, text string }

// blocksOf gives the blocks of a document in one language, each with the name that
// a comment before it gives.
func blocksOf(t *testing.T, file, language string) []block {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../..", file))
	require.NoError(t, err)
	var list []block
	var name string
	for rest := string(raw); rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if fence, opens := strings.CutPrefix(line, "```"); opens {
			text, after, _ := strings.Cut(rest, "```\n")
			if rest = after; fence == language {
				list = append(list, block{name, text})
			}
		}
		named, _ := strings.CutPrefix(line, "<!-- shell: ")
		name, _ = strings.CutSuffix(named, " -->")
		if name == line {
			name = ""
		}
	}
	return list
}

// TestReadmeBlocks pastes the shell lines of each README into a shell, one block
// after the other, as a newcomer would. Every call is answered well, but the one
// whose line asks for a 429.
func TestReadmeBlocks(t *testing.T) {
	sampling.NotRaced(t, "it goes by the wall clock, in processes of its own")
	t.Parallel()
	for _, file := range documents(t) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			sampling.Needs(t, "curl", "the README's lines call it")
			a := started(t)
			script := "set -e\ncurl() { command curl -w '%{stderr}status %{http_code}\\n' \"$@\"; }\n"
			for _, b := range blocksOf(t, file, "sh") {
				require.NotEmpty(t, b.name, "a block of shell lines has a name: <!-- shell: NAME -->\n%s", b.text)
				if b.name == "quickstart" {
					require.Less(t, strings.Count(b.text, "\n"), 10, "a paid payment in under ten lines")
				}
				if b.name != jobBlock {
					script += b.text
				}
			}
			var env []string
			if file == "harness/README.md" { // its lines stand in a command of observe
				env = []string{"PAYSANDBOX_CONTROL_URL=" + a.ControlURL, "PAYSANDBOX_INTEGRATION=default"}
			}
			said := pasted(t, append(env, "PAYSANDBOX_URL="+a.BaseURL), strings.ReplaceAll(script, "http://"+defaultAddr, a.BaseURL))
			for _, m := range regexp.MustCompile(`status (\d+)`).FindAllStringSubmatch(said, -1) {
				require.True(t, m[1][0] == '2' || m[1] == "429" && strings.Contains(script, "status=429"), "%s\n%s", m[0], said)
			}
			if file == "README.md" {
				for _, shown := range []string{`"status":"Paid"`, `"companies":[{"id":"`, `"referenceId":"`, "now it is", `"status": "Failed"`, "company.create"} {
					require.Contains(t, said, shown)
				}
			}
		})
	}
}

// documents are the READMEs of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var list []string
	require.NoError(t, fs.WalkDir(sampling.Tree("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(name) > 1 && name[0] == '.' {
			return fs.SkipDir
		}
		if err == nil && d.Name() == "README.md" {
			list = append(list, name)
		}
		return err
	}))
	require.Greater(t, len(list), 3)
	return list
}

// pasted runs lines in a shell, and gives all that it says.
func pasted(t *testing.T, env []string, script string) string {
	t.Helper()
	sampling.Needs(t, "curl", "what is pasted calls it")
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(filepath.Join(root, "fixtures"), filepath.Join(dir, "fixtures")))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	return string(said)
}

// TestOutsideModule builds the README's Go test in a module of its own, in both
// ways that the README names. It asks the machine's module proxy only for what a fresh
// clone has not loaded for its own build.
func TestOutsideModule(t *testing.T) {
	t.Parallel()
	sampling.NotRaced(t, "it runs the go command")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	code := blocksOf(t, "README.md", "go")
	require.Len(t, code, 1)
	replaced := blocksOf(t, "README.md", "")
	require.Len(t, replaced, 1)
	for name, how := range map[string]struct{ mod, before, flags string }{
		"replace":   {strings.ReplaceAll(replaced[0].text, "../paysandbox", root), "true", "-mod=mod"},
		"workspace": {"", "go work init . " + root, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/shop\n\ngo 1.26.0\n\n"+how.mod), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "shop_test.go"), []byte(code[0].text), 0o600))
			cmd := exec.CommandContext(t.Context(), "sh", "-c", how.before+" && go test -vet=off -v ./...")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOFLAGS="+how.flags+" "+os.Getenv("GOFLAGS"), "GOSUMDB=off", "GOWORK=")
			said, err := cmd.CombinedOutput()
			require.NoError(t, err, string(said))
			require.Contains(t, string(said), "PASS: TestThePayerIsAsked")
		})
	}
}

// TestReadmeShellJob runs the README's job for continuous integration with the
// reference application as the partner's own test suite. Everything is seen and
// holds, the gate is met, every file that the job publishes is there, and the saved
// tape says the same.
func TestReadmeShellJob(t *testing.T) {
	sampling.OnlyAll(t, "the job watches an application for most of a minute")
	sampling.NotRaced(t, "it goes by the wall clock, in processes of its own")
	t.Parallel()
	dir := t.TempDir()
	suite := "#!/bin/sh\nexec paysandbox app --quiet\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "acceptance-tests.sh"), []byte(suite), 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", job(t))
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	for name, holds := range map[string]string{
		"session.tape": `{"tape":1`, "readiness.xml": "<testsuites", "readiness.html": "<!doctype html>", "readiness.md": "Ready for production access",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Contains(t, string(text), holds, name)
	}
	live, err := savedReport(filepath.Join(dir, "readiness.json"))
	require.NoError(t, err)
	require.True(t, live.Readiness.Ready)
	for _, m := range live.Readiness.Missing {
		require.NotEqual(t, "MUST", m.Level, m.Clause)
	}
	require.Greater(t, len(live.Readiness.Attempts), 15, "trouble was made for many clauses")
	require.Contains(t, string(said), "all trouble is over")

	code, later, _ := observed(t, "--tape", filepath.Join(dir, "session.tape"))
	require.Equal(t, verdict.CodeMet, code)
	require.Equal(t, verdicts(live), verdicts(later))
	require.Equal(t, live.Readiness.Digests[0], later.Readiness.Digests[0], "it is the same tape")
	_, again, _ := observed(t, "--tape", filepath.Join(dir, "session.tape"))
	require.Equal(t, later, again, "the same tape gives the same report")
	theBooksDecide(t, filepath.Join(dir, "session.tape"))
}

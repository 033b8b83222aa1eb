package openapi_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/openapi"
)

// The tools of npm that read the description, pinned.
const (
	redocly  = "@redocly/cli@2.14.5"
	generate = "openapi-typescript@7.13.0"
	compile  = "typescript@5.9.3"
)

// run calls a tool of npm, and skips the test, loudly, where npm cannot fetch it.
func run(t *testing.T, packages []string, args ...string) (string, error) {
	t.Helper()
	npx := []string{"--yes"}
	for _, p := range packages {
		npx = append(npx, "-p", p)
	}
	if out, err := exec.CommandContext(t.Context(), "npx", append(npx, args[0], "--version")...).CombinedOutput(); err != nil {
		missing := fmt.Sprintf("NOT READ BY %s: npx %s --version fails: %v", args[0], strings.Join(append(npx, args[0]), " "), err)
		fmt.Fprintln(os.Stderr, "SKIPPED:", missing)
		t.Skipf("%s\n%s", missing, out)
	}
	out, err := exec.CommandContext(t.Context(), "npx", append(npx, args...)...).CombinedOutput()
	return string(out), err
}

// TestRedoclyFindsOnlyAmbiguousPaths: the paths that the specification itself makes
// ambiguous are all that the recommended rules find, in both descriptions.
func TestRedoclyFindsOnlyAmbiguousPaths(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "Redocly's linter comes from npm")
	service, _, _ := partner(t)
	c := control.New(control.Options{Version: "test"})
	sandbox, err := openapi.Document(c.Info(), c.Operations())
	require.NoError(t, err)
	for want, raw := range map[string][]byte{"[warning no-ambiguous-paths: 2]": service, "[]": sandbox} {
		name := filepath.Join(t.TempDir(), "openapi.json")
		require.NoError(t, os.WriteFile(name, raw, 0o600))
		out, err := run(t, []string{redocly}, "redocly", "lint", "--extends", "recommended", "--format", "summary", name)
		require.NoError(t, err, out)
		found := regexp.MustCompile(`(?m)^(?:warning|error) .*$`).FindAllString(out, -1)
		require.Equal(t, want, fmt.Sprint(found), out)
	}
}

// client uses the generated types; each line that is marked must not compile.
const client = `import type { components } from "./api";
type S = components["schemas"];
export function paid(s: S["PaymentStatus"]): boolean { return s.status === "Paid"; }
export function known(s: S["PaymentStatus"]): boolean { return s.status === "Bananas"; } // refused
export const ask: S["NewPayment"] = { amount: 100, feePayer: "ask", dueDate: null, reference: null };
export const nobody: S["NewPayment"] = { amount: 100, feePayer: "nobody" }; // refused
export const nothing: S["NewPayment"] = { amount: null }; // refused
export function fix(f: S["Finding"]): string { return f.clause + f.pointer + f.fix.trim(); }
`

// TestTypeScriptClient generates a client's types and compiles with --strict what
// uses them: what is right passes, and each mistake is found.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "the generator and the compiler come from npm")
	raw, _, _ := partner(t)
	dir := t.TempDir()
	for name, body := range map[string][]byte{"openapi.json": raw, "client.ts": []byte(client)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), body, 0o600))
	}
	tools := []string{generate, compile}
	out, err := run(t, tools, "openapi-typescript", filepath.Join(dir, "openapi.json"), "-o", filepath.Join(dir, "api.ts"))
	require.NoError(t, err, out)
	out, err = run(t, tools, "tsc", "--strict", "--noEmit", filepath.Join(dir, "client.ts"))
	require.Error(t, err, "the compiler accepts mistakes")
	var want, found []string
	for i, line := range strings.Split(client, "\n") {
		if strings.HasSuffix(line, "// refused") {
			want = append(want, fmt.Sprint(i+1))
		}
	}
	for _, m := range regexp.MustCompile(`client\.ts\((\d+),`).FindAllStringSubmatch(out, -1) {
		found = append(found, m[1])
	}
	require.Equal(t, want, found, out)
	require.NotContains(t, out, "api.ts(")
}

// TestEveryPostSaysWhetherToRepeatIt reads the descriptions of all POSTs.
func TestEveryPostSaysWhetherToRepeatIt(t *testing.T) {
	t.Parallel()
	_, d, _ := partner(t)
	for path, methods := range d.Paths {
		if post, ok := methods[strings.ToLower(http.MethodPost)]; ok {
			require.Regexp(t, `repeat`, post.Description, "%s: Again of its row says what comes of the same request sent again", path)
		}
	}
}

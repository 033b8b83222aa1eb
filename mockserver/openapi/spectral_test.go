package openapi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// spectral is the linter of OpenAPI documents, pinned.
const spectral = "@stoplight/spectral-cli@6.16.3"

// TestSpectralFindsNothing lints the document with the rules of testdata. The
// linter is fetched once and then comes from npm's cache.
func TestSpectralFindsNothing(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "the linter of the description comes from npm")
	sampling.Needs(t, "npx", "the linter of the document comes from npm")
	raw, _, _ := partner(t)
	name := filepath.Join(t.TempDir(), "openapi.json")
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	if out, err := npx(t, "--version"); err != nil {
		t.Skipf("NOT LINTED: the document was not linted because npm cannot fetch %s (npx --yes %s --version shows why): %v\n%s", spectral, spectral, err, out)
	}
	out, err := npx(t, "lint", "--ruleset", "testdata/spectral.yaml", "--fail-severity", "hint", name)
	require.NoError(t, err, "%s", out)

	require.NoError(t, os.WriteFile(name, []byte(`{"openapi":"3.1.0","paths":{}}`), 0o600))
	out, err = npx(t, "lint", "--ruleset", "testdata/spectral.yaml", name)
	require.Error(t, err, "the linter finds a document good that has no info: %s", out)
}

func npx(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "npx", append([]string{"--yes", spectral}, args...)...).CombinedOutput()
	return string(out), err
}

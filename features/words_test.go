package features_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/features"
	"paysandbox/harness/verify"
	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/mocktest"
)

// TestTheSandboxSaysWhatIsWrittenDown holds the list of sentences to the scenarios: each
// that is said stands there, and each that stands there is said.
func TestTheSandboxSaysWhatIsWrittenDown(t *testing.T) {
	const file = "../harness/verify/words/words.txt"
	sandbox := mocktest.Start(t, mocktest.Options{})
	list := words.Known()
	_, err := verify.Run(t.Context(), verify.Plan{
		Features: features.FS(), BaseURL: sandbox.URL, ControlURL: sandbox.URL, Words: list, Now: time.Now,
	})
	require.NoError(t, err)
	now := strings.Join(list.Heard(), "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(now), 0o600))
		return
	}
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.Split(string(before), "\n"), strings.Split(now, "\n"), "read what is new, then write it down: go test ./features -run Written -update")
}

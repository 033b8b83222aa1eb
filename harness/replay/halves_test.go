package replay_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
)

// TestNobodyIsBlamedForWhatCameBefore: of an innocent recording any second half is innocent,
// too: what was there before it is stood in for, and what only a stand-in gave is nobody's fault.
func TestNobodyIsBlamedForWhatCameBefore(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	names := slices.DeleteFunc(scenarioNames(t), func(name string) bool { return name == "refunds" || slices.Contains(breaking, name) })
	files := journeys(t, 1, sampling.Every(t, 6, names)...)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, err := os.ReadFile(inForm(t, s, made(t, s, []string{files[name]}, read.Options{}), "har", "a.har"))
			require.NoError(t, err)
			var har map[string]map[string]any
			require.NoError(t, json.Unmarshal(whole, &har))
			entries, _ := har["log"]["entries"].([]any)
			for _, from := range sampling.Every(t, 4, cuts(len(entries))) {
				t.Run(fmt.Sprint("from ", from+1), func(t *testing.T) {
					t.Parallel()
					half, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "creator": har["log"]["creator"], "entries": entries[from:]}})
					require.NoError(t, err)
					path := filepath.Join(t.TempDir(), "half.har")
					require.NoError(t, os.WriteFile(path, half, 0o600))
					c := made(t, s, []string{path}, read.Options{})
					require.Contains(t, []diagnose.Side{diagnose.Nobody, diagnose.Undecidable}, c.Diagnosis.Side, "%v", c.Diagnosis.Lines)
				})
			}
		})
	}
}

// cuts are where a recording of some calls is cut.
func cuts(n int) []int {
	var list []int
	for from := 1; from < n; from += max(1, n/12) {
		list = append(list, from)
	}
	return list
}

package features_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/harness/verify"
	"paysandbox/harness/verify/given"
	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/mocktest"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	full   = flag.String("given", "", "file for all that partners are given in each scenario, in full: the files of two commits can be compared")
)

// TestTheSandboxSaysWhatIsWrittenDown holds the list of sentences and the record of what
// is given to the scenarios: what is said and given stands there, and, when all are played, nothing else does.
func TestTheSandboxSaysWhatIsWrittenDown(t *testing.T) {
	sampling.NotRaced(t, "the suite is played with it by TestFeatures, and verify's own tests run with both lists")
	const home = "../harness/verify/"
	sandbox := mocktest.Start(t, mocktest.Options{})
	step := 1
	if !*update && *full == "" {
		step = sampling.Step(t, 8)
	}
	list, record := words.Known(), given.Known()
	r, err := verify.Run(t.Context(), verify.Plan{
		Features: part(t, step), BaseURL: sandbox.URL, ControlURL: sandbox.URL, Words: list, Given: record, Seed: given.Seed, Now: time.Now,
	})
	require.NoError(t, err)
	if *full != "" {
		require.NoError(t, os.WriteFile(*full, []byte(record.Full()), 0o600))
	}
	for file, now := range map[string]string{
		"words/words.txt": strings.Join(list.Heard(), "\n") + "\n", "words/words.sum": words.Sums(list.Heard()), "given/given.txt": record.Text(),
	} {
		if *update {
			require.NoError(t, os.WriteFile(home+file, []byte(now), 0o600))
			continue
		}
		before, err := os.ReadFile(home + file)
		require.NoError(t, err)
		if step > 1 {
			require.Subset(t, strings.Split(string(before), "\n"), strings.Split(now, "\n"), "%s: make check plays all", file)
			continue
		}
		require.Equal(t, strings.Split(string(before), "\n"), strings.Split(now, "\n"), "%s\n\nRead what is new, then write it down: go test ./features -run Written -update\n"+
			"To see what it was: the same with -given FILE, here and at the commit before, then diff.", r.Reason)
	}
}

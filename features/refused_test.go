package features_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	messages "github.com/cucumber/messages/go/v21"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/clause"
	"paysandbox/mockserver/latitude"
)

// TestWhatIsRefusedOnNobodysWord holds a sentence of README.md: what breaks only a
// documented or assumed rule is accepted with a warning, but for the rules of
// refused.yaml, which says of each what could not be done otherwise. The scenarios tell
// which rules refuse without --strict and without another choice of the ledger; they
// are played against the sandbox by TestFeatures.
func TestWhatIsRefusedOnNobodysWord(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("refused.yaml")
	require.NoError(t, err)
	var list map[string][]string
	require.NoError(t, yaml.Unmarshal(raw, &list))
	var told []string
	for _, ids := range list {
		told = append(told, ids...)
	}
	refused := map[string]bool{}
	for _, p := range pickles(t) {
		if !refuses(p) {
			continue
		}
		for _, tag := range p.Tags {
			id, isClause := strings.CutPrefix(tag.Name, "@clause:")
			if c, known := clause.Lookup(id); isClause && known && c.Source.Kind != clause.Spec {
				refused[id] = true
			}
		}
	}
	require.Greater(t, len(refused), 50)
	var found []string
	for id := range refused {
		found = append(found, id)
	}
	slices.Sort(found)
	slices.Sort(told)
	require.Equal(t, found, told)
}

// refuses says whether a scenario sees a refusal for what a request says, under the
// defaults.
func refuses(p *messages.Pickle) bool {
	for _, e := range latitude.Ledger() {
		for _, a := range e.Choices[1:] {
			if tagged(p, "@choice:"+a.Choice.String()) {
				return false
			}
		}
	}
	last := false
	for _, s := range p.Steps {
		if s.Text == "a strict integration" || strings.HasPrefix(s.Text, "the service's choice of ") {
			return false
		}
		last = last || strings.HasPrefix(s.Text, "the call is refused because of ")
	}
	return last
}

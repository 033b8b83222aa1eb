package world_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMachinesAreDrawn compares doc.md with the tables.
func TestMachinesAreDrawn(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# State machines\n\nPrinted from the tables by `make golden`; an event behind a slash is sent to webhooks.\n")
	for _, m := range world.Machines() {
		b.WriteString("\n## " + m.Name + "\n\n```mermaid\n" + m.Mermaid() + "```\n")
	}
	if *update {
		require.NoError(t, os.WriteFile("doc.md", []byte(b.String()), 0o600))
	}
	drawn, err := os.ReadFile("doc.md")
	require.NoError(t, err)
	require.Equal(t, b.String(), string(drawn), "doc.md is not what the tables say; run `make golden`")
}

// TestTablesAreSound walks every machine: each state can be reached, no pair of
// state and event stands twice, and every name is used.
func TestTablesAreSound(t *testing.T) {
	t.Parallel()
	for _, m := range world.Machines() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "", m.States[0])
			reached := map[kernel.State]bool{0: true}
			pairs := map[string]bool{}
			for range m.States {
				for _, mv := range m.Moves {
					if reached[mv.From] {
						reached[mv.To] = true
					}
				}
			}
			for _, mv := range m.Moves {
				require.Less(t, int(mv.From), len(m.States))
				require.NotZero(t, mv.To)
				key := m.States[mv.From] + "|" + mv.Event
				require.False(t, pairs[key], "%s is declared twice", key)
				pairs[key] = true
			}
			for s := range m.States {
				require.True(t, reached[kernel.State(s)], "%s cannot be reached", m.States[s])
			}
		})
	}
}

// TestFindAgreesWithTheTable walks the whole matrix of states and events.
func TestFindAgreesWithTheTable(t *testing.T) {
	t.Parallel()
	for _, m := range world.Machines() {
		for s := range m.States {
			legal := m.Legal(kernel.State(s))
			for _, event := range append(m.Events(), "no-such-event") {
				mv, ok := m.Find(kernel.State(s), event)
				require.Equal(t, contains(legal, event), ok, "%s: %s in %q", m.Name, event, m.States[s])
				if ok {
					require.Equal(t, kernel.State(s), mv.From)
				}
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

package world_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
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

// TestEveryMachineIsListed: a machine that is declared and not listed would be drawn
// nowhere, and its events sent to nobody.
func TestEveryMachineIsListed(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, m := range world.Machines() {
		listed[m.Name] = true
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	declared := regexp.MustCompile(`var (\w+) = kernel\.Machine\{\n\tName:\s+"([^"]+)"`)
	shown, err := os.ReadFile("entitytables.go")
	require.NoError(t, err)
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			require.True(t, listed[m[2]], "%s of %s is not listed by Machines in machines.go", m[1], file)
			if m[1] == "PaymentMachine" || m[1] == "SavedCardChargeMachine" {
				m[1] = "(*World).machineOf" // which chooses between them
			}
			require.Contains(t, string(shown), m[1], "no row of entitytables.go has %s: nobody could look at what it moves", m[1])
			n++
		}
	}
	require.Equal(t, len(world.Machines())-len(delivery.Machines()), n, "the machines that are declared are found")
}

// TestEveryPageIsKnown: a page whose kind the world does not know would take everybody
// who opens it for a stranger, and its link would never expire.
func TestEveryPageIsKnown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("page.go")
	require.NoError(t, err)
	kinds := regexp.MustCompile(`(?m)^\tPage\w+\s+= "([^"]+)"$`).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, kinds)
	for _, kind := range kinds {
		if kind[1] != world.PageBankLink && kind[1] != world.PagePortal {
			require.Contains(t, world.PagesOfEntities(), kind[1], "no row of entitytables.go has this page")
		}
	}
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

// everyStep tries the events of a machine in each of its states: each moves where the
// table says, and is told by its name, or is refused without a trace. in gives a world
// with an entity in that state, what moves it, and what reads its state.
func everyStep(t *testing.T, m *kernel.Machine, events []string, in func(from string) (w *world.World, move func(event string) error, state func() string)) {
	t.Helper()
	for _, from := range m.States[1:] {
		for _, event := range events {
			w, move, state := in(from)
			w.Take()
			err := move(event)
			s, _ := m.StateNamed(from)
			mv, legal := m.Find(s, event)
			if !legal {
				refused(t, w, err, m.Name, from, event)
				require.Equal(t, from, state())
				continue
			}
			require.NoError(t, err, "%s in %s", event, from)
			require.Equal(t, m.States[mv.To], state())
			records, _ := w.Take()
			require.True(t, slices.ContainsFunc(records, func(r kernel.Record) bool { return r.Event == event }), "%s in %s", event, from)
		}
	}
}

// refused requires an illegal transition that left no trace.
func refused(t *testing.T, w *world.World, err error, machine, state, event string) {
	t.Helper()
	var e *kernel.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, kernel.IllegalTransition, e.Code)
	require.Equal(t, []string{machine, state, event}, []string{e.Machine, e.State, e.Event})
	records, effects := w.Take()
	require.Empty(t, records)
	require.Empty(t, effects)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

package diagram_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/diagram"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

var update = flag.Bool("update", false, "rewrite the golden files; it needs Graphviz (dot)")

// TestLayoutsAreOfTheTables holds the layout to the declared machines, both ways. To
// lay it out again takes Graphviz, and only then.
func TestLayoutsAreOfTheTables(t *testing.T) {
	t.Parallel()
	if *update {
		var lines []string
		for _, m := range world.Machines() {
			text, err := json.Marshal(layOut(t, m))
			require.NoError(t, err)
			lines = append(lines, string(text))
		}
		require.NoError(t, os.WriteFile("layout.json", []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o600))
		return
	}
	var names []string
	for _, m := range world.Machines() {
		names = append(names, m.Name)
		l, ok := diagram.Of(m.Name)
		require.True(t, ok, "%s has no layout; run `make golden` where Graphviz is installed", m.Name)
		var states, moves []string
		for _, n := range l.Nodes {
			states = append(states, n.State)
		}
		require.ElementsMatch(t, m.States, states, m.Name)
		for _, e := range l.Edges {
			for _, event := range e.Events {
				moves = append(moves, e.From+"|"+event+"|"+e.To)
			}
			require.NotEmpty(t, e.Points)
			require.Equal(t, 1, len(e.Points)%3, "a spline")
		}
		var declared []string
		for _, mv := range m.Moves {
			declared = append(declared, m.States[mv.From]+"|"+mv.Event+"|"+m.States[mv.To])
		}
		require.ElementsMatch(t, declared, moves, m.Name)
	}
	require.ElementsMatch(t, names, diagram.Names())
}

// layOut asks Graphviz.
func layOut(t *testing.T, m *kernel.Machine) diagram.Layout {
	t.Helper()
	var dot strings.Builder
	dot.WriteString("digraph { rankdir=LR; nodesep=0.3; ranksep=0.45; node [shape=box, fontname=Helvetica, fontsize=12, height=0.5, margin=\"0.12,0.05\"]; edge [fontname=Helvetica, fontsize=10];\n")
	for n, state := range m.States {
		if n == 0 {
			dot.WriteString("n0 [label=\"\", shape=circle, width=0.18, height=0.18, fixedsize=true];\n")
			continue
		}
		fmt.Fprintf(&dot, "n%d [label=%q, width=1.05];\n", n, state)
	}
	type pair struct{ from, to kernel.State }
	events := map[pair][]string{}
	var order []pair
	for _, mv := range m.Moves {
		p := pair{mv.From, mv.To}
		if events[p] == nil {
			order = append(order, p)
		}
		events[p] = append(events[p], mv.Event)
	}
	for _, p := range order {
		fmt.Fprintf(&dot, "n%d -> n%d [label=%q];\n", p.from, p.to, strings.Join(events[p], "\n"))
	}
	dot.WriteString("}\n")
	cmd := exec.CommandContext(t.Context(), "dot", "-Tplain")
	cmd.Stdin = strings.NewReader(dot.String())
	out, err := cmd.Output()
	require.NoError(t, err, "Graphviz lays machines out: install it to run -update")
	l := diagram.Layout{Name: m.Name}
	for _, line := range bytes.Split(out, []byte("\n")) {
		words := strings.Fields(string(line))
		if len(words) == 0 {
			continue
		}
		at := func(n int) float64 {
			f, err := strconv.ParseFloat(words[n], 64)
			require.NoError(t, err)
			return float64(int(f*720+0.5)) / 10
		}
		state := func(n int) int {
			s, err := strconv.Atoi(strings.TrimPrefix(words[n], "n"))
			require.NoError(t, err)
			return s
		}
		switch words[0] {
		case "graph":
			l.Width, l.Height = at(2), at(3)
		case "node":
			l.Nodes = append(l.Nodes, diagram.Node{State: m.States[state(1)], X: at(2), Y: l.Height - at(3), W: at(4), H: at(5)})
		case "edge":
			from, to := state(1), state(2)
			e := diagram.Edge{From: m.States[from], To: m.States[to], Events: slices.Clone(events[pair{kernel.State(from), kernel.State(to)}])}
			n, err := strconv.Atoi(words[3])
			require.NoError(t, err)
			for k := range n {
				e.Points = append(e.Points, [2]float64{at(4 + 2*k), round(l.Height - at(5+2*k))})
			}
			// the label's words stand between, and its place before style and colour
			e.LX, e.LY = at(len(words)-4), round(l.Height-at(len(words)-3))
			l.Edges = append(l.Edges, e)
		}
	}
	return l
}

func round(f float64) float64 { return float64(int(f*10+0.5)) / 10 }

func TestDraw(t *testing.T) {
	t.Parallel()
	p, ok := diagram.Draw("payment", "Processing", []diagram.Step{{"", "Pending", "create", "10:00"}, {"Pending", "Processing", "approve", "10:01"}}, []string{"pay", "fail"})
	require.True(t, ok)
	classes := map[string]string{}
	for _, n := range p.Nodes {
		classes[n.State] = n.Class
	}
	require.Equal(t, "been", classes["Pending"])
	require.Equal(t, "now", classes["Processing"])
	require.Equal(t, "never", classes["Paid"])
	require.Equal(t, "start", classes[""])
	count := map[string]int{}
	for _, e := range p.Edges {
		count[e.Class]++
		require.Regexp(t, `^M[-0-9.]+,[-0-9.]+ C`, e.Path)
	}
	require.Equal(t, 2, count["been"])
	require.Equal(t, 2, count["next"])
	require.Contains(t, p.Says, "It is Processing. It has been Pending, then Processing. It admits pay, fail.")
	_, ok = diagram.Draw("nothing", "", nil, nil)
	require.False(t, ok)
}

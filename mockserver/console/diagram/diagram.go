// Package diagram draws state machines: where states and steps lie was laid out by
// Graphviz when the goldens were made, and is embedded; what an entity has visited,
// where it stands and what it may do next is marked when it is drawn.
//
// It owns the layout. It must not know pages, and asks nobody for machines: who
// draws says what was visited.
package diagram

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed layout.json
var layoutFile []byte

// Layout is where the parts of one machine lie, in points from the upper left.
type Layout struct {
	Name          string  `json:"name"`
	Width, Height float64 `json:",omitempty"`
	Nodes         []Node  `json:"nodes"`
	Edges         []Edge  `json:"edges"`
}

// Node is a state; the one without a name is where everything begins.
type Node struct {
	State      string
	X, Y, W, H float64
}

// Edge is what leads from one state to another, by any of some events.
type Edge struct {
	From, To string
	Events   []string
	// Points are a spline: a start, and then three points for each part.
	Points [][2]float64
	// LX and LY are where its label stands.
	LX, LY float64
}

// layouts are the machines by name, read when the first one is drawn.
var layouts = sync.OnceValue(func() map[string]Layout {
	var list []Layout
	if err := json.Unmarshal(layoutFile, &list); err != nil {
		panic("diagram: " + err.Error())
	}
	all := map[string]Layout{}
	for _, l := range list {
		all[l.Name] = l
	}
	return all
})

// Step is a step that an entity has taken.
type Step struct {
	From, To, Event string
	// At is when, as it is shown.
	At string
}

// Picture is a machine as it is drawn for one entity.
type Picture struct {
	Name          string
	Width, Height string
	// Says tells the picture in words.
	Says  string
	Nodes []Shape
	Edges []Line
}

// Shape is a state that is drawn. Class says how it stands: now, been or never.
type Shape struct {
	State, Class, At    string
	X, Y, W, H, TX, TY  string
	AtY, StartX, StartY string
	Start               bool
}

// Line is a step that is drawn. Class says how: been, next or never.
type Line struct {
	Class, Path string
	Labels      []Label
}

// Label is a line of text beside a step.
type Label struct{ X, Y, Text string }

// lineHeight is how far apart the lines of a label are.
const lineHeight = 12

// Draw draws a machine; false when there is no layout of it. next are the events
// that the state now admits.
func Draw(machine, now string, steps []Step, next []string) (Picture, bool) {
	l, ok := layouts()[machine]
	if !ok {
		return Picture{}, false
	}
	p := Picture{Name: machine, Width: number(l.Width), Height: number(l.Height), Says: says(machine, now, steps, next)}
	for _, n := range l.Nodes {
		p.Nodes = append(p.Nodes, shape(n, now, steps))
	}
	for _, e := range l.Edges {
		p.Edges = append(p.Edges, line(e, now, steps, next))
	}
	return p, true
}

func says(machine, now string, steps []Step, next []string) string {
	text := "The machine of a " + strings.ReplaceAll(machine, "-", " ") + ". It is " + now + "."
	if len(steps) > 0 {
		var way []string
		for _, s := range steps {
			way = append(way, s.To)
		}
		text += " It has been " + strings.Join(way, ", then ") + "."
	}
	if len(next) > 0 {
		text += " It admits " + strings.Join(next, ", ") + "."
	}
	return text
}

func shape(n Node, now string, steps []Step) Shape {
	s := Shape{
		State: n.State, Class: "never", X: number(n.X - n.W/2), Y: number(n.Y - n.H/2), W: number(n.W), H: number(n.H),
		TX: number(n.X), TY: number(n.Y + 4), Start: n.State == "", StartX: number(n.X), StartY: number(n.Y),
	}
	for _, step := range steps {
		if step.To == n.State {
			s.Class, s.At = "been", step.At
		}
	}
	if s.At != "" {
		s.TY, s.AtY = number(n.Y-1), number(n.Y+11)
	}
	if n.State == now {
		s.Class = "now"
	}
	if s.Start {
		s.Class = "start"
	}
	return s
}

func line(e Edge, now string, steps []Step, next []string) Line {
	l := Line{Class: "never", Path: path(e.Points)}
	if e.From == now && slices.ContainsFunc(e.Events, func(event string) bool { return slices.Contains(next, event) }) {
		l.Class = "next"
	}
	if slices.ContainsFunc(steps, func(s Step) bool {
		return s.From == e.From && s.To == e.To && slices.Contains(e.Events, s.Event)
	}) {
		l.Class = "been"
	}
	top := e.LY - float64(len(e.Events)-1)*lineHeight/2 + 4
	for n, event := range e.Events {
		l.Labels = append(l.Labels, Label{number(e.LX), number(top + float64(n)*lineHeight), event})
	}
	return l
}

// path writes a spline.
func path(points [][2]float64) string {
	var b strings.Builder
	for n, p := range points {
		switch n {
		case 0:
			b.WriteString("M")
		case 1:
			b.WriteString(" C")
		default:
			b.WriteString(" ")
		}
		b.WriteString(number(p[0]) + "," + number(p[1]))
	}
	return b.String()
}

// number writes a length with one decimal at most.
func number(f float64) string { return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0") }

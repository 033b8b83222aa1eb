package tree

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// Read reads the calls of a file, and the webhooks.
func Read(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "tree")
	text := variable().ReplaceAll(f.Text(), []byte("{{$1}}"))
	roots, lines, err := parse(text)
	at := map[uintptr]int{}
	for i := range roots {
		roots[i] = plain(rowed(roots[i], 0), 0)
		timeSteps(roots[i], 32)
		if v, ok := roots[i].(map[string]any); ok && len(lines) > 0 {
			at[reflect.ValueOf(v).Pointer()] = lines[i]
		}
	}
	hooks := &catcher{part: p, runs: map[int][]map[string]any{}}
	for _, root := range joined(gathered(roots)) {
		(&finder{part: p, counts: map[uintptr]int{}, line: lineIn(root, at)}).find(root)
		hooks.find(root, nil, 32)
	}
	caught(p.Received, hooks.runs)
	if len(p.Received) == 0 && len(p.Exchanges) > 0 {
		events(p, text, lines)
		if len(roots) == 1 {
			exported(p, roots[0], nested)
		}
	}
	if len(p.Exchanges)+len(p.Received) == 0 {
		if err == nil {
			err = errors.New("no call stands in it")
		}
		return nil, &source.Error{File: f.Name, Format: "tree", Err: err, Expected: "objects in which a method, an address, and what was answered have names"}
	}
	if err != nil {
		p.Skip(p.Entry(len(p.Exchanges)+1), "what follows cannot be read: "+err.Error())
	}
	return p, nil
}

// lineIn is the line that an object, or the first part of a joined one, begins in; 0 where that is not known.
func lineIn(root any, at map[uintptr]int) int {
	v, ok := root.(map[string]any)
	if !ok {
		return 0
	}
	if sent, ok := v["request part"].(map[string]any); ok {
		v = sent
	}
	return at[reflect.ValueOf(v).Pointer()]
}

// events adds the webhooks that lines hold which are an object each and no call.
func events(p *source.Part, text []byte, lines []int) {
	rows := bytes.Split(text, []byte("\n"))
	for _, n := range lines {
		row := bytes.TrimSpace(rows[n-1])
		if w := source.EventWithin(row); w.Body != nil && !p.Full(p.Line(n)) {
			w.Place, w.Reprinted = p.Line(n), bytes.Contains(row, w.Body) // as the logger writes an object
			p.Received = append(p.Received, w)
		}
	}
}

// nested is how deep in an export its list of records may stand.
const nested = 4

// exported adds the webhooks that the records of an export hold, which are a list, perhaps within an object.
func exported(p *source.Part, v any, deep int) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if deep > 0 {
				exported(p, v[name], deep-1)
			}
		}
	case []any:
		for _, one := range v {
			place := p.Entry(len(p.Received) + 1)
			if w := source.EventWithin(source.Encoded(one)); w.Body != nil && !p.Full(place) {
				w.Place = place
				p.Received = append(p.Received, w)
			}
		}
	}
}

// finder finds calls; it counts those of an object once.
type finder struct {
	part   *source.Part
	counts map[uintptr]int
	// line is where the object begins in which it looks, 0 where that is not known.
	line int
}

// place is that of the next call.
func (f *finder) place() recording.Place {
	if f.line > 0 {
		return f.part.Line(f.line)
	}
	return f.part.Entry(len(f.part.Exchanges) + 1)
}

// find adds the calls of a branch. Where one call alone stands in it, a branch may show more
// of it than the branches below: the largest such one is the call.
func (f *finder) find(v any) {
	p := f.part
	switch calls := f.cores(v); {
	case calls == 0 || p.Full(f.place()):
		return
	case calls == 1 || calls <= maxTold && oneCall(v):
		if branch, isMap := v.(map[string]any); isMap {
			if c, ok := callOf(branch); ok {
				c.Place = f.place()
				p.Call(c)
				return
			}
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f.find(v[name])
		}
	case []any:
		for _, one := range joined(v) {
			f.find(one)
		}
	}
}

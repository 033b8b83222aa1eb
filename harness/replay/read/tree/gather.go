package tree

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// gathered puts together the objects of a log that tell of one call in more than two: what was sent, that it was, and what was
// answered. They share an id, and one of them alone names a call that is not answered.
func gathered(list []any) []any {
	g := gathering{list: list, taken: map[int]bool{}, whole: map[int]any{}}
	groups, first := byID(list)
	for _, key := range first {
		if group := groups[key]; len(group) > 2 && !slices.ContainsFunc(group, func(i int) bool { return g.taken[i] }) {
			g.gather(group)
		}
	}
	if len(g.whole) == 0 {
		return list
	}
	var made []any
	for i, one := range list {
		if w := g.whole[i]; w != nil {
			one = w
		} else if g.taken[i] {
			continue
		}
		made = append(made, one)
	}
	return made
}

// byID are the places of the objects that have an id, by it, and the ids in the order in which they come.
func byID(list []any) (groups map[string][]int, first []string) {
	groups = map[string][]int{}
	for i, one := range list {
		v, _ := one.(map[string]any)
		for _, l := range leaves(v, nil, nil) {
			if n := len(l.way); n == 0 || n > 2 || len(scalar(l.v)) < 6 || !slices.ContainsFunc(l.way, isID) {
				continue
			}
			key := fmt.Sprint(bothSides(l.way), scalar(l.v))
			if groups[key] == nil {
				first = append(first, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	return groups, first
}

// gathering are the objects that were put together: those taken, and what was made of them by its place.
type gathering struct {
	list  []any
	taken map[int]bool
	whole map[int]any
}

// open is the one object of a group that names a call of the service which is not answered, -1 where there is none or another.
func (g *gathering) open(group []int) (at int, sent recording.Exchange) {
	at = -1
	for _, i := range group {
		v, _ := g.list[i].(map[string]any)
		x, is := callOf(v)
		if !is || x.Answer.Known != recording.NotRecorded {
			continue
		}
		if _, ours := source.BasePath(x.Path); at >= 0 || !ours || len(x.Body) > 0 {
			return -1, x
		}
		at, sent = i, x
	}
	return at, sent
}

// sideOf says of an object of a group whose it is: the "request" before the call is made, the "response" behind it, "" for what
// tells of neither, and "another" call's, which makes a group none.
func (g *gathering) sideOf(i, at int, path string) string {
	v, _ := g.list[i].(map[string]any)
	all := leaves(v, nil, nil)
	x, names := callOf(v)
	answers := statusOf(all) > 0 || lost(all)
	switch {
	case i == at || !answers && !hasBody(all) || i < at && (answers || names):
		return ""
	case i < at:
		return "request"
	case names && !strings.HasSuffix(path, x.Path):
		return "another"
	default:
		return "response"
	}
}

// gather makes one object of those of a group that tell of its call, in the place of that which names it.
func (g *gathering) gather(group []int) {
	at, sent := g.open(group)
	if at < 0 {
		return
	}
	sides, parts := map[string][]int{}, []int{at}
	for _, i := range group {
		if side := g.sideOf(i, at, sent.Path); side != "" {
			sides[side] = append(sides[side], i)
			parts = append(parts, i)
		}
	}
	if len(parts) < 3 || sides["response"] == nil || sides["another"] != nil {
		return
	}
	for _, i := range parts {
		g.taken[i] = true
	}
	g.whole[at] = map[string]any{"request part": g.filled(at, sides["request"]), "response part": g.filled(sides["response"][0], sides["response"][1:])}
}

// filled is an object with the members of others that it does not have.
func (g *gathering) filled(at int, others []int) any {
	one, _ := g.list[at].(map[string]any)
	for _, i := range others {
		from, _ := g.list[i].(map[string]any)
		for name, value := range from {
			if _, known := one[name]; !known {
				one[name] = value
			}
		}
	}
	return one
}

// hasBody says whether an object has a member that is called a body, and is an object or a text of one.
func hasBody(all []leaf) bool {
	return slices.ContainsFunc(all, func(l leaf) bool {
		n := len(l.way)
		return n > 0 && l.way[n-1] == "body" && strings.HasPrefix(strings.TrimSpace(string(content(l.v))), "{")
	})
}

package verdict

import (
	"fmt"
	"slices"
	"strings"
)

// Some names a few of many.
func Some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// Blamed is the clause that a judgement counts against: the one that it names, else
// the first of those judged together that is also among own, else the first of
// them, else the first of own; empty where there is none at all.
func Blamed(named string, judged, own []string) string {
	if named != "" {
		return named
	}
	if at := slices.IndexFunc(judged, func(id string) bool { return slices.Contains(own, id) }); at >= 0 {
		return judged[at]
	}
	for _, id := range slices.Concat(judged, own) {
		return id
	}
	return ""
}

package readiness

import (
	"cmp"
	"maps"
	"slices"
)

// Point is one verdict of several.
type Point struct {
	// UpTo is the entry up to which a tape was judged; 0 for a stored report.
	UpTo       uint64
	Word, Tone string
	// Passed is how many clauses passed, and Blocks how many must be mended.
	Passed, Blocks int
	// Changed are the clauses that came to another verdict than the time before, what is
	// bad now first, and More how many of them are not named.
	Changed []Change
	More    int
}

// Change is a clause with another verdict than the time before.
type Change struct{ Clause, Title, Was, Word, Tone string }

// notJudged is the verdict of a clause that a report does not name.
const notJudged = "not judged"

// maxTrend bounds the verdicts of a trend, maxChanged what is named of their differences.
const (
	maxTrend   = 12
	maxChanged = 12
)

// PointOf is a verdict in a trend, with what differs from the one before; nil, or one
// without clauses, for the first.
func PointOf(v, before *Verdict) Point {
	p := Point{Word: v.Word, Tone: v.Tone}
	was := map[string]Clause{}
	if before != nil {
		for _, c := range before.Clauses {
			was[c.ID] = c
		}
	}
	first := len(was) == 0
	for _, c := range v.Clauses {
		if c.Tone == "good" {
			p.Passed++
		}
		if c.Blocks {
			p.Blocks++
		}
		if old := was[c.ID]; old.Word != c.Word && !first {
			p.Changed = append(p.Changed, Change{c.ID, c.Title, cmp.Or(old.Word, notJudged), c.Word, c.Tone})
		}
		delete(was, c.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(was)) { // nothing is said of them now
		p.Changed = append(p.Changed, Change{id, was[id].Title, was[id].Word, notJudged, "warn"})
	}
	slices.SortStableFunc(p.Changed, func(a, b Change) int { return cmp.Compare(Rank(a.Tone), Rank(b.Tone)) })
	if p.More = len(p.Changed) - maxChanged; p.More > 0 {
		p.Changed = p.Changed[:maxChanged]
	}
	p.More = max(0, p.More)
	return p
}

// Rank orders tones, the worst first.
func Rank(tone string) int { return slices.Index([]string{"good", "plain", "warn", "bad"}, tone) * -1 }

// Follow is a trend with one more verdict, which takes the place of the last one where
// nothing differs. The trend itself stays as it is: a page may be reading it.
func Follow(trend []Point, p Point) []Point {
	trend = slices.Clone(trend)
	if n := len(trend); n > 0 && len(p.Changed) == 0 && trend[n-1].Word == p.Word {
		trend[n-1].UpTo = p.UpTo
		return trend
	}
	trend = append(trend, p)
	return trend[max(0, len(trend)-maxTrend):]
}

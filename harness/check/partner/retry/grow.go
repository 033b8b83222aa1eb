package retry

import (
	"fmt"
	"math"
	"slices"
)

// growth is how many times as long as the first the second pause of a sane client is, at
// least, but for what chance takes from both: any share of them, the same of each.
const growth = 1.5

// rare is the chance that one of the two tests below blames such a client.
const rare = 5e-6

// standStill says of pauses that lie too near to each other to have grown, or that begin
// with one far longer than all that follow, what was expected; empty when they may have.
func standStill(rows map[string][][]pause) (expected, received string) {
	const want = "growing pauses between the repetitions"
	groups := grouped(rows)
	for _, group := range groups {
		if all := slices.Concat(group...); len(all) > 0 && level(group) < rare/float64(len(groups)) {
			return want, fmt.Sprintf("%d pauses %s, the first of each row among them", len(all), between(all))
		}
	}
	long, fallen, chance := 0, 0, 1.0
	for _, r := range groups[0] {
		if len(r) < 2 {
			continue
		}
		if long++; falls(r) {
			fallen++
			chance *= math.Pow(1.0/deep/growth, float64(len(r)-1)) / float64(len(r))
		}
	}
	if fallen > 0 && chance*choices(long, fallen) < rare {
		return want, fmt.Sprintf("in %d of %d rows of repetitions all pauses are shorter than a twelfth of the first", fallen, long)
	}
	return "", ""
}

// deep is how many times as long as all others the first pause of a row is that has fallen.
const deep = 12

func falls(row []pause) bool {
	return !slices.ContainsFunc(row[1:], func(p pause) bool { return deep*p.length > row[0].length })
}

// level is at most the chance by which pauses that grow at least once, and then may have
// reached their longest, all lie as near to each other as these. How much of them is left
// to chance is not known: it is what makes that likeliest.
func level(rows [][]pause) float64 {
	first, later := 0, -1 // without the shortest, which may be any
	low, high := math.MaxFloat64, 0.0
	for _, r := range rows {
		first, later = first+min(1, len(r)), later+max(0, len(r)-1)
		for _, p := range r {
			low, high = min(low, float64(p.length)), max(high, float64(p.length))
		}
	}
	const few, step = 6, 0.02
	if later < 1 || first+later+1 < few || low <= 0 || high/low >= growth {
		return 1
	}
	best := 0.0
	for share := step; share < 1+step/2; share += step {
		for from := growth * (1 - share); from <= 1; from += step {
			chance := math.Pow(lies(from, high/low, 1, share), float64(first)) * math.Pow(lies(from, high/low, growth, share), float64(later))
			best = max(best, chance)
		}
	}
	return best * float64(first+later+1)
}

// lies is the chance by which a pause of some length, of which a share is left to chance,
// lies between from and so many times as much.
func lies(from, times, length, share float64) float64 {
	return max(0, min(length, from*times)-max(length*(1-share), from)) / (length * share)
}

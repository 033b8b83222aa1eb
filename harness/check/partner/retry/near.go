package retry

import (
	"math"
	"slices"

	"paysandbox/harness/trail"
)

// odd is in how many pauses of a list one may be another: a busy machine has made it
// longer. Of all pauses together none may be: many are as long as the longest allowed.
const odd = 4

// columns are the first pauses of some rows, the second ones …
func columns(rows [][]pause) [][]pause {
	var list [][]pause
	for _, r := range rows {
		for i, p := range r {
			if i == len(list) {
				list = append(list, nil)
			}
			list[i] = append(list[i], p)
		}
	}
	return list
}

// near says whether the pauses of each list are so near to each other, all of them or
// all but one in four, that chance brings them there less often than given.
func near(lists [][]pause, chance float64) bool {
	if !slices.ContainsFunc(lists, func(l []pause) bool { return len(l) >= odd }) {
		return within(lists, 0, chance)
	}
	return within(lists, 0, chance/2) || within(lists, odd, chance/2)
}

// within is near of all but one in so many of each list; 0 is all. What is looked at is
// how far apart the pauses of the worst list lie, and all lists together: a busy machine
// spreads short pauses, and leaves long ones nearly the same.
func within(lists [][]pause, oneIn int, chance float64) bool {
	const spread = 5 // times its jitter a pause's length is, at the most
	ways, more, apart, together, several := 1.0, 0.0, 0.0, 1.0, 0
	for _, l := range lists {
		kept := len(l)
		if oneIn > 0 {
			kept -= kept / oneIn
		}
		// Any may be the shortest, and any others those that are near to it.
		choose := float64(len(l)) * choices(len(l)-1, kept-1)
		low, high := narrowest(l, kept)
		a := float64(high-low) / float64(max(high, 1))
		ways, more, apart = ways*choose, more+float64(kept-1), max(apart, a)
		if kept > 1 {
			together *= min(1, choose*math.Pow(spread*a, float64(kept-1)))
			several++
		}
	}
	if several > 1 {
		chance /= 2 // of two tests
	}
	return apart <= math.Pow(chance/ways, 1/max(more, 1))/spread || several > 1 && product(together, several) < chance
}

// product is the chance by which so many chances, of which each is as likely as any,
// multiplied come to so little or less.
func product(x float64, n int) float64 {
	if x <= 0 {
		return 0
	}
	term, sum := x, x
	for k := 1; k < n; k++ {
		term *= -math.Log(x) / float64(k)
		sum += term
	}
	return sum
}

// choices is in how many ways k of n are chosen.
func choices(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways
}

// narrowest are the ends of so many pauses that lie nearest to each other, as a share of
// the longest.
func narrowest(list []pause, kept int) (low, high int64) {
	sorted := make([]int64, len(list))
	for i, p := range list {
		sorted[i] = p.length
	}
	slices.Sort(sorted)
	low, high = sorted[0], sorted[kept-1]
	for i := 1; i+kept <= len(sorted); i++ {
		if a, b := sorted[i], sorted[i+kept-1]; float64(b-a)*float64(high) < float64(high-low)*float64(b) {
			low, high = a, b
		}
	}
	return low, high
}

// alike says whether pauses are equal but for a share of the longest.
func alike(list []pause, slack float64) bool {
	if len(list) == 0 {
		return true
	}
	low, high := narrowest(list, len(list))
	return float64(high-low) <= slack*float64(high)
}

// between says how long pauses were that are nearly the same.
func between(list []pause) string {
	low, high := narrowest(list, len(list))
	if low == high {
		return "of " + trail.Span(low) + " each"
	}
	return "between " + trail.Span(low) + " and " + trail.Span(high)
}

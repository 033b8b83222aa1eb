package tapes

// pair is two things that stand for each other, by position; -1 is for what only the
// other side has.
type pair struct{ a, b int }

// maxSteps bounds how many insertions and deletions are looked for; beyond it what is
// left is taken as replaced.
const maxSteps = 2000

// aligned lays two lists of keys side by side with the fewest insertions and
// deletions (Myers, An O(ND) Difference Algorithm and Its Variations, 1986).
func aligned(a, b []string) []pair {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	list := make([]pair, 0, len(a)+len(b))
	for n := range head {
		list = append(list, pair{n, n})
	}
	for _, p := range middle(a[head:len(a)-tail], b[head:len(b)-tail]) {
		if p.a >= 0 {
			p.a += head
		}
		if p.b >= 0 {
			p.b += head
		}
		list = append(list, p)
	}
	for n := tail; n > 0; n-- {
		list = append(list, pair{len(a) - n, len(b) - n})
	}
	return list
}

// middle aligns what has no common head or tail.
func middle(a, b []string) []pair {
	trace := forward(a, b)
	if trace == nil {
		var list []pair
		for n := range a {
			list = append(list, pair{n, -1})
		}
		for n := range b {
			list = append(list, pair{-1, n})
		}
		return list
	}
	return back(trace, len(a), len(b))
}

// forward finds how far one comes on each diagonal with d steps, for each d; nil when
// there are too many.
func forward(a, b []string) [][]int {
	most := min(len(a)+len(b), maxSteps)
	far := make([]int, 2*most+3)
	mid := most + 1
	var trace [][]int
	for d := 0; d <= most; d++ {
		trace = append(trace, append([]int(nil), far[mid-d-1:mid+d+2]...))
		for k := -d; k <= d; k += 2 {
			x := far[mid+k-1] + 1
			if k == -d || k != d && far[mid+k-1] < far[mid+k+1] {
				x = far[mid+k+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			if far[mid+k] = x; x >= len(a) && x-k >= len(b) {
				return trace
			}
		}
	}
	return nil
}

// back walks the steps from the end to the beginning.
func back(trace [][]int, x, y int) []pair {
	var list []pair
	for d := len(trace) - 1; x > 0 || y > 0; d-- {
		far, k := trace[d], x-y
		at := func(k int) int { return far[k+d+1] }
		before := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			before = k + 1
		}
		fromX := at(before)
		fromY := fromX - before
		if d == 0 {
			fromX, fromY = 0, 0
		}
		for x > fromX && y > fromY {
			x--
			y--
			list = append(list, pair{x, y})
		}
		switch {
		case d == 0:
		case x > fromX:
			x--
			list = append(list, pair{x, -1})
		case y > fromY:
			y--
			list = append(list, pair{-1, y})
		}
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

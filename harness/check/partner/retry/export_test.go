package retry

import "strconv"

// Hot says whether a session of rows of pauses in nanoseconds is one without pauses.
func Hot(rows [][]int64) bool {
	hot, sum, long := 0, 0, false
	for _, r := range rows {
		if atOnce(r) {
			hot, sum, long = hot+1, sum+len(r), long || len(r) >= shortPauses
		}
	}
	return long || hot == len(rows) && sum >= shortPauses
}

// Improbable says what of pauses in nanoseconds, row by row, chance does not do. Each
// row is of the operation of its number modulo some.
func Improbable(rows [][]int64, operations int) string {
	list := make([][]pause, len(rows))
	by := map[string][][]pause{}
	for i, r := range rows {
		for _, length := range r {
			list[i] = append(list[i], pause{length: length})
		}
		what := strconv.Itoa(i % operations)
		by[what] = append(by[what], list[i])
	}
	expected, received := unlikely(by)
	expected, _ = tooShort(list, expected, received)
	return expected
}

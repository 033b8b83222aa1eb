package retry

// Improbable says what of pauses in nanoseconds, row by row, chance does not do.
func Improbable(rows [][]int64) string {
	list := make([][]pause, len(rows))
	for i, r := range rows {
		for _, length := range r {
			list[i] = append(list[i], pause{length: length})
		}
	}
	expected, received := improbable(list)
	expected, _ = tooShort(list, expected, received)
	return expected
}

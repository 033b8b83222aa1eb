package retry

// Improbable says what of pauses in nanoseconds, row by row, chance does not do.
func Improbable(rows [][]int64) string {
	list := make([][]pause, len(rows))
	for i, r := range rows {
		for _, length := range r {
			list[i] = append(list[i], pause{length: length})
		}
	}
	expected, _ := improbable(list)
	if expected == "" && together(list) < blamed {
		expected = "longer pauses"
	}
	return expected
}

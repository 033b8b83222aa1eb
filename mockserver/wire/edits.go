package wire

// Edits is the Levenshtein distance of two texts in bytes, for refusals that name
// what was probably meant. Names of members cost no memory.
func Edits(a, b string) int {
	var short [maxName + 1]int
	row := short[:min(len(short), len(b)+1)]
	if len(b) > maxName {
		row = make([]int, len(b)+1)
	}
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// within says whether two names are at most so many edits apart.
func within(a, b string, most int) bool {
	return max(len(a)-len(b), len(b)-len(a)) <= most && Edits(a, b) <= most
}

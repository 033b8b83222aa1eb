package control

import "strings"

// nearest is the name that is spelled most like the one given, whatever the
// case; of equals the first.
func nearest(given string, names []string) string {
	given = strings.ToLower(clip(given))
	best, least := "", -1
	for _, name := range names {
		if d := edits(given, strings.ToLower(name)); least < 0 || d < least {
			best, least = name, d
		}
	}
	return best
}

// edits is the Levenshtein distance of two short texts in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost = 1 + min(diagonal, row[j], row[j-1])
			}
			diagonal, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}

// clip cuts what a stranger has written.
func clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// Package spelling tells how far apart two spellings are, and which name was
// probably meant by a wrong one. It stands below everything else of the sandbox,
// so that there is one such measure; it must not know what the names are for.
package spelling

import "strings"

// short is the length of names whose comparison costs no memory, and longest how
// much of a foreign text is compared.
const (
	short   = 64
	longest = 200
)

// Edits is the Levenshtein distance in bytes: how many have to be inserted,
// removed or replaced to make one text the other.
func Edits(a, b string) int {
	var room [short + 1]int
	row := room[:min(len(room), len(b)+1)]
	if len(b) > short {
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

// Within says whether two texts are at most so many edits apart.
func Within(a, b string, most int) bool {
	return max(len(a)-len(b), len(b)-len(a)) <= most && Edits(a, b) <= most
}

// Near is the name that was probably meant by the given one: the nearest, if at most a
// third of it is spelt otherwise or one of the two is in the other; empty if there is none.
func Near(given string, names []string) string {
	near := Nearest(given, names)
	short, long := strings.ToLower(given), strings.ToLower(near)
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) > 2 && strings.Contains(long, short) || Within(short, long, (len(given)+2)/3) {
		return near
	}
	return ""
}

// Nearest is the name that is spelt most like the given one, whatever the letter
// case; of equals the first. It is empty when there are no names.
func Nearest(given string, names []string) string {
	given = strings.ToLower(given[:min(len(given), longest)])
	best, least := "", -1
	for _, name := range names {
		if d := Edits(given, strings.ToLower(name)); least < 0 || d < least {
			best, least = name, d
		}
	}
	return best
}

package privacy

import (
	"strings"

	"paysandbox/harness/trail"
)

// The lengths of a card's number, and how many of its digits a tape shows at its ends: it
// has noughts for the others.
const (
	shortestCard, longestCard = 13, 19
	cardHead, cardTail        = 6, 4
)

// groups is what a card's number is written in.
var groups = lettersOf(figureSigns, " -", shortestCard, 0)

// card says whether a text holds a card's number, as it was or as a tape shows it.
func card(text string) bool {
	for _, run := range groups.runs(text) {
		for _, number := range append(strings.Fields(run), run) {
			if issued(digits(number)) {
				return true
			}
		}
	}
	return false
}

// issued says whether digits are a card's: they begin as those of an issuer, and end with
// their check digit, or were struck.
func issued(number string) bool {
	if len(number) < shortestCard || len(number) > longestCard || number[0] < '3' || number[0] > '6' {
		return false
	}
	return strings.Trim(number[cardHead:len(number)-cardTail], "0") == "" || trail.Luhn(number)
}

package control

import (
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/secret"
)

// keep says how many digits at the beginning and at the end of a number stay
// readable.
type keep func(bare string) (head, tail int)

// maskNumbers masks the members of a body that hold numbers, in place and
// without changing any length. What is kept of a number is enough for it to
// behave as the number that was sent; so the call is made with the masked body,
// and a replay sees what was seen live. Everything that is not a number is
// masked by secret.Mask.
func maskNumbers(body []byte, spans []secret.Span, rule keep) {
	for _, s := range spans {
		text := body[s.Offset : s.Offset+s.Length]
		if !maskNumber(text, rule) {
			secret.Mask(body, []secret.Span{s})
		}
	}
}

// maskNumber masks a JSON string that is a number with optional spaces and
// hyphens, and says whether it is one. Names
// of test data stay too.
func maskNumber(text []byte, rule keep) bool {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return false
	}
	inner := text[1 : len(text)-1]
	if isName(inner) {
		return true
	}
	bare := strings.NewReplacer(" ", "", "-", "").Replace(string(inner))
	for i := range len(bare) {
		if bare[i] < '0' || bare[i] > '9' {
			return false
		}
	}
	head, tail := rule(bare)
	if tail < 0 {
		return false
	}
	hide(inner, head, len(bare)-tail)
	return true
}

// isName says whether a text is the name of some test data, misspelt or not:
// small letters and hyphens are no number.
func isName(text []byte) bool {
	for _, b := range text {
		if (b < 'a' || b > 'z') && b != '-' {
			return false
		}
	}
	return len(text) > 0
}

// hide makes the digits from one to before the other nines, of which no test
// number is made.
func hide(number []byte, from, to int) {
	n := 0
	for i := range number {
		if number[i] < '0' || number[i] > '9' {
			continue
		}
		if from <= n && n < to {
			number[i] = '9'
		}
		n++
	}
}

// keepCard leaves published test cards as they are. Of other numbers the first
// six and the last four digits stay, enough to name the nearest test card; what
// is shorter than a card, its code among them, is no number here.
func keepCard(bare string) (head, tail int) {
	const shortest = 12
	switch _, err := fixtures.CardNumbered(bare); {
	case err == nil:
		return 0, len(bare)
	case len(bare) < shortest:
		return 0, -1
	default:
		return secret.ShownOfCard(len(bare))
	}
}

// keepAccount leaves the published accounts of personas as they are. Of other
// numbers the last four digits stay, which every mask shows, and an ending that
// chooses a return code.
func keepAccount(bare string) (head, tail int) {
	for _, p := range fixtures.Personas() {
		if p.AccountNumber == bare {
			return 0, len(bare)
		}
	}
	return 0, secret.ShownOfAccount(bare)
}

package secret

import "slices"

// Found is a stretch of a text that has the form of personal data.
type Found struct {
	Span
	// What says in words what it has the form of.
	What string
}

// ClausePersonal is what a request breaks that holds such, or a secret, where none belongs.
const ClausePersonal = "request.personal-data"

// What a form can be of.
const (
	CardNumber     = "a card number"
	SocialSecurity = "a social security number"
	Stripe         = "a card's magnetic stripe"
)

const (
	minDigits  = 9 // of a social security number
	minCard    = 13
	maxCard    = 19
	maxGroups  = maxCard / 2
	uuidLength = 36
)

// Struck is a text without credentials, what has the form of a payment card's number, with an
// issuer's beginning and the right check digit, or of a United States social security
// number as people write it; and what was found, but for what overlaps one of the
// given spans, which are in ascending order. Lengths stay. Of a card's number the
// first six and the last four digits stay, as on receipts, with noughts between; of a
// social security number ones. What is left of one is found again, so that a text
// that is played again tells the same. Ids in the form of a UUID, telephone numbers
// with their plus sign and fractions hold none.
func Struck(text string, but []Span) (string, []Found) {
	list := outside(finds(text), but)
	for range maxRounds { // what was struck may have a form together with what stands beside it
		if len(list) == 0 {
			break
		}
		b := []byte(text)
		strike(b, list)
		struck := string(b)
		again := outside(finds(struck), but)
		if struck == text && slices.Equal(list, again) {
			break
		}
		text, list = struck, again
	}
	return text, list
}

// maxRounds is more than what any text needs.
const maxRounds = 8

// Text is Struck for a text without exceptions.
func Text(text string) string {
	struck, _ := Struck(text, nil)
	return struck
}

// finds are all in a text, in ascending order; of two that overlap the credential counts.
func finds(text string) []Found {
	opening := credentials(text)
	if len(opening) == 0 {
		return forms(text)
	}
	spans := make([]Span, len(opening))
	for i := range opening {
		spans[i] = opening[i].Span
	}
	list := append(outside(forms(text), spans), opening...)
	slices.SortStableFunc(list, func(a, b Found) int { return a.Offset - b.Offset })
	return list
}

// outside are the finds that no span covers. Both lists are in ascending order.
func outside(list []Found, but []Span) []Found {
	next := 0
	return slices.DeleteFunc(list, func(f Found) bool {
		for next < len(but) && but[next].Offset+but[next].Length <= f.Offset {
			next++
		}
		return next < len(but) && but[next].Offset < f.Offset+f.Length
	})
}

// shortestForm is the length of what has a form and is short.
const shortestForm = minDigits

// forms finds what has a form, however its digits are written.
func forms(text string) []Found {
	if len(text) <= shortText && !mayHold(text) {
		return nil
	}
	plain, changed := respelt(text)
	if !changed {
		return withStripes(text, plainForms(text))
	}
	list := withStripes(string(plain.text), plainForms(string(plain.text)))
	for i := range list {
		list[i].Span = plain.written(list[i].Span)
	}
	return list
}

// plainForms finds what has a form. Of two neighbours in it one is a digit, and the other
// may be a separator: it is enough to look at two bytes of ten.
func plainForms(text string) (list []Found) {
	end := 0
	var room [2 * maxGroups]Span
	for i := 0; i+1 < len(text); i = max(end, i+shortestForm-1) {
		start := i
		switch first, second := text[i], text[i+1]; {
		case isDigit(first) && (isDigit(second) || separates(second)):
		case separates(first) && isDigit(second):
			start++
		default:
			continue
		}
		var digits int
		start = runStart(text, start, end)
		if end, digits = digitRun(text, start); digits >= minDigits && !within(text, start, end, digits) {
			list = search(text, groups(room[:0], text, start, end), list)
		}
	}
	return list
}

func separates(c byte) bool { return c == ' ' || c == '-' }

// runStart gives the beginning of the run of digits that holds the one at i and does
// not begin before from.
func runStart(text string, i, from int) int {
	for i > from {
		switch before := text[i-1]; {
		case isDigit(before):
			i--
		case separates(before) && i-1 > from && isDigit(text[i-2]):
			i -= 2
		default:
			return i
		}
	}
	return i
}

// strike overwrites what was found, in place.
func strike(text []byte, list []Found) {
	for _, f := range list {
		part := text[f.Offset : f.Offset+f.Length]
		if f.What == Credential || f.What == Stripe {
			strikeCredential(part)
			continue
		}
		if f.What != CardNumber {
			replaceDigits(part, 0, len(part), 1)
			continue
		}
		digits := replaceDigits(part, 0, 0, 0)
		head, tail := ShownOfCard(digits)
		replaceDigits(part, head, digits-tail, 0)
	}
}

// replaceDigits replaces the digits from one to before the other, and counts them all.
func replaceDigits(part []byte, from, to int, with byte) (digits int) {
	text := string(part)
	for i := 0; i < len(text); {
		c, size := unit(text[i:])
		if i += size; !isDigit(c) {
			continue
		}
		if from <= digits && digits < to {
			part[i-1] = text[i-1] - (c - '0') + with
		}
		digits++
	}
	return digits
}

// digitRun gives the end of the digits that begin at i, with at most one space or
// hyphen between two of them, and their number.
func digitRun(text string, i int) (end, digits int) {
	for i < len(text) {
		switch {
		case isDigit(text[i]):
			digits++
		case !separates(text[i]) || i+1 == len(text) || !isDigit(text[i+1]):
			return i, digits
		}
		i++
	}
	return i, digits
}

// groups adds to a list the digits of a run that nothing stands between.
func groups(list []Span, text string, start, end int) []Span {
	for i := start; i < end; i++ {
		from := i
		for i < end && isDigit(text[i]) {
			i++
		}
		list = append(list, Span{from, i - from})
	}
	return list
}

// insideID says whether a run is part of an id in the usual form.
func insideID(text string, start, end int) bool {
	for start > 0 && end-start <= uuidLength && isWord(text[start-1]) {
		start--
	}
	for end < len(text) && end-start <= uuidLength && isWord(text[end]) {
		end++
	}
	return end-start == uuidLength && text[start+8] == '-' && text[start+13] == '-' && text[start+18] == '-' && text[start+23] == '-'
}

func isWord(c byte) bool { return isAlnum(c) || c == '-' }

// search adds what the groups of a run are, the longest first from each group on.
func search(text string, groups []Span, list []Found) []Found {
	for first := 0; first < len(groups); first++ {
		for last := min(len(groups), first+maxGroups) - 1; last >= first; last-- {
			what := ""
			switch part := groups[first : last+1]; {
			case len(part) == 3 && alone(text, groups, first, last) && isSocialSecurity(text, part), len(part) == 1 && isNamedSocialSecurity(text, part[0]):
				what = SocialSecurity
			case isCard(joined(text, part)):
				what = CardNumber
			default:
				continue
			}
			from := groups[first].Offset
			list = append(list, Found{Span{from, groups[last].Offset + groups[last].Length - from}, what})
			first = last
			break
		}
	}
	return list
}

// alone says whether the groups from first to last are not hyphenated with others.
func alone(text string, groups []Span, first, last int) bool {
	return (first == 0 || text[groups[first].Offset-1] == ' ') && (last+1 == len(groups) || text[groups[last+1].Offset-1] == ' ')
}

// joined are the digits of groups, or nothing when they are too many for a card or a
// single digit stands by itself.
func joined(text string, groups []Span) string {
	if c := text[groups[0].Offset]; c < '2' || c == '7' { // no issuer's
		return ""
	}
	if len(groups) == 1 && groups[0].Length <= maxCard {
		return text[groups[0].Offset:][:groups[0].Length]
	}
	var room [maxCard]byte
	number := room[:0]
	for _, g := range groups {
		if len(number)+g.Length > maxCard || g.Length < 2 {
			return ""
		}
		number = append(number, text[g.Offset:g.Offset+g.Length]...)
	}
	return string(number)
}

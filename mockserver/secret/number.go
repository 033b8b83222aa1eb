package secret

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// ShownOfCard says how many digits at the beginning and at the end of a card's
// number may stay, as on receipts; none of one that is too short for that.
func ShownOfCard(digits int) (head, tail int) {
	const first, last = 6, 4
	if digits <= first+last {
		return 0, 0
	}
	return first, last
}

// ShownOfAccount says how many digits at the end of a bank account's number may
// stay: the four that every mask shows, or an ending that chooses what becomes of
// a payment, such as 100R01 written as 10001.
func ShownOfAccount(number string) int {
	const plain, choosing = 4, 6
	if at := len(number) - len("100RR"); at >= 0 && number[at:at+3] == "100" {
		return min(len(number), choosing)
	}
	return min(len(number), plain)
}

// isCard judges a number by its issuer, its length and its check digit, which what
// was struck need not have.
func isCard(number string) bool {
	if len(number) < minCard || !issued(number) {
		return false
	}
	head, tail := ShownOfCard(len(number))
	if strings.Trim(number[head:len(number)-tail], "0") == "" {
		return true
	}
	sum := 0
	for i := range len(number) {
		d := int(number[i] - '0')
		if (len(number)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// issuers are the beginnings of card numbers, from and to, by their lengths.
var issuers = [...]struct {
	from, to string
	lengths  [3]int
}{
	{"4", "4", [3]int{13, 16, 19}},
	{"51", "55", [3]int{16}},
	{"2221", "2720", [3]int{16}},
	{"34", "34", [3]int{15}},
	{"37", "37", [3]int{15}},
	{"6011", "6011", [3]int{16, 19}},
	{"644", "659", [3]int{16, 19}},
	{"3528", "3589", [3]int{16, 19}},
	{"300", "305", [3]int{14}},
	{"36", "36", [3]int{14}},
	{"38", "39", [3]int{14}},
	{"62", "62", [3]int{16, 17, 19}},
}

func issued(number string) bool {
	for i := range issuers {
		b := &issuers[i]
		if n := number[:len(b.from)]; n < b.from || n > b.to {
			continue
		}
		for _, length := range b.lengths {
			if length == len(number) {
				return true
			}
		}
	}
	return false
}

// isSocialSecurity judges 123-45-6789, with one separator twice: no number begins
// with 000, 666 or 9, or has a group of noughts.
func isSocialSecurity(text string, groups []Span) bool {
	if groups[0].Length != 3 || groups[1].Length != 2 || groups[2].Length != 4 {
		return false
	}
	s := text[groups[0].Offset:][:len("123-45-6789")]
	return s[3] == s[6] && assigned(s[:3], s[4:6], s[7:])
}

// assigned says whether a social security number may have such groups.
func assigned(area, group, serial string) bool {
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000"
}

// isNamedSocialSecurity judges nine digits by what they are called, as in "SSN: 219099999".
func isNamedSocialSecurity(text string, digits Span) bool {
	if digits.Length != minDigits {
		return false
	}
	s := text[digits.Offset:][:minDigits]
	if !assigned(s[:3], s[3:5], s[5:]) {
		return false
	}
	before := strings.ToLower(text[max(0, digits.Offset-len("social security number is = '")):digits.Offset])
	for _, link := range [...]string{"is", "number", "no.", "no"} {
		before = strings.TrimSuffix(strings.TrimRight(before, " :=#\t\\\"'+-"), link)
	}
	before = strings.TrimRight(before, " \t")
	if rest, found := strings.CutSuffix(before, "ssn"); found {
		return rest == "" || !inWord(rest[len(rest)-1])
	}
	return strings.HasSuffix(before, "social security")
}

// within says whether a run is part of something else: of an id, a telephone number or a
// fraction, or of a word that is no card's, as card4111111111111111 is.
func within(text string, start, end, digits int) bool {
	if start > 0 && text[start-1] == '+' && digits <= maxPhone || start > 1 && text[start-1] == '.' && isDigit(text[start-2]) {
		return true
	}
	if digits < minCard && fraction(text[end:]) {
		return true
	}
	before, after := lettersBefore(text, start), lettersAfter(text, end)
	if before < 0 || after < 0 {
		return true
	}
	if before+after > 0 && digits < minCard && !strings.EqualFold(text[start-before:start], "ssn") {
		return true
	}
	return insideID(text, start, end)
}

// fraction says whether a text begins with a point and digits.
func fraction(text string) bool { return len(text) > 1 && text[0] == '.' && isDigit(text[1]) }

// lettersBefore counts the letters of the word that a number ends; -1 when it is too long,
// or has digits, too.
func lettersBefore(text string, start int) (n int) {
	for ; n < start && inWord(text[start-1-n]); n++ {
		if n == longestWord || isDigit(text[start-1-n]) {
			return -1
		}
	}
	return n
}

// lettersAfter counts those of the word that a number begins; none of what a chip puts behind.
func lettersAfter(text string, end int) (n int) {
	if ofChip(text, end) {
		return 0
	}
	for ; end+n < len(text) && inWord(text[end+n]); n++ {
		if n == longestWord || isDigit(text[end+n]) {
			return -1
		}
	}
	return n
}

func inWord(c byte) bool { return isAlnum(c) || c == '_' }

// maxPhone is how many digits a telephone number has at most, and longestWord how many
// letters a word that a number stands in.
const (
	maxPhone    = 15
	longestWord = 16
)

// shortText is how long a text is that is quicker counted than searched, as most headers are.
const shortText = 64

// mayHold says whether a text has as many digits as the shortest form, where each character
// that is not plain may be one.
func mayHold(text string) bool {
	digits := 0
	for ; len(text) >= 8; text = text[8:] {
		w := Eight(text)
		if w&highs != 0 || zeros(w^each*'\\') != 0 {
			return true
		}
		digits += bits.OnesCount64(digitsIn(w))
	}
	for i := range len(text) {
		if c := text[i]; isDigit(c) || c == '\\' || c >= utf8.RuneSelf {
			digits++
		}
	}
	return digits >= minDigits
}

package secret

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode"
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

// issuers are the first four digits of card numbers, from and to, with the least and the most
// digits.
var issuers = [...]struct {
	from, to    uint16
	least, most uint8
}{
	{4000, 4999, 13, 13},
	{4000, 4999, 16, 16},
	{4000, 4999, 19, 19},
	{5100, 5599, 16, 16},
	{2221, 2720, 16, 16},
	{3400, 3499, 15, 15},
	{3700, 3799, 15, 15},
	{6011, 6011, 16, 19},
	{6440, 6599, 16, 19},
	{3528, 3589, 16, 19},
	{3000, 3059, 14, 19},
	{3600, 3699, 14, 19},
	{3800, 3999, 14, 19},
	{6200, 6299, 16, 19},
	{8100, 8299, 16, 19}, // UnionPay, RuPay
	{6000, 6099, 16, 16}, // RuPay, Hipercard
	{2200, 2204, 16, 19}, // Mir
	{5018, 5020, 13, 19}, // Maestro and its kin
	{5038, 5038, 13, 19},
	{5893, 5893, 13, 19},
	{6304, 6304, 13, 19},
	{6759, 6763, 13, 19},
	{5060, 5067, 16, 19}, // Verve, Elo
	{5081, 5085, 16, 16}, // RuPay
	{6360, 6362, 16, 19}, // InterPayment, Elo
	{9792, 9792, 16, 16}, // Troy
}

func issued(number string) bool {
	first := uint16(0)
	for i := range 4 {
		first = first*10 + uint16(number[i]-'0')
	}
	for i := range issuers {
		b := &issuers[i]
		if b.from <= first && first <= b.to && int(b.least) <= len(number) && len(number) <= int(b.most) {
			return true
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
	if ofChip(text, end) || exponent(text[end:]) > 0 {
		return 0
	}
	for ; end+n < len(text) && inWord(text[end+n]); n++ {
		if n == longestWord || isDigit(text[end+n]) {
			return -1
		}
	}
	return n
}

// exponent is how long the exponent is that a text begins with, as a number of JSON has it; 0 for
// none.
func exponent(text string) (n int) {
	if text == "" || text[0]|0x20 != 'e' {
		return 0
	}
	if n = 1; len(text) > n && (text[n] == '+' || text[n] == '-') {
		n++
	}
	digits := len(text) - n - len(strings.TrimLeft(text[n:], "0123456789"))
	if n += digits; digits == 0 || digits > 3 || n < len(text) && inWord(text[n]) {
		return 0
	}
	return n
}

// unseen says whether a character takes no room.
func unseen(r rune) bool {
	return r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.Is(unicode.Cf, r) || r == 0x034F || r>>4 == 0xFE0 || r == 0x3164)
}

// mantissa says whether the point at a place stands in a number that is written as programs
// write a large one: 4.111111111111111e+15.
func mantissa(text string, i int) bool {
	if i == 0 || !isDigit(text[i-1]) || i > 1 && inWord(text[i-2]) {
		return false
	}
	text = text[i:]
	digits := len(text) - 1 - len(strings.TrimLeft(text[1:], "0123456789"))
	if digits < minCard-1 || digits >= maxCard {
		return false
	}
	e := text[1+digits:]
	n := exponent(e)
	return n > 0 && strings.TrimLeft(e[1:n], "+0") == strconv.Itoa(digits)
}

func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

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

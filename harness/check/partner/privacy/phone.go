package privacy

import (
	"slices"
	"strings"
)

// phone says whether a text holds a known number in any spelling, or what looks
// like one.
func (p *people) phone(text string) bool {
	for _, m := range phoneForm().FindAllStringSubmatch(text, -1) {
		if m[1] != "" || strings.HasPrefix(m[2], "(") || !year(m[3]) { // 415-200-2026 is more likely a number of the year
			return true
		}
	}
	return slices.ContainsFunc(figures(text), p.dialled)
}

// figure is a digit, whether something stands between it and the one before, and
// whether a plus sign does.
type figure struct {
	digit       byte
	apart, plus bool
}

// figures are the digits of a text, in runs with nothing but a few separators
// between them.
func figures(text string) [][]figure {
	var runs [][]figure
	var run []figure
	between := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			run = append(run, figure{c, between > 0, i > 0 && text[i-1] == '+'})
			between = 0
			continue
		case strings.IndexByte(" ().-", c) >= 0 && between < 3:
			between++
			continue
		}
		runs, run, between = append(runs, run), nil, 0
	}
	return append(runs, run)
}

// dialled says whether a run holds a known number as a whole, with or without the
// prefix of the United States or of calls from abroad. A number with its plus sign may
// have more behind it.
func (p *people) dialled(run []figure) bool {
	plain := make([]byte, len(run))
	for i := range run {
		plain[i] = run[i].digit
	}
	from := 0 // where the digits began that nothing stands between
	for i := range run {
		if run[i].apart {
			from = i
		}
		if !prefix(plain[from:i]) {
			continue
		}
		for n := range p.lengths {
			end := i + n
			if end <= len(run) && (run[0].plus || end == len(run) || run[end].apart) && p.phones[string(plain[i:end])] {
				return true
			}
		}
	}
	return false
}

// prefix says whether digits are what is dialled before a number, or none. Only a few
// are looked at: a text may be all digits.
func prefix(digits []byte) bool {
	if len(digits) > len("001") {
		return false
	}
	switch string(digits) {
	case "", "1", "00", "001":
		return true
	default:
		return false
	}
}

// digits are the digits of a text.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

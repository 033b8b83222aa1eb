package scrub

import (
	"strings"

	"paysandbox/fixtures/phone"
	"paysandbox/harness/trail"
)

// phone is a number of the same region with the same form. Area codes stay; what no
// number was is none.
func (s *Scrubber) phone(value string) string {
	if plain := inFigures(value); plain != value {
		return inScript(s.phone(plain), value)
	}
	was, exists := phone.E164(value)
	if len(was) == 12 && was[:2] == "+1" && was[5:10] == "55501" {
		return value // set aside for fiction: nobody's
	}
	for turn := range 200 {
		candidate := s.tail(value, turn)
		if now, there := phone.E164(candidate); was != "" && there == exists && now != was {
			return candidate
		}
	}
	return s.shaped(telephone, value)
}

// tail changes the last six digits, of short numbers all but the first two. Two ways to
// write a number have stand-ins that are written the same two ways.
func (s *Scrubber) tail(value string, turn int) string {
	all := digits(value)
	national := all[max(0, len(all)-10):]
	d := s.digest(telephone, national, turn)
	from, n := len(all)-min(6, max(0, len(all)-2)), -1
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		if n++; n < from {
			return r
		}
		return '0' + rune(d[len(all)-1-n]%10)
	}, value)
}

// card keeps what says whose network it is and the last four digits, which masks show;
// the check digit stays as right or wrong as it was.
func (s *Scrubber) card(value string) string {
	all := digits(value)
	if len(all) < 13 || len(all) > 19 {
		return s.shaped(card, value)
	}
	d := s.digest(card, all, 0)
	out := []byte(all)
	for i := 6; i < len(all)-4; i++ {
		out[i] = '0' + d[i]%10
	}
	out[len(all)-5] = '0'
	for trail.Luhn(string(out)) != trail.Luhn(all) {
		out[len(all)-5]++
	}
	n := -1
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		n++
		return rune(out[n])
	}, value)
}

// ssn is one that could have been given out, where there are nine digits.
func (s *Scrubber) ssn(value string) string {
	for turn := range 50 {
		out := s.turned(ssn, value, turn)
		if d := digits(out); len(d) != 9 || d[:3] != "000" && d[:3] != "666" && d[0] != '9' && d[3:5] != "00" && d[5:] != "0000" {
			return out
		}
	}
	return s.shaped(ssn, value)
}

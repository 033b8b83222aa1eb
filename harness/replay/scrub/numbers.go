package scrub

import (
	"fmt"
	"strings"

	"paysandbox/harness/trail"
)

// bankNumber is an IBAN as it is written, with spaces or without.
var bankNumber = trail.Pattern(`(?i)^[a-z]{2}[0-9]{2}(?:[ -]?[a-z0-9]){11,30}$`)

// account keeps the last four digits, which masks show, and what a number says of itself: whether it is one.
func (s *Scrubber) account(value string) string {
	switch n := len(value) - 4; {
	case bankNumber().MatchString(value):
		return s.iban(value)
	case n > 3 && digits(value) == value:
		return s.shaped(account, value[:n]) + value[n:]
	default:
		return s.shaped(account, value)
	}
}

// iban is a number of the same country, with check digits that are right where they were.
func (s *Scrubber) iban(value string) string {
	const head, mask = 4, 4
	was := restOfIBAN(value) == 1
	for turn := range 20 {
		out := []byte(value[:head] + s.turned(account, value[head:len(value)-mask], turn) + value[len(value)-mask:])
		if was {
			copy(out[2:], "00")
			copy(out[2:], fmt.Sprintf("%02d", 98-restOfIBAN(string(out))))
		}
		if (restOfIBAN(string(out)) == 1) == was {
			return string(out)
		}
	}
	return s.shaped(account, value)
}

// restOfIBAN is what is left of an IBAN when it is divided by 97, which is 1 where it is right.
func restOfIBAN(value string) (rest int) {
	plain := strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(value))
	for _, c := range []byte(plain[4:] + plain[:4]) {
		if c >= 'a' {
			rest = (rest*100 + int(c-'a') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest
}

// routingNumber is one of the same district, whose last digit is as right or wrong as it was.
func (s *Scrubber) routingNumber(value string) string {
	if len(value) != 9 || digits(value) != value {
		return s.account(value)
	}
	out := []byte(value[:2] + s.shaped(routing, value[2:8]) + value[8:])
	for range 10 {
		if (sumOfRouting(out)%10 == 0) == (sumOfRouting([]byte(value))%10 == 0) {
			break
		}
		out[8] = '0' + (out[8]-'0'+1)%10
	}
	return string(out)
}

func sumOfRouting(number []byte) (sum int) {
	for i, c := range number {
		sum += int(c-'0') * []int{3, 7, 1}[i%3]
	}
	return sum
}

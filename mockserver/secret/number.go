package secret

import "strings"

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

package secret

import (
	"slices"
	"strings"
)

// What stands on a card's magnetic stripe behind its number: on track 2 an equals sign and
// digits, on track 1 the name between two carets, and digits. The first four are the date on
// which the card expires, three more say where it is taken. A chip gives track 2 with a D.
const (
	expiry      = 4
	service     = 3
	longestName = 40
)

// withStripes adds to the finds in a text, in ascending order, what stands behind cards'
// numbers as on a magnetic stripe. What was found within that is no other thing.
func withStripes(text string, list []Found) []Found {
	for n := 0; n < len(list); n++ {
		end := list[n].Offset + list[n].Length
		if list[n].What != CardNumber || end == len(text) || text[end] != '=' && text[end] != '^' && !ofChip(text, end) {
			continue
		}
		from, to := stripe(text, end)
		if from == to {
			continue
		}
		list = slices.DeleteFunc(list, func(f Found) bool { return f.Offset >= from && f.Offset < to })
		list = slices.Insert(list, n+1, Found{Span{from, to - from}, Stripe})
		n++
	}
	return list
}

// ofChip says whether what stands behind a number is track 2 as a chip gives it.
func ofChip(text string, at int) bool {
	if at == len(text) || text[at]|0x20 != 'd' {
		return false
	}
	_, to := stripe(text, at)
	return to > at+expiry+service
}

// stripe is what stands behind the sign at a place; nothing when too few digits do.
func stripe(text string, at int) (from, to int) {
	digits := at + 1
	if text[at] == '^' {
		name, _, there := strings.Cut(text[digits:min(len(text), digits+longestName)], "^")
		if !there {
			return 0, 0
		}
		digits += len(name) + 1
	}
	for to = digits; to < len(text) && isDigit(text[to]); {
		to++
	}
	if to < digits+expiry {
		return 0, 0
	}
	return at + 1, to
}

package secret

import "strings"

// Credential is what opens a door and stands in a text: a key that begins as its issuer's
// do, what follows a word that says so, or a private key.
const Credential = "a credential" //nolint:gosec // G101: it is what people are told

// credentials are those in a text. What is left of one is found again.
func credentials(text string) (list []Found) {
	for i := nextLead(text, 0); i >= 0; i = nextLead(text, i) {
		may := byBytes[soughtAt(text, i)]
		i += 2
		for n := range may {
			l := &may[n]
			end := l.ends(text, i-2)
			if end == 0 {
				continue
			}
			if from, to := l.value(text, end); to > from && (len(list) == 0 || from >= list[len(list)-1].Offset+list[len(list)-1].Length) {
				list = append(list, Found{Span{from, to - from}, Credential})
				i = to
				break
			}
		}
	}
	return list
}

// value is where the credential stands behind a lead; nowhere when there is none.
func (l *lead) value(text string, at int) (from, to int) {
	as, least := l.as, map[written]int{asKey: 12, asBearer: 16, asBasic: 8, asNamed: 6, asPEM: 16}[l.as]
	switch as {
	case asBearer, asBasic:
		if from = gap(text, at); from == at {
			return 0, 0
		}
	case asNamed:
		if from, as = behindName(text, at); from == 0 {
			return 0, 0
		}
		if as == asNamed && strings.HasPrefix(l.word, "pass") && strings.IndexByte(text[at:from], ':') >= 0 {
			as = asWord
		}
		if as != asNamed {
			least = 4
		}
	default:
		from = at
	}
	for to = from; to < len(text) && belongs(as, text, to); to++ {
		if to-from == judged && !opens(as, text[from:to]) {
			return 0, 0
		}
	}
	if to-from < least || !opens(as, text[from:min(to, from+judged)]) {
		return 0, 0
	}
	return from, to
}

// judged is how much of what stands there is looked at, before it is taken for a credential.
const judged = 512

// gap skips spaces, as they stand in a text and in an address.
func gap(text string, at int) int {
	for range 2 * maxApart {
		switch {
		case at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '+'):
			at++
		case strings.HasPrefix(text[at:], "%20"):
			at += 3
		default:
			return at
		}
	}
	return at
}

// behindName skips what stands between a name and its value; 0 when no value follows.
func behindName(text string, at int) (from int, as written) {
	from, named := quote(text, at)
	from = gap(text, from)
	sign := strings.HasPrefix(text[from:], "=")
	switch {
	case sign || strings.HasPrefix(text[from:], ":"):
		from++
	case strings.HasPrefix(text[from:], "is ") && from > at && !named:
		from += 2
	default:
		return 0, asNamed
	}
	from, quoted := quote(text, gap(text, from))
	switch {
	case named && !quoted: // a number or a literal of JSON
		return 0, asNamed
	case named || sign:
		return from, asAssigned
	default:
		return from, asNamed
	}
}

// quote skips a quotation mark, as JSON in a text has it, too.
func quote(text string, at int) (behind int, there bool) {
	behind = at
	for behind < len(text) && text[behind] == '\\' && behind-at < maxApart {
		behind++
	}
	if behind < len(text) && (text[behind] == '"' || text[behind] == '\'') {
		return behind + 1, true
	}
	return at, false
}

// belongs says whether the byte at a place may be of a credential.
func belongs(as written, text string, at int) bool {
	switch c := text[at]; as {
	case asKey:
		return isAlnum(c) || c == '_' || c == '-' || c == '.'
	case asBearer, asBasic:
		return isAlnum(c) || strings.IndexByte("._~+/=-", c) >= 0
	case asPEM:
		return belongsToLines(text, at)
	default:
		return c > ' ' && strings.IndexByte(`"'\&,;<>{}[]()`, c) < 0
	}
}

// belongsToLines says the same of a private key, whose lines may end as JSON writes it.
func belongsToLines(text string, at int) bool {
	c := text[at]
	if c == '\\' || text[at-1] == '\\' {
		return strings.IndexByte(`\nr`, c) >= 0
	}
	return isAlnum(c) || strings.IndexByte("+/=:, \n\r\t", c) >= 0 || c == '-' && at+1 < len(text) && isLetter(text[at+1]) && text[at-1] != '-'
}

// strikeCredential overwrites letters and digits, in place, and leaves which of them were
// capitals; what follows a backslash stays.
func strikeCredential(part []byte) {
	for i, c := range part {
		switch {
		case i > 0 && part[i-1] == '\\':
		case isDigit(c):
			part[i] = '1'
		case 'A' <= c && c <= 'Z':
			part[i] = 'X'
		case isLetter(c):
			part[i] = 'x'
		}
	}
}

package secret

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// keys are names of parameters, beside those that are secret everywhere, whose
// values open a door in an address that is called.
var keys = []string{"key", "apikey", "sig", "signature", "auth", "code", "access", "hash", "pwd", "pass"}

// shortestToken is from how long on a part of a path that mixes letters and digits
// is no word.
const shortestToken = 20

// MayBeInAddress is false where InAddress finds nothing in the text, or in a word of it:
// no query, and no part of the path that is long enough. It is cheap.
func MayBeInAddress(text []byte) bool {
	if bytes.IndexByte(text, '?') >= 0 {
		return true
	}
	_, tail, _ := bytes.Cut(text, []byte("://"))
	_, path, more := bytes.Cut(tail, []byte("/"))
	for part := path; more; {
		if part, path, more = bytes.Cut(path, []byte("/")); len(part) >= shortestToken {
			return true
		}
	}
	return false
}

// InAddress lists what is secret in an address that is called, as it is written
// there: the values of parameters whose names say so, and parts of the path that
// read like a token. A UUID is an id, and so is what the caller shows elsewhere: of
// the order's reference in a return address nobody but its name can say that it is secret.
// A value that is too short to be looked for stands behind its name, as in ?key=abc12.
func InAddress(address string, shown ...string) (list []string) {
	for _, s := range spansInAddress(address, shown...) {
		value, before := address[s.Offset:s.Offset+s.Length], address[:s.Offset]
		if sign := strings.LastIndexAny(before, "?&"); sign >= 0 && !Findable(value) {
			value = before[sign:] + value
		}
		list = append(list, value)
	}
	return list
}

// headOf is how long the name is that stands before the value in a short secret of an address.
func headOf(secret string) int {
	if secret == "" || secret[0] != '?' && secret[0] != '&' {
		return 0
	}
	return strings.IndexByte(secret, '=') + 1
}

func spansInAddress(address string, shown ...string) (list []Span) {
	address, _, _ = strings.Cut(address, "#")
	before, query, _ := strings.Cut(address, "?")
	_, path, _ := strings.Cut(before, "://")
	at := len(before) - len(path)
	for i, part := range strings.Split(path, "/") {
		if i > 0 && isToken(part) && !slices.Contains(shown, part) {
			list = append(list, Span{at, len(part)})
		}
		at += len(part) + 1
	}
	at = len(before) + 1
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if value != "" && (err != nil || Named(plain) || slices.Contains(keys, bare(plain)) || isToken(value) && !slices.Contains(shown, value)) {
			list = append(list, Span{at + len(pair) - len(value), len(value)})
		}
		at += len(pair) + 1
	}
	return list
}

// Address is an address without what is secret in it, of the same length.
func Address(address string) string {
	struck := []byte(address)
	for _, s := range spansInAddress(address) {
		for i := range s.Length {
			struck[s.Offset+i] = 'x'
		}
	}
	return string(struck)
}

// isToken says whether a part of an address reads, as it is meant, like what nobody could
// guess, or stands where such was struck.
func isToken(written string) bool {
	if len(written) < shortestToken {
		return false
	}
	plain, err := url.PathUnescape(written)
	if err != nil {
		plain = written
	}
	if strings.Trim(written, "x") == "" {
		return true
	}
	for piece := range strings.SplitSeq(plain, "/") {
		if isUnguessable(piece) {
			return true
		}
	}
	return false
}

func isUnguessable(s string) bool {
	digits, letters := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case strings.IndexByte("-_.~=%", c) < 0:
			return false
		}
	}
	return digits+letters >= shortestToken && digits > 1 && letters > 1 && !shapedAsUUID(s)
}

func shapedAsUUID(s string) bool {
	return len(s) == uuidLength && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-'
}

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
// read like a token. A UUID is an id.
func InAddress(address string) (list []string) {
	address, _, _ = strings.Cut(address, "#")
	before, query, _ := strings.Cut(address, "?")
	_, path, _ := strings.Cut(before, "://")
	for i, part := range strings.Split(path, "/") {
		if i > 0 && isToken(part) {
			list = append(list, part)
		}
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if value != "" && (err != nil || Named(plain) || slices.Contains(keys, bare(plain)) || isToken(value)) {
			list = append(list, value)
		}
	}
	return list
}

// Address is an address without what is secret in it, of the same length.
func Address(address string) string {
	for _, value := range InAddress(address) {
		address = strings.ReplaceAll(address, value, strings.Repeat("x", len(value)))
	}
	return address
}

// isToken says whether a text reads like one that nobody could guess, or stands where
// one was struck.
func isToken(s string) bool {
	if len(s) >= shortestToken && strings.Trim(s, "x") == "" {
		return true
	}
	digits, letters := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c != '-' && c != '_' && c != '.' && c != '%':
			return false
		}
	}
	return digits+letters >= shortestToken && digits > 1 && letters > 1 && !shapedAsUUID(s)
}

func shapedAsUUID(s string) bool {
	return len(s) == uuidLength && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-'
}

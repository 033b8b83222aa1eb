package secret

import (
	"encoding/base64"
	"slices"
	"strings"
)

// opens says whether what is written so may be a credential, and is no word of a sentence.
// What was struck is.
func opens(as written, value string) bool {
	digits, others, struck := 0, 0, true
	for i := range len(value) {
		switch c := value[i]; {
		case isDigit(c):
			digits++
			struck = struck && c == '1'
		case isLetter(c):
			struck = struck && c|0x20 == 'x'
		default:
			others++
		}
	}
	switch {
	case others == len(value):
		return false
	case struck || as == asAssigned || as == asPEM:
		return true
	case as == asBearer:
		return !strings.HasPrefix(value, "eyJ") && (digits > 0 || turns(value) > 2) // a token that says what it is keeps that
	case as == asBasic:
		return isBasic(value)
	case as == asWord:
		return !saidOfPasswords(value) // one with digits is none of those
	default:
		return digits > 0
	}
}

// saidOfPasswords says whether a word stands behind "password:" where none is given.
func saidOfPasswords(word string) bool {
	return slices.Contains([]string{
		"please", "must", "should", "needs", "cannot", "wrong", "invalid", "incorrect", "required", "missing", "expired", "changed", "unchanged", "forgotten", "reset",
		"optional", "string", "null", "none", "empty", "true", "false", "hidden", "redacted", "secret", "again", "your", "enter", "choose", "minimum", "maximum", "least", "only", "sent", "ours",
	}, strings.ToLower(strings.Trim(word, ".!?:")))
}

// isBasic says whether a text is a name and a password in Base64.
func isBasic(value string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(value[:len(value)&^3]), "="))
	return err == nil && strings.Contains(string(plain), ":")
}

// turns counts the capitals behind small letters.
func turns(value string) (n int) {
	for i := 1; i < len(value); i++ {
		if 'A' <= value[i] && value[i] <= 'Z' && 'a' <= value[i-1] && value[i-1] <= 'z' {
			n++
		}
	}
	return n
}

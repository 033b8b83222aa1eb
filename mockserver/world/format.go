package world

import (
	"net/mail"
	"strings"
	"unicode"

	"paysandbox/fixtures/phone"
	"paysandbox/mockserver/latitude"
)

// validEmail says whether s is one e-mail address with a dotted domain, without
// a display name. Ordinary addresses are judged without the parser.
func validEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 || !validDomain(s[at+1:]) {
		return false
	}
	if plainLocal(s[:at]) {
		return true
	}
	if strings.ContainsAny(s, "<>") || strings.TrimSpace(s) != s || strings.ContainsFunc(s, unseen) {
		return false
	}
	a, err := mail.ParseAddress(s)
	return err == nil && a.Name == ""
}

// unseen says whether a person who reads an address does not see r.
func unseen(r rune) bool { return !unicode.IsPrint(r) }

// plainLocal says whether the part before the @ is letters, digits and the
// usual signs, with single dots inside.
func plainLocal(s string) bool {
	dot := true
	for i := range len(s) {
		switch b := s[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_', b == '-', b == '+':
			dot = false
		case b == '.' && !dot:
			dot = true
		default:
			return false
		}
	}
	return !dot
}

// validDomain says whether s is two or more labels of letters, digits and inner
// hyphens, the last of which is not a number.
func validDomain(s string) bool {
	labels, number := 0, false
	for label := range strings.SplitSeq(s, ".") {
		if !validLabel(label) {
			return false
		}
		labels++
		number = allDigits(label)
	}
	return labels > 1 && !number
}

// validLabel says whether s is one part of a domain name.
func validLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		switch b := s[i]; {
		case b == '-', '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		default:
			return false
		}
	}
	return true
}

// The least and most digits of a possible telephone number.
const (
	fewestDigits = 8
	mostDigits   = 15
)

// validPhone says whether s is a telephone number that exists, or one that is only
// possible where the ledger says so; without a plus it is read as a US number.
func (w *World) validPhone(s string) bool {
	number, exists := phone.E164(s)
	return exists || w.is(latitude.PhonePossible) && len(number) > fewestDigits && len(number) <= mostDigits+1
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// e164 says whether s is a plus and the digits of a valid number.
func (w *World) e164(s string) bool {
	number, _ := phone.E164(s)
	return number == s && w.validPhone(s)
}

// validState says whether s is two upper-case letters.
func validState(s string) bool {
	return len(s) == 2 && 'A' <= s[0] && s[0] <= 'Z' && 'A' <= s[1] && s[1] <= 'Z'
}

// validZip says whether s is five digits, or five and four with a hyphen
// between. A hyphen with nothing behind is let through when the caller says so.
func validZip(s string, bareHyphen bool) bool {
	if len(s) < 5 || !allDigits(s[:5]) {
		return false
	}
	switch rest := s[5:]; rest {
	case "":
		return true
	case "-":
		return bareHyphen
	default:
		return len(rest) == 5 && rest[0] == '-' && allDigits(rest[1:])
	}
}

// phoneKey is the form in which telephone numbers are compared: E.164 where the
// number can be read, else the text itself.
func phoneKey(s string) string {
	if number, _ := phone.E164(s); number != "" {
		return number
	}
	return s
}

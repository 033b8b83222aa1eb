package secret

import (
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/spelling"
)

// parts of names, in lower case and without separators, that say that the value
// is secret, wherever the name stands.
var parts = []string{
	"ssn", "socialsecurity", "secret", "password", "passwd", "passphrase", "cvv", "cvc", "iban",
	"cardnumber", "accountnumber", "routingnumber", "taxid", "document", "accesstoken", "refreshtoken", "idtoken", "authtoken",
	"apikey", "privatekey", "securitycode",
}

// whole are names that say it when there is nothing more to them.
var whole = []string{"token", "authorization", "cookie", "pan", "pin", "otp", "pwd", "jwt", "sessionid"}

// asked are names of parameters that say it in the address of a call.
var asked = []string{"sig", "signature", "xamzsignature", "auth", "session", "assertion", "credential"}

// loose are parts of names that a log does without: they say too little where
// names are a partner's.
var loose = []string{"token", "authorization", "card", "account"}

// longest is how much of a name is looked at, in bytes.
const longest = 64

// Named says whether a value is secret by its name: that of a member, or of a
// parameter. Letter case, underscores and hyphens do not count.
func Named(name string) bool { return named(bare(name)) }

func named(low string) bool {
	return slices.Contains(whole, low) || holdsPart(low, parts)
}

// Logged says the same of an attribute in a log, which shows less.
func Logged(name string) bool {
	low := bare(name)
	return named(low) || holdsPart(low, loose)
}

func holdsPart(low string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(low, part) })
}

// bare is the beginning of a name in small letters, without separators.
func bare(name string) string {
	var room [longest]byte
	low := room[:0]
	for i := range min(len(name), longest) {
		switch c := name[i]; {
		case c == '_', c == '-', c == ' ', c == '.':
		case 'A' <= c && c <= 'Z':
			low = append(low, c|0x20)
		default:
			low = append(low, c)
		}
	}
	return string(low)
}

// Names knows the members of a request: which hold secrets, and which do not
// although their names might say so.
type Names struct {
	known  map[string]bool // bare name → is secret
	secret []string        // bare, in the order in which they were added
}

// Add makes a member known; one that is secret anywhere is secret everywhere.
func (n *Names) Add(name string, secret bool) {
	low := bare(name)
	if secret && !n.known[low] {
		n.secret = append(n.secret, low)
	}
	if n.known == nil {
		n.known = map[string]bool{}
	}
	n.known[low] = n.known[low] || secret
}

// Has says whether a member of that name, found where none is expected, is
// secret: also when it stands in the wrong place or is misspelt.
func (n *Names) Has(name string) bool {
	low := bare(name)
	if secret, ok := n.known[low]; ok {
		return secret
	}
	return named(low) || slices.ContainsFunc(n.secret, func(s string) bool {
		return spelling.Within(low, s, min(len(s)/4+1, 2))
	})
}

// Query hides the values of a raw query's secret parameters, and of those whose
// names cannot be read.
func Query(raw string) string {
	if raw == "" {
		return ""
	}
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err != nil || Named(plain) || slices.Contains(asked, bare(plain)) {
			pairs[i] = name + "=" + strings.Repeat("x", len(value))
		}
	}
	return strings.Join(pairs, "&")
}

// StruckQuery is a raw query without what has the form of personal data, and says
// whether there was any.
func StruckQuery(raw string) (struck string, found bool) {
	if raw == "" {
		return "", false
	}
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, there := strings.Cut(pair, "=")
		for _, part := range [...]*string{&name, &value} {
			plain, err := url.QueryUnescape(*part)
			if err != nil {
				continue
			}
			left, list := Struck(plain, nil)
			found = found || len(list) > 0
			if left != plain {
				*part = url.QueryEscape(left)
			}
		}
		if pairs[i] = name; there {
			pairs[i] += "=" + value
		}
	}
	return strings.Join(pairs, "&"), found
}

package privacy

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases are rows of words, each as words gives them, by their first words.
type phrases map[string][]string

// add keeps a phrase.
func (p phrases) add(phrase string) {
	first, _, _ := strings.Cut(strings.TrimPrefix(phrase, " "), " ")
	if first != "" && !slices.Contains(p[first], phrase) {
		p[first] = append(p[first], phrase)
	}
}

// in lists the phrases that words hold.
func (p phrases) in(words string) []string {
	var found []string
	for i := 0; i < len(words)-1; i++ {
		if words[i] != ' ' {
			continue
		}
		first, _, _ := strings.Cut(words[i+1:], " ")
		for _, phrase := range p[first] {
			if strings.HasPrefix(words[i:], phrase) {
				found = append(found, phrase)
			}
		}
	}
	return found
}

// words is a text as its words in lower case, with one space around each.
func words(text string) string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, " ") + " "
}

// letters are those of which something is written that is looked for, and how many of
// its signs that must hold at least. Most texts hold none so long, and are not searched.
type letters struct {
	// kind is 1 for what may stand between signs, 2 for a sign.
	kind  [256]byte
	least int
	// around is how many bytes beside a run are of it too, for a form that asks what
	// stands there: those of one sign.
	around int
}

// lettersOf makes them of signs, and of what may stand between them.
func lettersOf(signs, between string, least, around int) *letters {
	l := &letters{least: least, around: around}
	for i := range len(between) {
		l.kind[between[i]] = 1
	}
	for i := range len(signs) {
		l.kind[signs[i]] = 2
	}
	return l
}

const figureSigns = "0123456789"

// What telephone and social security numbers are written in, and Base64 of either
// alphabet.
var (
	numbers = lettersOf(figureSigns, "+ ().-", 9, utf8.UTFMax)
	base64s = lettersOf(base64Signs, "", shortestBase64, 0)
)

const base64Signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + figureSigns + "+/_-"

// runs are the parts of a text in which nothing but these letters stands, and enough of
// the signs.
func (l *letters) runs(text string) []string {
	var found []string
	from, signs := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && l.kind[text[i]] > 0 {
			signs += int(l.kind[text[i]] - 1)
			continue
		}
		if signs >= l.least {
			found = append(found, text[max(from-l.around, 0):min(i+l.around, len(text))])
		}
		from, signs = i+1, 0
	}
	return found
}

// The lengths of Base64 that is read, in letters: from which on it may be of a person,
// and up to which it is looked for behind prefixes, each of which has it read again.
const (
	shortestBase64 = 12
	longestBehind  = 256
)

// unwrapped are the readable texts that a text holds in Base64, alone or behind a
// prefix: who writes an address so has not made it opaque.
func unwrapped(text string) []string {
	var found []string
	for _, token := range base64s.runs(text) {
		for rest, more := token, true; more && len(rest) >= shortestBase64; {
			if len(rest) == len(token) || len(rest) <= longestBehind {
				if plain, ok := decoded(rest); ok {
					found = append(found, plain)
					break
				}
			}
			n := strings.IndexAny(rest, "-_/+")
			if more = n >= 0; more {
				rest = rest[n+1:]
			}
		}
	}
	return found
}

// ofStandard turns Base64 of the alphabet for addresses into that of the standard.
var ofStandard = strings.NewReplacer("-", "+", "_", "/")

// decoded reads Base64 of either alphabet and says whether it is readable text.
func decoded(token string) (string, bool) {
	raw, err := base64.RawStdEncoding.DecodeString(ofStandard.Replace(token))
	if err != nil {
		return "", false
	}
	for _, b := range raw {
		if b < ' ' || b > '~' {
			return "", false
		}
	}
	return string(raw), true
}

package secret

import "strings"

// written is how a credential stands behind its lead.
type written int

const (
	asKey      written = iota // at once
	asBearer                  // after a space
	asBasic                   // the same
	asNamed                   // after a colon, an equals sign or "is"
	asAssigned                // after an equals sign, or between quotes
	asWord                    // after a colon, behind a name that nothing but a password follows
	asPEM                     // over lines
)

// lead is what stands before a credential.
type lead struct {
	word string
	as   written
}

// leads are all, in small letters where case does not count.
var leads = [...]lead{
	{"bearer", asBearer},
	{"basic", asBasic},
	{"PRIVATE KEY-----", asPEM},
	{"password", asNamed},
	{"passwd", asNamed},
	{"passphrase", asNamed},
	{"pwd", asNamed},
	{"secret", asNamed},
	{"api_key", asNamed},
	{"apikey", asNamed},
	{"api-key", asNamed},
	{"access_token", asNamed},
	{"accesstoken", asNamed},
	{"secretkey", asNamed},
	{"secret_key", asNamed},
	{"sk_live_", asKey},
	{"sk_test_", asKey},
	{"rk_live_", asKey},
	{"rk_test_", asKey},
	{"whsec_", asKey},
	{"ghp_", asKey},
	{"gho_", asKey},
	{"ghu_", asKey},
	{"ghs_", asKey},
	{"ghr_", asKey},
	{"github_pat_", asKey},
	{"xoxa-", asKey},
	{"xoxb-", asKey},
	{"xoxe-", asKey},
	{"xoxo-", asKey},
	{"xoxp-", asKey},
	{"xoxr-", asKey},
	{"xoxs-", asKey},
	{"AKIA", asKey},
	{"ASIA", asKey},
	{"AIza", asKey},
	{"glpat-", asKey},
	{"npm_", asKey},
	{"SG.", asKey},
}

// folds says whether case does not count.
func (l *lead) folds() bool { return l.as != asKey && l.as != asPEM }

// sought is a lead by two bytes in it that stand side by side, of which the second is a
// rare one.
type sought struct {
	*lead
	at int // of the second
}

// byPair are the leads by two bytes of them, the second in the higher half, and isPair says
// whether there are any. Each lead stands there twice, by a second byte at an odd place and
// by one at an even place: it is enough to look at every other pair of a text.
var byPair, isPair = leadsByPair()

func leadsByPair() (table map[uint16][]sought, is [1 << 16 / 64]uint64) {
	table = map[uint16][]sought{}
	for i := range leads {
		l := &leads[i]
		for _, first := range [...]int{1, 2} {
			var seconds []byte
			for at := first; at < len(l.word); at += 2 {
				seconds = append(seconds, l.word[at])
			}
			at := first + 2*rarest(string(seconds))
			for _, before := range l.cases(at - 1) {
				for _, c := range l.cases(at) {
					pair := uint16(before) | uint16(c)<<8
					table[pair] = append(table[pair], sought{l, at})
					is[pair/64] |= 1 << (pair % 64)
				}
			}
		}
	}
	return table, is
}

// cases are the bytes that may stand at a place of a lead.
func (l *lead) cases(at int) []byte {
	if c := l.word[at]; !l.folds() || !isLetter(c) {
		return []byte{c}
	}
	return []byte{l.word[at] | 0x20, l.word[at] &^ 0x20}
}

// ends is where the lead ends whose byte stands at i; 0 when it is another word.
func (l *sought) ends(text string, i int) int {
	start := i - l.at
	if start < 0 || start+len(l.word) > len(text) || l.as != asNamed && start > 0 && inWord(text[start-1]) && l.as != asPEM {
		return 0
	}
	end := start + len(l.word)
	if text[start:end] == l.word || l.folds() && strings.EqualFold(text[start:end], l.word) {
		return end
	}
	return 0
}

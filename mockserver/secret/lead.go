package secret

import (
	"strings"
	"unicode/utf8"
)

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

// sought is a lead by three bytes of it that stand side by side.
type sought struct {
	*lead
	at int // of the first of them
}

const (
	soughtSize = 3
	soughtBits = 1 << 14
)

// byBytes are the leads by three bytes of them, as small letters, and mayLead has a bit for
// each. A lead stands there twice, by three bytes at an even place and by three at an odd
// one: it is enough to look at every other place of a text. One of three letters has two of
// them at an odd place, and what may stand behind it.
var byBytes, mayLead = leadsByBytes()

func leadsByBytes() (table map[uint64][]sought, may [soughtBits / 64]uint64) {
	table = map[uint64][]sought{}
	add := func(l *lead, at int, window uint64) {
		table[window] = append(table[window], sought{l, at})
		bit := soughtBit(window)
		may[bit/64] |= 1 << (bit % 64)
	}
	for i := range leads {
		l := &leads[i]
		for first := range 2 {
			if first+soughtSize > len(l.word) {
				for c := range byte(0xFF) {
					if l.before(c) {
						add(l, first, soughtAt(l.word[first:]+string(rune(c)), 0))
					}
				}
				continue
			}
			at := rarestWindow(l.word, first)
			add(l, at, soughtAt(l.word, at))
		}
	}
	return table, may
}

// rarestWindow is the place of three bytes with the one that bodies hold least often, of all
// that stand an even number of bytes behind the first.
func rarestWindow(word string, first int) (at int) {
	best := -1
	for i := first; i+soughtSize <= len(word); i += 2 {
		for _, c := range []byte(word[i : i+soughtSize]) {
			if rank := rarity(c); rank > best {
				at, best = i, rank
			}
		}
	}
	return at
}

// before says whether a byte may stand behind a lead that a credential follows.
func (l *lead) before(c byte) bool {
	if l.as == asKey {
		return c < utf8.RuneSelf && belongs(asKey, string(rune(c)), 0)
	}
	return c < utf8.RuneSelf && strings.IndexByte("\"'\\ \t+%=:", c) >= 0
}

// fold makes small letters of three capitals.
const fold = 0x202020

// soughtAt are three bytes of a text, as small letters.
func soughtAt(text string, at int) uint64 {
	_ = text[at+2]
	return uint64(text[at]) | uint64(text[at+1])<<8 | uint64(text[at+2])<<16 | fold
}

// soughtBit spreads three bytes over the bits.
func soughtBit(window uint64) uint64 { return (window ^ window>>7) % soughtBits }

// nextLead gives the first place from i on, of every other one, where a lead may stand; -1 for
// none.
func nextLead(text string, i int) int {
	may, rest := &mayLead, text[i:]
	for len(rest) >= 8 { // three places at once: most hold none
		w := Eight(rest) | each*0x20
		w ^= w >> 7
		if may[w>>6%256]&(1<<(w%64)) != 0 || may[w>>22%256]&(1<<(w>>16%64)) != 0 || may[w>>38%256]&(1<<(w>>32%64)) != 0 {
			break
		}
		rest = rest[6:]
	}
	for ; len(rest) >= soughtSize; rest = rest[2:] {
		if bit := soughtBit(soughtAt(rest, 0)); may[bit/64]&(1<<(bit%64)) != 0 {
			return len(text) - len(rest)
		}
	}
	return -1
}

// ends is where the lead ends whose bytes stand at i; 0 when it is another word.
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

package secret

import (
	"net/url"
	"slices"
	"strings"
)

// shortest is how long a secret must be to be looked for, in bytes, and
// shortestWord how long one of letters alone: a shorter one may be a word, such as
// the payments of a path.
const (
	shortest     = 8
	shortestWord = 16
)

// maxWords bounds how many words are looked for: each costs every entry some time.
const maxWords = 64

// Values are secrets that are known by their values, and access tokens, known by
// how they begin.
type Values struct {
	known []string
	words []Word
}

// NewValues knows tokens that begin so, and no secret yet. Secrets are found in other
// encodings, too.
func NewValues(token string) Values {
	return Values{words: []Word{newWord(token, "", nil), {encoded: encodedTokens()}}}
}

// ValuesOf knows the given secrets as they are written, and no tokens.
func ValuesOf(secrets []string) (v Values) {
	v.Add(secrets...)
	return v
}

// Add notes secrets in each of their spellings. What may be a word of its own is
// left out, and so is what comes after the first 64 spellings.
func (v *Values) Add(secrets ...string) {
	if len(secrets) == 0 {
		return
	}
	before := len(v.known)
	for _, s := range secrets {
		v.add(s)
	}
	at := slices.IndexFunc(v.words, func(w Word) bool { return w.encoded != nil })
	if at < 0 || len(v.known) == before {
		return
	}
	list := slices.Delete(slices.Clone(v.words), at, at+1)    // forks have the same
	v.words = append(list, Word{encoded: encodedOf(v.known)}) // the last: a secret as it is spelt counts first
}

func (v *Values) add(secret string) {
	head := secret[:headOf(secret)]
	if head == "" && !Findable(secret) || slices.Contains(v.known, secret) || len(v.words) >= maxWords {
		return
	}
	v.known = append(v.known, secret)
	if head != "" {
		v.addShort(head, secret[len(head):])
		return
	}
	v.words = append(v.words, newWord(secret, secret, asIs))
	if plain(secret) {
		return
	}
	for _, write := range [...]func(string) string{url.QueryEscape, url.PathEscape, lowerEscape, escapeSlashes, escapeJSON} {
		if find := write(secret); find != secret {
			v.words = append(v.words, newWord(find, secret, write))
		}
	}
}

// addShort notes a secret that is found behind its name in an address alone.
func (v *Values) addShort(head, value string) {
	plain := func(s string) string { return head + s }
	v.words = append(v.words, newWord(plain(value), value, plain))
	if head[0] == '&' { // as the answer of a call has it
		json := func(s string) string { return escapeJSON(head) + s }
		v.words = append(v.words, newWord(json(value), value, json))
	}
}

// Known are the secrets that are known by their values, in the order in which they
// became so.
func (v *Values) Known() []string { return v.known }

// Words are what is looked for.
func (v *Values) Words() []Word { return v.words }

// Text is a text without what is known.
func (v *Values) Text(text string) string {
	for n := range v.words {
		text = v.words[n].Text(text)
	}
	return text
}

// Body is a body without what is known.
func (v *Values) Body(body []byte) []byte {
	for n := range v.words {
		body = v.words[n].Body(body)
	}
	return body
}

// Findable says whether a secret is looked for.
func Findable(secret string) bool {
	return len(secret) >= shortestWord || len(secret) >= shortest &&
		strings.ContainsFunc(secret, func(c rune) bool { return c|0x20 < 'a' || c|0x20 > 'z' })
}

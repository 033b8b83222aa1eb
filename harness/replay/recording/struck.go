package recording

import (
	"strings"
	"sync"
	"unicode/utf8"

	"paysandbox/harness/trail"
)

// Struck says whether a value is none: somebody has written that there was one, or left a part of it. It says nothing of
// what was sent or answered, and is equal to no other.
func Struck(value string) bool {
	v := strings.TrimSpace(value)
	if v == "" || len(v) > longestStruck || unmarked(v) || leftOpen().MatchString(v) || masked().MatchString(v) {
		return false
	}
	return struckWhole().MatchString(v) || !strings.ContainsAny(v, " \t\r\n") && struckPartly().MatchString(v) || struckEnd().MatchString(v)
}

// unmarked says that a value has none of the marks, and is none of the words, that what is struck out has: nearly all are so, and
// patterns are dear.
func unmarked(v string) bool {
	if strings.HasPrefix(v, "eyJ") { // how an access token begins
		return false
	}
	for i := range len(v) {
		switch c := v[i]; {
		case c >= utf8.RuneSelf, strings.IndexByte("*#%[<({", c) >= 0, strings.HasPrefix(v[i:], "..."), strings.HasPrefix(v[i:], "xx"), strings.HasPrefix(v[i:], "xX"),
			strings.HasPrefix(v[i:], "Xx"), strings.HasPrefix(v[i:], "XX"):
			return false
		}
	}
	return !wordsStruck()[strings.ToLower(strings.Trim(v, `"'*_-`))]
}

// wordsStruck are the words of sayingStruck, each for itself.
var wordsStruck = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, z := range []string{"s", "z"} {
		for word := range strings.SplitSeq(strings.ReplaceAll(sayingStruck, "[sz]", z), "|") {
			all[word] = true
		}
	}
	return all
})

// Shortened says whether the name of a member, or an entry of a list, is none: it says that more of them stood there.
func Shortened(text string) bool {
	if len(text) > longestStruck {
		return false
	}
	may := strings.ContainsAny(text, "…[<(") || strings.Contains(text, "...") || strings.Contains(strings.ToLower(text), "more") // patterns are dear
	return may && more().MatchString(text)
}

// StruckBody says whether a body is none: struck out, or a remark in brackets, of whatever words, that is not JSON either. One that
// says that there was no body is not one.
func StruckBody(body []byte) bool {
	text := strings.TrimSpace(string(body))
	return Struck(text) || remark().MatchString(text) && !nothing().MatchString(text)
}

// longestStruck is how long a value is at most of which a part is struck out: what is longer is a text.
const longestStruck = 4096

// sayingStruck are words that loggers and people write where a value stood, orInBrackets those that are values without.
const (
	sayingStruck = `redacted|suppressed|undisclosed|filtered|masked|hidden|removed|omitted|scrubbed|saniti[sz]ed|stripped|snipped|truncated|censored|obfuscated|anonymi[sz]ed|blackened|elided|withheld`
	orInBrackets = sayingStruck + `|cut|snip|shortened|sensitive|confidential|protected|deleted|secret|private|token|access_token|value|pii`
)

var (
	// struckWhole is a value of marks alone, or such a word.
	struckWhole = trail.Pattern(`(?i)^["']*(?:[*•●█■▇░…]+|[x*]{3,}|[x*]{2,}(?:[-/. ][x*]{2,})+|#{2,}(?:[-/. ]#+)*|\.{3,}|[*_\-]*(?:` + sayingStruck + `)[*_\-]*|[\[<({*_#%]+\s*(?:[a-z0-9]+[ _.:-]+){0,3}(?:` + orInBrackets + `)(?:[ _.:-]+[a-z0-9]+){0,4}\s*[\]>)}*_#%]+)["']*$`)
	// struckPartly is a word of which a part is marks.
	struckPartly = trail.Pattern(`\*{3,}|[\[<(]\.{2,}[\])>]|[•●█■▇░]{2,}|…|(?i:[a-z0-9_-]\.{3,}(?:[a-z0-9_-]{0,8}|` + sayingStruck + `|shortened)$)|^eyJ[A-Za-z0-9_.-]*[-_~](?i:` + sayingStruck + `|cut|snip|shortened)$`)
	// struckEnd is a value behind which it says that the rest is left out.
	struckEnd = trail.Pattern(`(?i)(?:…|\.{3,}|[a-z0-9])\s*[\[<(]\s*(?:[0-9a-z]+\s+){0,3}(?:` + sayingStruck + `|cut|snip|shortened)(?:\s+[0-9a-z]+){0,3}\s*[\]>)]\s*$`)
	// more says in the place of members, or of entries of a list, that there were more of them.
	more = trail.Pattern(`(?i)^[\s"']*(?:\.{3,}|…)|^[\[<({ .…]*(?:and )?[0-9]+ more(?: (?:items?|keys?|entries|fields?|members?|elements?|rows?|objects?|values?))?[\]>)} .…]*$|^[\[<(]\s*(?:` + sayingStruck + `|cut|snip|shortened)\s*[\]>)]$`)
	// remark is a body in whose place a logger says why it is not shown; nothing says that there was none.
	remark  = trail.Pattern(`^(?:\[[A-Za-z][^\[\]{}"<>]{1,60} [^\[\]{}"<>]{1,60}\]|<[A-Za-z][^\[\]{}"<>/=]{1,60} [^\[\]{}"<>/=]{1,60}>|\([A-Za-z][^()\[\]{}"<>]{1,60} [^()\[\]{}"<>]{1,60}\))$`)
	nothing = trail.Pattern(`(?i)\b(?:empty|none|null|nil|no|without|true|false)\b`)
	// leftOpen is a variable that a file leaves open.
	leftOpen = trail.Pattern(`^(?:\{\{[^{}]*\}\}|\$\{?[A-Za-z_][A-Za-z0-9_]*\}?)$`)
	// masked is the end of a number, as the service itself shows it.
	masked = trail.Pattern(`^[*•x]{1,16}[ -]?[0-9]{2,4}$`)
)

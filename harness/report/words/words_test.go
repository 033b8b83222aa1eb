package words_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/words"
)

// TestWords is every helper at its edges.
func TestWords(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		words.FirstLine("one\ntwo"):              "one …",
		words.FirstLine("one"):                   "one",
		words.OneLine(" a\n b  c "):              "a b c",
		words.Sentence("élan"):                   "Élan",
		words.Sentence("\xff"):                   "\xff",
		words.Ended("done"):                      "done.",
		words.Ended("done?"):                     "done?",
		words.After(": ", ""):                    "",
		words.After(": ", "x"):                   ": x",
		words.Plural(1, "clause", "clauses"):     "1 clause",
		words.Plural(0, "clause", "clauses"):     "0 clauses",
		words.Times(1) + words.Times(2):          "oncetwice",
		words.Times(3):                           "3 times",
		words.Indent("a\nb", "> "):               "> a\n> b\n",
		words.Indent("", "> "):                   "",
		words.Shortened("abcdef", 4):             "abcd\n(2 more bytes)",
		words.Shortened("abc", 4):                "abc",
		words.Harmless("a\x1b[2J\u202eb"):        "a␛[2J\ufffdb",
		words.Prose("*a* <b> https://x"):         `\*a\* &lt;b&gt; https\://x`,
		words.Clip(strings.Repeat("x", 81))[80:]: "…",
	} {
		require.Equal(t, want, got)
	}
}

// TestFold: lines are broken between words, behind an indent; a command is copied whole,
// and colours take no room.
func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"aaaa bbbb cccc\n":                       "aaaa bbbb\n  cccc\n",
		"a  b   c    d\n":                        "a  b   c\n  d\n",
		"  aaaa bbbb cccc\n":                     "  aaaa\n    bbbb\n    cccc\n",
		"aaaa `b --help c` dddd\n":               "aaaa\n  `b --help c`\n  dddd\n",
		"aaaaaaaaaaaa bb\n":                      "aaaaaaaaaaaa\n  bb\n",
		"\x1b[31maaaa bb\x1b[0m cc\n":            "\x1b[31maaaa bb\x1b[0m cc\n",
		"\x1b]8;;http://x\x1b\\#1\x1b]8;;\x1b\\": "\x1b]8;;http://x\x1b\\#1\x1b]8;;\x1b\\",
		"aaaa\n\nbbbb":                           "aaaa\n\nbbbb",
	} {
		require.Equal(t, want, words.FoldLines(text, 10, "  "))
	}
}

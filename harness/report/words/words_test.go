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

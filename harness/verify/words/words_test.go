package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/tape"
)

// TestABrokenSentenceIsStrange takes words away, and changes what changes anyway.
func TestABrokenSentenceIsStrange(t *testing.T) {
	t.Parallel()
	refused := func(detail string) []string {
		return words.Entry(&tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Response: tape.Response{
			Status: 405, Body: []byte(`{"type":"urn:paysandbox:problem:method-not-allowed","title":"The method is not allowed here","detail":"` + detail + `"}`),
		}}})
	}
	for name, c := range map[string]struct{ said, strange []string }{
		"a known refusal":  {refused("PATCH is not a method of /User/Register; use POST")[2:], nil},
		"another path":     {refused("PATCH is not a method of /Payment/Create; use POST")[2:], nil},
		"a word is gone":   {refused("PATCH/User/Register; use POST")[2:], []string{"refusal: PATCH/User/Register; use POST"}},
		"a known page":     {words.Page("<p>It was good for 24 hours.</p>"), nil},
		"a page's word":    {words.Page("<p>24 hours.</p><style>p{}</style>"), []string{"page: 0 hours."}},
		"a known message":  {words.Message("Link your bank account", "Link your bank account:\n\nhttp://x.example/y", ""), nil},
		"a message's word": {words.Message("Link account", "", ""), []string{"message: Link account"}},
	} {
		list := words.Known()
		require.Equal(t, c.strange, list.Strange(c.said), name)
		require.NotEmpty(t, list.Heard(), name)
	}
}

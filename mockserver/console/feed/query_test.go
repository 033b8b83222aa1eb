package feed_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/feed"
)

// FuzzParseQuery: an address of a list says anything. What is read of it stands in the
// address of the next page, and picks the same there.
func FuzzParseQuery(f *testing.F) {
	for _, query := range []string{"q=a&kind=exchange&kind=exchange&before=7", "outcome=bad&answer=404&operation=createPayment&clause=a.b", "q=+" + "\xff&before=-1", "q=%zz;&kind=nope&entity=e1", "q=" + strings.Repeat("a", 199) + "++b"} {
		f.Add(query)
	}
	shown := list{exchange(1, 200, `{}`), exchange(2, 400, `{"errors":{}}`)}
	f.Fuzz(func(t *testing.T, query string) {
		v, err := url.ParseQuery(query)
		q := feed.ParseQuery(v) // a console reads what can be read of it
		if err == nil {
			require.LessOrEqual(t, len(q.Text), 200)
		}
		again := feed.ParseQuery(q.Values())
		again.Before = q.Before
		require.Equal(t, q, again)
		for i := range shown {
			row := feed.RowOf(&shown[i])
			require.Equal(t, q.Match(&shown[i], &row), again.Match(&shown[i], &row))
			require.True(t, !q.Empty() || q.Match(&shown[i], &row), "who asks for nothing is shown all")
		}
	})
}

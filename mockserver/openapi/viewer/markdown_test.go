package viewer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMarkdownEscapesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"Two\nlines.\n\nNext.":           "<p>Two lines.</p><p>Next.</p>",
		"## A title\n\n- `a<b`\n- **x**": "<h2>A title</h2><ul><li><code>a&lt;b</code></li><li><strong>x</strong></li></ul>",
		"Of these:\n- one":               "<p>Of these:</p><ul><li>one</li></ul>",
		"<script>alert(1)</script> & '":  "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#39;</p>",
	} {
		require.Equal(t, want, string(markdown(text)))
	}
}

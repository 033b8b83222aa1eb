package excerpt_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/read/excerpt"
)

// TestBridge: of a body whose middle is left out the whole members of both ends are told, and that something is missing.
func TestBridge(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"rows":[{"a":1},{"a":2},{"a":3, …[25730 Zeichen gekürzt]… x":"","b":{"c":[1]}},{"a":9}],"hasMore":true,"next":"q"}`: `{"rows":[{"a":1},{"a":2},"…"],"hasMore":true,"next":"q"}`,
		`{"rows":[{"a":1},{"a":2...[truncated 900 bytes]...t":2}],"hasMore":false}`:                                           `{"rows":[{"a":1},"…"],"hasMore":false}`,
		"{\n  \"rows\": [\n    {\"a\":1},\n    ...\n  ],\n  \"hasMore\": true\n}":                                             `{"rows":[{"a":1},"…"],"hasMore":true}`,
		`{"a":1, ..., "z":2}`:                                      `{"a":1,"…":"…","z":2}`,
		`{"a":1, ... }`:                                            `{"a":1,"…":"…"}`,
		`{"id":"x","note":"long te<cut>xt","z":2}`:                 ``,
		`{"id":"x","o":{"p":"lo (1024 more characters) ng"},"z":2`: ``,
		`{"id":"x","o":{"p":"lo<... 1024 more ...>, "z":[2]}`:      `{"id":"x","…":"…","z":[2]}`,
		`{"rows":[{"id":"4e8b- ... [18112 more characters] ... 0147","a":2},{"a":3}],"hasMore":true}`: `{"rows":["…"],"hasMore":true}`,
		`{"rows":[{"a":1},{"id":"4e8b…<18112 bytes omitted>…0147","a":2},{"a":3}],"z":true}`:          `{"rows":[{"a":1},"…"],"z":true}`,
		`{"note":"dinner (2 adults), see [cut] ... there","data":"[2000 bytes omitted]"}`:             ``,
		`{"whole":"…"}`:           ``,
		`{"a":1,"b":`:             ``,
		`{"a":[1,2,...`:           ``,
		`{"a" "b" ... }`:          ``,
		`{"rows":[...]}`:          ``,
		`{"rows":[{"a":1}, ...]}`: `{"rows":[{"a":1},"…"]}`,
		`[1, ..., 3]`:             ``,
	} {
		require.Equal(t, want, string(excerpt.Bridge([]byte(text))), text)
	}
}

// FuzzBridge reads any text: what it makes is JSON that says of itself that it is not whole.
func FuzzBridge(f *testing.F) {
	f.Add([]byte(`{"rows":[{"a":1},{"a":2},{"a":3, …[25730 Zeichen gekürzt]… x":"","b":{"c":[1]}},{"a":9}],"hasMore":true}`))
	f.Add([]byte(`{"a":1, ..., "z":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if made := excerpt.Bridge(text); made != nil {
			require.True(t, json.Valid(made), "%s", made)
			require.True(t, correlate.Shortened(made), "%s", made)
			require.LessOrEqual(t, len(made), 6*len(text)+20)
		}
	})
}

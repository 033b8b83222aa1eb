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

// TestBegun: of a body that a logger has cut the whole members are told, and that more stood there.
func TestBegun(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"status":400,"errors":{"zip":["bad"],"a.b":["exp…(truncated, 1376 chars)`: `{"status":400,"errors":{"zip":["bad"],"a.b":["…"],"…":"…"},"…":"…"}`,
		`{"list":[{"a":1},{"b":...`:         `{"list":[{"a":1},"…"],"…":"…"}`,
		`{"a":1,"b":"lo...`:                 `{"a":1,"…":"…"}`,
		`{"a":1,"b":42...`:                  `{"a":1,"…":"…"}`,
		`{"a":1,"b":42,...`:                 `{"a":1,"b":42,"…":"…"}`,
		`{"list":[12,34...`:                 `{"list":[12,"…"],"…":"…"}`,
		`{"a":{"b":{"c":1,"d": [truncated]`: `{"a":{"b":{"c":1,"…":"…"},"…":"…"},"…":"…"}`,
		`{"a":1,"b":2}`:                     "",
		`{"a":1,"b":`:                       "",
		`{"b":"lo...`:                       "",
		`plain text...`:                     "",
	} {
		require.Equal(t, want, string(excerpt.Begun([]byte(text))), text)
	}
}

// FuzzBridge reads any text: what it makes is JSON that says of itself that it is not whole.
func FuzzBridge(f *testing.F) {
	f.Add([]byte(`{"rows":[{"a":1},{"a":2},{"a":3, …[25730 Zeichen gekürzt]… x":"","b":{"c":[1]}},{"a":9}],"hasMore":true}`))
	f.Add([]byte(`{"a":1, ..., "z":2}`))
	f.Add([]byte(`{"a":1,"errors":{"x":["exp…(truncated, 1376 chars)`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, made := range [][]byte{excerpt.Bridge(text), excerpt.Begun(text)} {
			if made != nil {
				require.True(t, json.Valid(made), "%s", made)
				require.True(t, correlate.Shortened(made), "%s", made)
				require.LessOrEqual(t, len(made), 16*len(text)+20)
			}
		}
	})
}

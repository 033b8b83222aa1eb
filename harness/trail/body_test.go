package trail_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
)

// FuzzReadBody: a body is anything. What is read of it is an object whose members are found
// by their names in any case, and which reads the same when it is written again.
func FuzzReadBody(f *testing.F) {
	for _, text := range []string{`{"Id":"a","amount":"12","List":[{"x":1},2,"y"]}`, `{"a":{"b":{}}} `, `{"amount":1e400}`, `{"ID":1,"id":2,"iD":3}`, `[1]`, `{}{}`, `null`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(text), "ID")
	}
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		b := trail.ReadBody(raw)
		var strict map[string]json.RawMessage
		require.Equal(t, json.Unmarshal(raw, &strict) == nil && strict != nil, b != nil, "an object, and nothing behind it")
		if b == nil {
			return
		}
		again := trail.ReadBody(trail.Quote(b))
		require.Equal(t, b, again)
		for _, known := range []string{name, "id", "amount", "list"} {
			require.Equal(t, b.Get(known), again.Get(known), "the same each time")
			require.Equal(t, b.Text(known), again.Text(known))
			_, _ = b.Whole(known)
			require.Len(t, again.List(known), len(b.List(known)))
		}
		for member, value := range b {
			require.Equal(t, value, b.Get(member))
		}
		require.LessOrEqual(t, len([]rune(trail.Show(raw))), 201)
	})
}

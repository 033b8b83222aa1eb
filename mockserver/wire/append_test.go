package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/wire"
)

type answer struct {
	ID       string          `json:"id"`
	Mask     *string         `json:"accountMask"`
	List     []answer        `json:"list"`
	Metadata json.RawMessage `json:"metadata"`
	Amount   int64           `json:"amount"`
}

func sample() answer {
	return answer{
		ID: `<a&"b">`, Metadata: json.RawMessage(`{"k":null,"list":[{}]}`), Amount: -5,
		List: []answer{{ID: "x{", List: []answer{}}},
	}
}

func TestAppendShapes(t *testing.T) {
	t.Parallel()
	const inner = `{"id":"x{","accountMask":null,"list":[],"metadata":null,"amount":0}`
	for name, c := range map[string]struct {
		shape wire.Shape
		want  string
	}{
		"plain": {wire.Shape{}, `{"id":"<a&\"b\">","accountMask":null,"list":[` + inner + `],"metadata":{"k":null,"list":[{}]},"amount":-5}`},
		"pascal": {
			wire.Shape{Pascal: true},
			`{"Id":"<a&\"b\">","AccountMask":null,"List":[{"Id":"x{","AccountMask":null,"List":[],"Metadata":null,"Amount":0}],"Metadata":{"k":null,"list":[{}]},"Amount":-5}`,
		},
		"no nulls": {wire.Shape{DropNull: true}, `{"id":"<a&\"b\">","list":[{"id":"x{","list":[],"amount":0}],"metadata":{"k":null,"list":[{}]},"amount":-5}`},
		"extra": {
			wire.Shape{Extra: true},
			`{"id":"<a&\"b\">","accountMask":null,"list":[` + inner + `],"metadata":{"k":null,"list":[{}]},"amount":-5,"sandboxExtra":"a client must ignore members that it does not know"}`,
		},
	} {
		require.Equal(t, "before"+c.want, string(wire.Append([]byte("before"), sample(), c.shape)), name)
	}
}

func TestShuffleKeepsTheValue(t *testing.T) {
	t.Parallel()
	plain := wire.Append(nil, sample(), wire.Shape{})
	differ := 0
	for seed := range uint64(20) {
		a := wire.Append(nil, sample(), wire.Shape{Shuffle: true, Seed: seed})
		require.Equal(t, a, wire.Append(nil, sample(), wire.Shape{Shuffle: true, Seed: seed}))
		require.JSONEq(t, string(plain), string(a))
		if string(a) != string(plain) {
			differ++
		}
	}
	require.Greater(t, differ, 15)
}

func TestAppendOfScalarsAndLists(t *testing.T) {
	t.Parallel()
	all := wire.Shape{Pascal: true, Extra: true, Shuffle: true, DropNull: true}
	for _, v := range []any{nil, 5, "a", true, []int{}, []string{"x", "y"}, []any{nil, map[string]any{}}} {
		require.Equal(t, string(wire.Append(nil, v, wire.Shape{})), string(wire.Append(nil, v, all)))
	}
	require.Panics(t, func() { wire.Append(nil, func() {}, wire.Shape{}) })
}

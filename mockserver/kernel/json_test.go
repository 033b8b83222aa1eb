package kernel_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/kernel"
)

type told struct {
	Live   bool   `json:"Live"`
	Event  string `json:"Event"`
	Detail struct {
		Amount int64   `json:"Amount"`
		Mask   *string `json:"Mask"`
	} `json:"Data"`
}

// TestJSONIsWhatTheTagsSay compares what is written with encoding/json.
func TestJSONIsWhatTheTagsSay(t *testing.T) {
	t.Parallel()
	write := kernel.NewJSON[told]()
	sampling.Check(t, func(t *rapid.T) {
		var v told
		v.Live, v.Event = rapid.Bool().Draw(t, "live"), rapid.String().Draw(t, "event")
		v.Detail.Amount = rapid.Int64().Draw(t, "amount")
		if rapid.Bool().Draw(t, "masked") {
			mask := rapid.String().Draw(t, "mask")
			v.Detail.Mask = &mask
		}
		var back told
		got := write.Append([]byte("x"), &v, false)
		require.NoError(t, json.Unmarshal(got[1:], &back))
		require.Equal(t, v, back)
	})
	mask := "*1111"
	v := told{Live: true, Event: "PAID"}
	v.Detail.Amount, v.Detail.Mask = 5, &mask
	want, err := json.Marshal(v)
	require.NoError(t, err)
	require.Equal(t, string(want), string(write.Append(nil, &v, false)))
	quoted := write.Append(nil, &v, true)
	require.Equal(t, string(bytes.Replace(want, []byte(`:5`), []byte(`:"5"`), 1)), string(quoted))
	require.Panics(t, func() { kernel.NewJSON[struct{ A []string }]() })
}

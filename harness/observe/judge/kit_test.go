package judge_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

const hook = "0f0c4a53-0000-4000-8000-000000000001"

// noted is a note on the tape.
func noted(t *testing.T, kind string, data any) tape.Entry {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"kind": kind, "text": "", "data": data})
	require.NoError(t, err)
	return tape.Entry{Kind: tape.KindControl, Exchange: &tape.Exchange{
		Operation: "addNote", Method: "POST", Path: "/_sandbox/integrations/default/notes",
		Request: tape.Request{Body: raw}, Response: tape.Response{Status: 200, Body: []byte("{}")},
	}}
}

// numbered gives the entries their numbers.
func numbered(list ...tape.Entry) []tape.Entry {
	for i := range list {
		list[i].Seq = uint64(i + 1)
	}
	return list
}

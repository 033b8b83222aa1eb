package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/table"
)

// TestATableOfWebhooks: a receiver keeps the headers of each as an object in a column beside the event.
func TestATableOfWebhooks(t *testing.T) {
	t.Parallel()
	const said = `id,received_at,headers,payload,answered
1,2026-11-12 17:00:01.715+00,"{""content-type"":""application/json"",""x-hmac-signature"":""sha256=5b""}","{""Event"":""X"",""Data"":{""PaymentId"":""p""}}",401
2,2026-11-12 17:00:02+00,"{""x-hmac-signature"":""sha256=5c""}","{""Event"": ""X"", ""Data"": {""PaymentId"": ""p""}}",
3,2026-11-12 17:00:03+00,,gone,
`
	require.True(t, table.Is([]byte(said)))
	p, err := table.Read(&source.File{Name: "a.csv", Data: []byte(said)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Received, 2)
	w := p.Received[0]
	require.Equal(t, `{"Event":"X","Data":{"PaymentId":"p"}}`, string(w.Body))
	require.Equal(t, "sha256=5b", source.Header(w.Header, "X-HMAC-Signature"))
	require.Equal(t, 401, w.Status)
	require.Equal(t, "17:00:01.715", w.At.Format("15:04:05.000"))
	require.Equal(t, 2, w.Place.Line)
	require.False(t, w.Reprinted)
	require.True(t, p.Received[1].Reprinted, "a database has laid it out anew")
	require.False(t, table.Is([]byte("id,at,headers,payload\n1,2026-11-12,\"{\"\"accept\"\":\"\"x\"\"}\",{}\n")))
}

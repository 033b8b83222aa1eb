package filter_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/read/filter"
)

const report = "/Transaction/Report"

// TestAnswer: of what a filter has printed the members that the answer held are told, and that more of it stood there.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		printed []string
		want    string
	}{
		"an object":           {`curl -s x | jq '{hasMore, next: .nextCursor, n: (.transactions|length)}'`, []string{`{"hasMore":true,"next":"c","n":4}`}, `{"hasMore":true,"nextCursor":"c","…":"…"}`},
		"ids":                 {`curl -s x | tee f | jq -c '{tx: [.transactions[].externalTransferId]}'`, []string{`{"tx":["a","b"]}`}, `{"transactions":[{"externalTransferId":"a","…":"…"},{"externalTransferId":"b","…":"…"}],"…":"…"}`},
		"texts put together":  {`curl -s x | jq '{tx: [.transactions[] | .externalTransferId + " " + .status]}'`, []string{`{"tx":["a Done"]}`}, `{"transactions":[{"externalTransferId":"a","status":"Done","…":"…"}],"…":"…"}`},
		"no place for a sign": {`curl -s x | jq '{tx: [.transactions[] | .externalTransferId + " " + .status]}'`, []string{`{"tx":["a Not Done"]}`}, `{"transactions":["…"],"…":"…"}`},
		"some rows":           {`curl -s x | jq '{tx: [.transactions[] | select(.status=="Done") | {id: .externalTransferId}]}'`, []string{`{"tx":[{"id":"a"}]}`}, `{"transactions":[{"externalTransferId":"a","…":"…"},"…"],"…":"…"}`},
		"row by row":          {`curl -s x | jq -c '.transactions[] | {externalTransferId, status}'`, []string{`{"externalTransferId":"a","status":"D"}`, `{"externalTransferId":"b","status":"D"}`}, `{"transactions":[{"externalTransferId":"a","status":"D","…":"…"},{"externalTransferId":"b","status":"D","…":"…"}],"…":"…"}`},
		"a list":              {`curl -s x | jq .transactions`, []string{`{"status":"D"}`, `{"status":"E"}`}, `{"transactions":[{"status":"D"},{"status":"E"}],"…":"…"}`},
		"mapped":              {`curl -s x | jq '{t: .transactions | map({id: .externalTransferId})}'`, []string{`{"t":[{"id":"a"}]}`}, `{"transactions":[{"externalTransferId":"a","…":"…"}],"…":"…"}`},
		"two programs":        {`curl -s x | jq .transactions | jq -c '.[] | {status}'`, []string{`{"status":"D"}`}, `{"transactions":[{"status":"D","…":"…"}],"…":"…"}`},
		"one of two":          {`curl -s x | jq -c '{tokenType,expiresInSeconds}, (.accessToken|length)'`, []string{`{"tokenType":"Bearer","expiresInSeconds":3600}`}, `{"expiresInSeconds":3600,"tokenType":"Bearer","…":"…"}`},
		"without some":        {`curl -s x | jq 'del(.accessToken)'`, []string{`{"tokenType":"Bearer"}`}, `{"tokenType":"Bearer","…":"…"}`},
		"nothing there":       {`curl -s x | jq '{hasMore, nextCursor}'`, []string{`{"hasMore":null,"nextCursor":null}`}, ``},
		"calculated":          {`curl -s x | jq '{hasMore: (.transactions|length > 50), sum: ([.transactions[].amount]|add)}'`, []string{`{"hasMore":true,"sum":8}`}, ``},
		"another's":           {`curl -s x | jq '{hasMore, nextCursor}'`, []string{`{"transactions":[],"hasMore":false}`}, ``},
		"of Python":           {`curl -s x | python3 -c 'import sys,json; d=json.load(sys.stdin); print(json.dumps({"hasMore": len(d["transactions"])>3}))'`, []string{`{"hasMore":true}`}, ``},
		"of PowerShell":       {`irm x | Select-Object hasMore, nextCursor | ConvertTo-Json`, []string{`{"hasMore":true,"nextCursor":"c"}`}, `{"hasMore":true,"nextCursor":"c","…":"…"}`},
		"of another program":  {`curl -s x | ./show`, []string{`{"hasMore":true,"pages":3}`}, `{"hasMore":true,"pages":3,"…":"…"}`},
		"a program in a file": {`curl -s x | jq -f rows.jq`, []string{`{"hasMore":true}`}, ``},
	} {
		f := filter.Of(c.command)
		require.NotNil(t, f, name)
		var objects [][]byte
		for _, one := range c.printed {
			objects = append(objects, []byte(one))
		}
		made := f.Answer(report, objects)
		if c.want == "" {
			require.Nil(t, made, "%s: %s", name, made)
			continue
		}
		require.JSONEq(t, c.want, string(made), name)
		require.True(t, correlate.Shortened(made), name)
	}
	made := filter.Of(`curl x | python3 -c 'print(1)'`).Answer("/Payment/Create", [][]byte{[]byte(`{"paymentRequestId":"p","ok":true}`)})
	require.JSONEq(t, `{"paymentRequestId":"p","…":"…"}`, string(made), "what a call has made has a name of its own")
}

// TestOf: what prints all of an answer is no filter.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"curl -s x", "curl -s x | jq", "curl -s x | jq .", `curl -s x | jq -S '.'`, "curl -s x | tee a.json | python3 -m json.tool", `curl -d '{"a":"b | jq .c"}' x`,
		`curl x | python -c "import sys,json; print(json.dumps(json.load(sys.stdin), indent=2))"`, "irm x | ConvertTo-Json -Depth 9", "curl x; echo | jq .a", "curl x && jq .a b", `curl -d "$(jq .a b)" x`, "curl x || jq .a b",
	} {
		require.Nil(t, filter.Of(command), command)
	}
}

// TestTraced: a shell that tells its commands tells those of a pipe on lines of their own, in any order.
func TestTraced(t *testing.T) {
	t.Parallel()
	object := [][]byte{[]byte(`{"n":"c"}`)}
	for name, f := range map[string]*filter.Filter{
		"below": filter.Traced(nil, []string{"+ tee p1.json", "+ jq '{n: .nextCursor}'", "{"}),
		"above": filter.Traced([]string{"{}", "+ jq '{n: .nextCursor}'"}, []string{"{"}),
		"long":  filter.Traced(nil, []string{"+ jq '{", "  n: .nextCursor", "}'", "{"}),
	} {
		require.NotNil(t, f, name)
		require.JSONEq(t, `{"nextCursor":"c","…":"…"}`, string(f.Answer(report, object)), name)
	}
	require.Nil(t, filter.Traced([]string{"+ jq .a", "{}"}, []string{"+ sleep 1", "+ jq .a"}))
}

// FuzzAnswer reads any command, and any object: what it makes is JSON that says of itself that it is not whole.
func FuzzAnswer(f *testing.F) {
	f.Add(`curl -s x | jq '{hasMore, tx: [.transactions[] | select(.a) | .id + " " + .status]}, del(.x) | map(.y)'`, []byte(`{"hasMore":true,"tx":["a b"]}`))
	f.Add(`irm x | select a,b | ConvertTo-Json`, []byte(`{"a":1,"b":null}`))
	f.Fuzz(func(t *testing.T, command string, printed []byte) {
		if found := filter.Of(command); found != nil && len(command) < 1<<13 {
			if made := found.Answer(report, [][]byte{printed, printed}); made != nil {
				require.True(t, json.Valid(made), "%s", made)
				require.True(t, correlate.Shortened(made), "%s", made)
			}
		}
	})
}

package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/service"
	"paysandbox/harness/schema"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// FuzzReadDocument: a description is what a service says of itself, and so are its answers.
// Whatever they say, the answer is judged.
func FuzzReadDocument(f *testing.F) {
	const paths = `{"paths":{"/a":{"get":{"operationId":"a","responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},"components":{"schemas":{"A":`
	f.Add([]byte(paths+`{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}}}}`), []byte(`{"a":0}`))
	f.Add([]byte(paths+`{"anyOf":[{"$ref":"#/components/schemas/A"},{"pattern":"^a+$"}]}}}}`), []byte(`"aaa"`))
	f.Add([]byte(paths+`{"items":{"oneOf":[{"type":"null"},{"format":"uuid"}]},"maxItems":1}}}}`), []byte(`[null,"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"]`))
	f.Add([]byte(paths+`{"enum":[1e9,"x",{"y":[]}],"$ref":"#/paths/~1a"}}},"info":{"x-choices":{"strict":"on"}}}`), []byte(`1000000000`))
	f.Fuzz(func(t *testing.T, description, answer []byte) {
		_, err := schema.Read(description)
		d, failed := service.ReadDocument(description)
		require.True(t, err == nil || failed != nil, "no operation is read of what is no description")
		if failed != nil {
			return
		}
		called := trail.New(tape.Meta{}, []tape.Entry{{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Operation: "a", Method: "GET", Path: "/a", Response: tape.Response{Status: 200, Header: []tape.Header{{Name: "Content-Type", Value: "application/json"}}, Body: answer},
		}}})
		judge := service.Rules(service.Options{Document: d})["wire.conform"]
		require.Equal(t, judge(called), judge(called), "the same each time")
	})
}

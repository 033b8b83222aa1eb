package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/wire"
)

func TestProblemText(t *testing.T) {
	t.Parallel()
	e := &kernel.Error{Code: kernel.Invalid, Detail: "no <b>", Findings: []kernel.Finding{
		{Pointer: "/owner/ssn", Clause: "c.1", Source: kernel.Spec, Received: `"••••"`, Expected: "exactly four digits", Fix: "send four"},
		{Pointer: "/employees/0/emailAddress", Clause: "c.2", Source: kernel.Spec, Expected: "an e-mail"},
		{Pointer: "", Clause: "c.3", Source: kernel.Docs, Expected: "less", Advisory: true},
	}}
	got := string(wire.Append(nil, wire.NewProblem(e, 400, "/Company/Create", "ex-1"), wire.Shape{}))
	require.Equal(t, `{"type":"urn:paysandbox:problem:invalid-request","title":"The request breaks one or more rules","status":400,`+
		`"detail":"no <b>","instance":"/Company/Create","traceId":"ex-1",`+
		`"errors":{"employees[0].emailAddress":["expected an e-mail"],"owner.ssn":["expected exactly four digits; send four"]},`+
		`"findings":[{"pointer":"/owner/ssn","clause":"c.1","source":"spec","received":"\"••••\"","expected":"exactly four digits","fix":"send four","advisory":false},`+
		`{"pointer":"/employees/0/emailAddress","clause":"c.2","source":"spec","received":"","expected":"an e-mail","fix":"","advisory":false},`+
		`{"pointer":"","clause":"c.3","source":"docs","received":"","expected":"less","fix":"","advisory":true}]}`, got)
}

func TestProblemOfATransition(t *testing.T) {
	t.Parallel()
	e := &kernel.Error{Code: kernel.IllegalTransition, Machine: "payment", State: "Paid", Event: "cancel", Legal: []string{"return"}}
	var got map[string]any
	require.NoError(t, json.Unmarshal(wire.Append(nil, wire.NewProblem(e, 409, "/x", "1"), wire.Shape{}), &got))
	require.Equal(t, "payment", got["machine"])
	require.Equal(t, []any{"return"}, got["legalEvents"])
	require.Equal(t, []any{}, got["findings"])
	require.Equal(t, map[string]any{}, got["errors"])
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for code, want := range map[kernel.Code]int{
		kernel.Invalid: 400, kernel.Malformed: 400, kernel.Unauthorised: 401, kernel.NotFound: 404, kernel.MethodNotAllowed: 405,
		kernel.IllegalTransition: 409, kernel.Conflict: 409, kernel.TooLarge: 413, kernel.UnsupportedMediaType: 415,
		kernel.KeyReused: 422, kernel.TooManyRequests: 429, kernel.Internal: 500, kernel.Unavailable: 503, "other": 500,
	} {
		require.Equal(t, want, wire.Status(code), code)
	}
}

func TestFieldName(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string]string{
		"": "$", "/a": "a", "/a/0/b": "a[0].b", "/0": "[0]", "/a~1b/~01": "a/b.~1", "query:companyId": "query:companyId",
	} {
		require.Equal(t, want, wire.FieldName(pointer))
	}
}

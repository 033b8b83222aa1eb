package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
)

// TestWhatWasReceivedWasSent: a finding shows what stands at its pointer, and nothing else.
func TestWhatWasReceivedWasSent(t *testing.T) {
	t.Parallel()
	sent := trail.Body{
		"null": nil, "text": "a", "id": "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", "struck": "•••-••-1111",
		"list": []any{nil, "b"}, "object": map[string]any{"Inner": nil}, "a/b~c": "a",
	}
	for _, c := range []struct {
		clause, received, pointer string
		want                      bool
	}{
		{"request.unknown-member", "null", "/null", true},
		{"request.unknown-member", "null", "/text", false},
		{"request.unknown-member", "null", "/missing", false},
		{"request.unknown-member", "null", "/list/0", true},
		{"request.unknown-member", "null", "/list/2", false},
		{"request.unknown-member", "null", "/object/inner", true},
		{"payment.create.amount", "", "/missing", true},
		{"request.unknown-member", `"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"`, "/id", true},
		{"request.unknown-member", `"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0f"`, "/id", false},
		{"payment.create.payer", "Pending", "/id", true},
		{"request.personal-data", "a text, struck: a", "/text", true},
		{"request.personal-data", "a text, struck: b", "/text", false},
		{"request.type", `"b"`, "/list/1", true},
		{"request.type", `"a"`, "/list/1", false},
		{"request.unknown-member", `"a"`, "/a~1b~0c", true},
		{"request.unknown-member", `"b"`, "/a~1b~0c", false},
	} {
		require.Equal(t, c.want, asSent(c.clause, c.received, sent, c.pointer), "%s %s %s", c.clause, c.received, c.pointer)
	}
}

package receiver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// TestRefusedElsewhere: a line of another file that repeats a webhook's signature tells that it was refused, and with which status.
func TestRefusedElsewhere(t *testing.T) {
	t.Parallel()
	signature := "sha256=" + strings.Repeat("0f", 32)
	for line, want := range map[string]int{
		"hook signature mismatch: header=" + signature + " computed=sha256=ab -> 401": 401,
		"invalid signature " + signature + ", answered 403":                           403,
		"signature mismatch: " + signature:                                            401,
		"signature " + signature + " is fine -> 200":                                  200,
		"invalid signature sha256=" + strings.Repeat("f0", 32) + " -> 401":            200,
	} {
		r := &recording.Recording{Received: []recording.Received{{Place: recording.Place{Source: "hook.http", Line: 1}, Header: []tape.Header{{Name: trail.SignatureHeader, Value: signature}}}}}
		receiver.RefusedElsewhere([]source.File{{Name: "hook.http", Data: []byte("invalid signature " + signature + " -> 403")}, {Name: "app.log", Data: []byte("boot\n" + line + "\n")}}, r)
		require.Equal(t, want, r.Received[0].Reply(), line)
	}
}

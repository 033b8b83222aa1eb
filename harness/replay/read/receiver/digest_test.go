package receiver_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// TestDigests: a receiver that has computed the digest which it then refuses compares it wrongly; one that tells the header's alone may not have.
func TestDigests(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("a4", 31) + "0b"
	other := strings.Repeat("77", 32)
	raw, err := hex.DecodeString(digest)
	require.NoError(t, err)
	for line, want := range map[string]string{
		"WARN signature mismatch computed=" + digest + " received=sha256=" + digest:    "signature mismatch computed=[digest] received=sha256=[digest]",
		"signature mismatch want sha256=" + digest + " got " + strings.ToUpper(digest): "signature mismatch want sha256=[digest] got [digest in capitals]",
		"calculated hmac: " + digest: "calculated hmac: [digest]",
		`{"msg":"bad hmac","Header":"sha256=` + digest + `","Computed":"` + digest + `"}`:       "Computed=[digest] Header=sha256=[digest]",
		"expected sha256=" + digest + " but computed " + base64.StdEncoding.EncodeToString(raw): "expected sha256=[digest] but computed [digest in Base64]",
		"\x1b[3mcomputed\x1b[0m=\"" + digest + "\"":                                             "computed=\"[digest]\"",
		"  expected: '" + digest + "',\n  received: 'sha256=" + digest + "'":                    "expected: '[digest]', received: 'sha256=[digest]'",
		"X-HMAC-Signature: sha256=" + digest + "\nX-HMAC-Signature: sha256=" + digest:           "",
		"signature mismatch expected=" + digest + " computed=" + other:                          "",
		"computed=" + other + " received=sha256=" + digest:                                      "",
		"X-HMAC-Signature: sha256=" + digest:                                                    "",
		"bad signature":                                                                         "",
	} {
		w := recording.Received{Status: 401, Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=" + digest}}}
		r := recording.Recording{Received: []recording.Received{w, {Status: 204, Header: w.Header}}}
		receiver.Digests([]source.File{{Name: "a.log", Data: []byte("first\n" + line + "\n")}}, &r)
		require.Equal(t, want, r.Received[0].Line(recording.SameDigest), line)
		require.Empty(t, r.Received[1].Log, "it took it")
	}
}

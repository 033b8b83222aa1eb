package seal_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"paysandbox/harness/seal"
)

// TestEnvelope: what is signed is what DSSE version 1 says, with a key as OpenSSL writes
// it, and holds for no other statement, key or envelope.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	key, err := seal.ReadKey(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil)
	require.NoError(t, err)
	statement := []byte(`{"_type":"https://in-toto.io/Statement/v1"}` + "\n")
	raw, err := key.Envelope(statement)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(raw), "\n"), "one line for each envelope")

	var e struct {
		PayloadType string
		Payload     []byte
		Signatures  []struct{ Sig []byte }
	}
	require.NoError(t, json.Unmarshal(raw, &e))
	require.Equal(t, statement, e.Payload)
	require.Len(t, e.Signatures, 1)
	said := fmt.Sprintf("DSSEv1 28 application/vnd.in-toto+json %d %s", len(statement), statement)
	require.True(t, ed25519.Verify(public, []byte(said), e.Signatures[0].Sig))

	mine, err := ssh.NewPublicKey(public)
	require.NoError(t, err)
	require.NoError(t, seal.VerifyEnvelope(raw, statement, mine))
	another, _, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	theirs, err := ssh.NewPublicKey(another)
	require.NoError(t, err)
	require.ErrorIs(t, seal.VerifyEnvelope(raw, statement, theirs), seal.ErrSignature)
	require.ErrorIs(t, seal.VerifyEnvelope(raw, append(statement, ' '), mine), seal.ErrSignature)
	for _, other := range []string{
		"", "{}", strings.Replace(string(raw), "in-toto+json", "other+json", 1), strings.Replace(string(raw), `"signatures":[`, `"signatures":[{"keyid":"","sig":""},`, 1),
		string(raw) + string(raw),
	} {
		require.ErrorIs(t, seal.VerifyEnvelope([]byte(other), statement, mine), seal.ErrSignature, other)
	}
}

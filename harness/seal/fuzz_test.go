package seal_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"paysandbox/harness/seal"
)

// FuzzReadKey: a file that is taken for a key signs, or is refused without a word of it.
func FuzzReadKey(f *testing.F) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(f, err)
	block, err := ssh.MarshalPrivateKey(private, "a comment")
	require.NoError(f, err)
	f.Add(pem.EncodeToMemory(block), []byte(""))
	locked, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("open"))
	require.NoError(f, err)
	f.Add(pem.EncodeToMemory(locked), []byte("open"))
	_, mine, err := minisign.GenerateKey(rand.Reader)
	require.NoError(f, err)
	text, err := mine.MarshalText()
	require.NoError(f, err)
	f.Add(text, []byte(""))
	f.Add([]byte("untrusted comment: minisign encrypted secret key\nRWRTY0Iy"), []byte("p"))
	f.Add([]byte("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----"), []byte("p"))
	f.Fuzz(func(t *testing.T, text, passphrase []byte) {
		if minisign.IsEncrypted(text) {
			return // takes 1 GiB and a second, as that program does, whatever stands in it
		}
		key, err := seal.ReadKey(text, passphrase)
		if err != nil {
			require.True(t, errors.Is(err, seal.ErrKey) || errors.Is(err, seal.ErrPassphrase), "%v", err)
			require.Less(t, len(err.Error()), 300)
			for line := range strings.SplitSeq(string(text), "\n") {
				require.False(t, len(line) > 40 && strings.Contains(err.Error(), line), "the error shows the key")
			}
			return
		}
		statement := []byte("a statement")
		signature, err := key.Sign(statement)
		require.NoError(t, err)
		if key.Suffix() != seal.MinisignSuffix {
			_, err = seal.Verify(statement, signature)
			require.NoError(t, err)
		}
		_, err = seal.Verify([]byte("another"), signature)
		require.ErrorIs(t, err, seal.ErrSignature)
	})
}

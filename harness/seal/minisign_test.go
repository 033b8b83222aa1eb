package seal_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"testing"

	"aead.dev/minisign"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/scrypt"
	"golang.org/x/crypto/ssh"

	"paysandbox/harness/seal"
)

// encrypted is a private key under a passphrase as minisign writes it, but for the work
// that it takes to open: minisign asks for seconds and 1 GiB.
func encrypted(t *testing.T, plain []byte, passphrase string) []byte {
	t.Helper()
	comment, line, _ := bytes.Cut(plain, []byte("\n"))
	b, err := base64.StdEncoding.DecodeString(string(line))
	require.NoError(t, err)
	const salt, cost, number, sum = 6, 38, 54, 54 + 8 + 64
	copy(b[2:], "Sc")
	copy(b[4:], "B2")
	binary.LittleEndian.PutUint64(b[cost:], 1<<15)
	binary.LittleEndian.PutUint64(b[cost+8:], 1<<30)
	digest := blake2b.Sum256(append([]byte("Ed"), b[number:sum]...))
	copy(b[sum:], digest[:])
	stream, err := scrypt.Key([]byte(passphrase), b[salt:cost], 1<<10, 8, 1, len(b)-number)
	require.NoError(t, err)
	for n := range stream {
		b[number+n] ^= stream[n]
	}
	return fmt.Appendf(nil, "%s\n%s", comment, base64.StdEncoding.EncodeToString(b))
}

// TestMinisign signs as minisign does, and reads what it has signed.
func TestMinisign(t *testing.T) {
	t.Parallel()
	public, private, err := minisign.GenerateKey(rand.Reader)
	require.NoError(t, err)
	plain, err := private.MarshalText()
	require.NoError(t, err)
	locked := encrypted(t, plain, "open sesame")
	_, err = seal.ReadKey(locked, []byte("sesame"))
	require.ErrorIs(t, err, seal.ErrPassphrase)
	_, err = seal.ReadKey([]byte("untrusted comment: a key\nRWQ"), nil)
	require.ErrorIs(t, err, seal.ErrKey)
	_, err = seal.ReadKey(locked, []byte("open sesame"))
	require.NoError(t, err)
	key, err := seal.ReadKey(plain, nil)
	require.NoError(t, err)
	require.Equal(t, ".minisig", key.Suffix())

	text := []byte("a statement")
	signature, err := key.Sign(text)
	require.NoError(t, err)
	require.True(t, minisign.Verify(public, text, signature), "others read it")
	ssh := "bob " + string(ssh.MarshalAuthorizedKey(sshSigner(t, newKey(t, "")).PublicKey()))
	list, err := seal.ReadSigners([]byte(ssh + "untrusted comment: ann@example.com\n" + public.String() + "\n"))
	require.NoError(t, err)
	for _, one := range [][]byte{signature, minisign.Sign(private, text)} {
		who, id, err := seal.VerifyMinisign(text, one, list)
		require.NoError(t, err)
		require.Equal(t, "ann@example.com", who)
		require.Equal(t, fmt.Sprintf("minisign %016X", public.ID()), id)
		_, _, err = seal.VerifyMinisign([]byte("another"), one, list)
		require.ErrorIs(t, err, seal.ErrSignature)
		who, _, err = seal.VerifyMinisign(text, one, list[:1])
		require.NoError(t, err)
		require.Empty(t, who, "the list has no such key")
	}
	other, err := seal.ReadSigners([]byte("untrusted comment: eve\n" + public.String() + "\nuntrusted comment: bob\nRWQ"))
	require.ErrorIs(t, err, seal.ErrSigners)
	require.Empty(t, other)
	require.Equal(t, "", list.Who(sshSigner(t, newKey(t, "")).PublicKey(), day))
}

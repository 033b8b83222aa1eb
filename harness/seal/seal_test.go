package seal_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"paysandbox/harness/seal"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// newKey is a key as ssh-keygen writes it.
func newKey(t *testing.T, passphrase string) []byte {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(private, "a comment")
	if passphrase != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "a comment", []byte(passphrase))
	}
	require.NoError(t, err)
	return pem.EncodeToMemory(block)
}

func TestReadKey(t *testing.T) {
	t.Parallel()
	plain, locked := newKey(t, ""), newKey(t, "open sesame")
	_, err := seal.ReadKey(plain, nil)
	require.NoError(t, err)
	_, err = seal.ReadKey(locked, []byte("open sesame"))
	require.NoError(t, err)
	for _, wrong := range []string{"", "sesame"} {
		_, err = seal.ReadKey(locked, []byte(wrong))
		require.ErrorIs(t, err, seal.ErrPassphrase)
	}
	_, err = seal.ReadKey([]byte("-----BEGIN nothing"), nil)
	require.ErrorIs(t, err, seal.ErrKey)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(other, "")
	require.NoError(t, err)
	_, err = seal.ReadKey(pem.EncodeToMemory(block), nil)
	require.ErrorContains(t, err, "ssh-rsa")
}

// sshSigner is a key as the library of OpenSSH's formats has it.
func sshSigner(t *testing.T, private []byte) ssh.Signer {
	t.Helper()
	signer, err := ssh.ParsePrivateKey(private)
	require.NoError(t, err)
	return signer
}

func TestSignAndVerify(t *testing.T) {
	t.Parallel()
	private := newKey(t, "")
	key, err := seal.ReadKey(private, nil)
	require.NoError(t, err)
	require.Equal(t, ".sig", key.Suffix())
	text := []byte("a statement")
	armoured, err := key.Sign(text)
	require.NoError(t, err)
	by, err := seal.Verify(text, armoured)
	require.NoError(t, err)
	require.Equal(t, sshSigner(t, private).PublicKey().Marshal(), by.Marshal())

	_, err = seal.Verify([]byte("a statement "), armoured)
	require.ErrorIs(t, err, seal.ErrSignature)
	_, err = seal.Verify(text, []byte("nothing"))
	require.ErrorIs(t, err, seal.ErrSignature)
	_, err = seal.Verify(text, make([]byte, seal.MaxSignature+1))
	require.ErrorContains(t, err, "are the most")
	elsewhere, err := sshsig.Sign(bytes.NewReader(text), sshSigner(t, private), sshsig.HashSHA512, "git")
	require.NoError(t, err)
	_, err = seal.Verify(text, sshsig.Armor(elsewhere))
	require.ErrorContains(t, err, "namespace", "what was signed for git is not signed for us")
}

// pemKey is a public key as OpenSSL writes it.
func pemKey(t *testing.T, key ssh.PublicKey) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.(ssh.CryptoPublicKey).CryptoPublicKey()) //nolint:forcetypeassert // Each key of ssh is one.
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// TestSigners reads a list as OpenSSH does.
func TestSigners(t *testing.T) {
	t.Parallel()
	key := sshSigner(t, newKey(t, ""))
	public := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	for name, tc := range map[string]struct{ line, who, err string }{
		"plain":             {"ann@example.com " + public, "ann@example.com", ""},
		"with a comment":    {"# people\n\nann " + public + " at work", "ann", ""},
		"several names":     {"ann,bob " + public, "ann,bob", ""},
		"our namespace":     {`ann namespaces="git,paysandbox-*" ` + public, "ann", ""},
		"another namespace": {`ann namespaces="git" ` + public, "", ""},
		"taken out":         {`ann namespaces="*,!paysandbox-report" ` + public, "", ""},
		"not yet":           {`ann valid-after="20260302" ` + public, "", ""},
		"not any more":      {`ann valid-before="20260301Z" ` + public, "", ""},
		"for today":         {`ann valid-after="20260301",valid-before="202603012359Z" ` + public, "ann", ""},
		"no key":            {"ann", "", "line 1: expected names"},
		"half a key":        {"x " + public + "\nann ssh-ed25519 AAAA", "", "line 2: expected names"},
		"no such day":       {`ann valid-after="2026-03-01" ` + public, "", "expected a time"},
		"an authority":      {"ann cert-authority " + public, "", "certificates"},
		"an unknown option": {"ann no-pty " + public, "", `"no-pty" is not known`},
		"of OpenSSL":        {pemKey(t, key.PublicKey()), "whoever has its private key", ""},
		"of another kind":   {"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "", "expected a public key of ed25519"},
		"a private one":     {string(newKey(t, "")), "", "expected a public key of ed25519"},
		"half a block":      {"-----BEGIN PUBLIC KEY-----\nAAAA", "", "no block of PEM"},
		"too long":          {strings.Repeat("#", seal.MaxSigners+1), "", "are the most"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := seal.ReadSigners([]byte(tc.line))
			if tc.err != "" {
				require.ErrorIs(t, err, seal.ErrSigners)
				require.ErrorContains(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.who, list.Who(key.PublicKey(), day))
		})
	}
	require.Equal(t, ssh.FingerprintSHA256(key.PublicKey()), seal.Fingerprint(key.PublicKey()))
}

// FuzzVerify gives foreign signatures, statements and lists: whatever they hold, they end
// in a value or an error.
func FuzzVerify(f *testing.F) {
	f.Add([]byte("a statement"), []byte("-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n"), []byte("ann ssh-ed25519 AAAA"))
	raw, err := json.Marshal(seal.Statement{})
	require.NoError(f, err)
	public, private, err := minisign.GenerateKey(rand.Reader)
	require.NoError(f, err)
	f.Add([]byte("another"), minisign.Sign(private, raw), []byte("untrusted comment: ann\n"+public.String()))
	f.Add(raw, []byte{}, []byte(`ann namespaces="x",valid-after="1" ssh-ed25519 AAAA`))
	_, mine, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(f, err)
	signer, err := ssh.NewSignerFromKey(mine)
	require.NoError(f, err)
	f.Add([]byte("a statement"), []byte(`{"payloadType":"application/vnd.in-toto+json","payload":"YSBzdGF0ZW1lbnQ=","signatures":[{"keyid":"","sig":"AAAA"}]}`), []byte(""))
	f.Fuzz(func(t *testing.T, statement, armoured, list []byte) {
		require.ErrorIs(t, seal.VerifyEnvelope(armoured, statement, signer.PublicKey()), seal.ErrSignature)
		_, err := seal.Verify(statement, armoured)
		require.ErrorIs(t, err, seal.ErrSignature, "nobody finds a signature by chance")
		if s, err := seal.ReadStatement(statement); err == nil {
			require.Error(t, s.About([]byte("a"), []byte("b")))
		}
		signers, err := seal.ReadSigners(list)
		if err != nil {
			require.ErrorIs(t, err, seal.ErrSigners)
		}
		if who, _, err := seal.VerifyMinisign(statement, armoured, signers); err != nil {
			require.ErrorIs(t, err, seal.ErrSignature)
		} else {
			require.Empty(t, who)
		}
	})
}

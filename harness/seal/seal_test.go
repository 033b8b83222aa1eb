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

	"paysandbox/harness/report"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
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

// told is a report about an integration.
func told() *report.Report {
	return &report.Report{
		Tool: "paysandbox", Version: "1.2.3", Seed: 7, Target: "the sandbox",
		Clauses: []report.ClauseResult{
			{ID: "partner.a", Verdict: verdict.Pass},
			{ID: "partner.b", Verdict: verdict.NotReached},
		},
		Readiness: &report.Readiness{
			Ready: true, Subject: "registry.example/shop@sha256:" + strings.Repeat("ab", 32),
			Digests: []report.Digest{{Name: "tape", SHA256: "5ba5fc2d1a3f"}, {Name: "plan", SHA256: "00ff"}},
		},
	}
}

func state(t *testing.T, r *report.Report) seal.Statement {
	t.Helper()
	raw, err := seal.State(r, []byte("the report"))
	require.NoError(t, err)
	s, err := seal.ReadStatement(raw)
	require.NoError(t, err)
	return *s
}

func TestStatement(t *testing.T) {
	t.Parallel()
	s := state(t, told())
	require.Equal(t, []string{"report", "tape", told().Readiness.Subject}, []string{s.Subject[0].Name, s.Subject[1].Name, s.Subject[2].Name})
	require.Equal(t, strings.Repeat("ab", 32), s.Subject[2].Digest["sha256"])
	require.Equal(t, "PASSED", s.Predicate.Result)
	require.Equal(t, []string{"partner.a"}, s.Predicate.Passed)
	require.Equal(t, []string{"partner.b"}, s.Predicate.Warned)
	require.Equal(t, "plan", s.Predicate.Configuration[1].Name)
}

// TestResultIsNeverRosier changes one thing at a time of a report that passes.
func TestResultIsNeverRosier(t *testing.T) {
	t.Parallel()
	for want, changes := range map[string][]func(r *report.Report){
		"FAILED": {
			func(r *report.Report) { r.ExitCode = verdict.CodeFailed },
			func(r *report.Report) { r.ExitCode = verdict.CodeLittle },
			func(r *report.Report) { r.ExitCode = verdict.CodeGone },
		},
		"WARNED": {
			func(r *report.Report) { r.Readiness.Ready = false },
			func(r *report.Report) { r.Clauses[0].Verdict = verdict.Fail },
		},
	} {
		for _, change := range changes {
			r := told()
			change(r)
			require.Equal(t, want, state(t, r).Predicate.Result)
		}
	}
	r := told()
	r.Clauses[0].Attested = &report.Attestation{Who: "Ann"}
	require.Empty(t, state(t, r).Predicate.Passed, "somebody's word is no test that passed")
	r = told()
	r.Clauses[0].Verdict, r.Clauses[0].Deviation = verdict.Fail, &report.Deviation{Owner: "Ann"}
	require.Equal(t, []string{"partner.a", "partner.b"}, state(t, r).Predicate.Warned)
}

func TestBuilds(t *testing.T) {
	t.Parallel()
	for subject, digest := range map[string]string{
		"sha256:" + strings.Repeat("0", 64):         "sha256",
		"git " + strings.Repeat("c", 40):            "gitCommit",
		"git 3f2a1c9d0b7e":                          "",
		"git " + strings.Repeat("c", 40) + "-dirty": "",
		"": "",
	} {
		r := told()
		r.Readiness.Subject = subject
		s := state(t, r)
		if digest == "" {
			require.Len(t, s.Subject, 2, subject)
			continue
		}
		require.Contains(t, s.Subject[2].Digest, digest)
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	tape := []byte("the tape")
	r := told()
	r.Readiness.Digests[0].SHA256 = "5b6ff6c58cbf4e6e6db4d8d1a8a1bbc2a0b6e8d5"
	s := state(t, r)
	require.NoError(t, s.About([]byte("the report"), nil))
	require.ErrorContains(t, s.About([]byte("another report"), nil), "another report")
	require.ErrorContains(t, s.About([]byte("the report"), tape), "another tape")
	r.Readiness.Digests = r.Readiness.Digests[1:]
	s = state(t, r)
	require.ErrorContains(t, s.About([]byte("the report"), tape), "names no tape")
}

// TestTells: who signs may have written the statement: it says what the report tells, to
// the byte, or is refused with its place. Two members of one name are read otherwise elsewhere.
func TestTells(t *testing.T) {
	t.Parallel()
	stored := []byte("the report")
	raw, err := seal.State(told(), stored)
	require.NoError(t, err)
	require.NoError(t, seal.Tells(raw, told(), stored))
	for old, to := range map[string]string{
		`"result": "PASSED"`: `"result": "WARNED"`,
		`"subject": [`:       `"subject": [], "subject": [`,
		"@sha256:abab":       "@sha256:cdcd",
		"  }\n}\n":           "  }\n}\n{}\n",
	} {
		other := strings.Replace(string(raw), old, to, 1)
		require.NotEqual(t, string(raw), other, old)
		err := seal.Tells([]byte(other), told(), stored)
		require.ErrorIs(t, err, seal.ErrStatement, to)
		require.ErrorContains(t, err, "its line")
	}
	require.ErrorContains(t, seal.Tells(raw[:len(raw)-4], told(), stored), "its line")
}

func TestForeignStatements(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"":                              "no JSON",
		"{}":                            "its types",
		strings.Repeat(" ", 5<<20):      "are the most",
		`{"_type":"x","subject":"all"}`: "no JSON",
	} {
		_, err := seal.ReadStatement([]byte(text))
		require.ErrorIs(t, err, seal.ErrStatement)
		require.ErrorContains(t, err, says)
	}
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

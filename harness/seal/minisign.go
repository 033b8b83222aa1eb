package seal

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"aead.dev/minisign"
)

// minisignHead begins each file of minisign: keys and signatures.
const minisignHead = "untrusted comment:"

// MinisignSuffix is what `minisign -V -m STATEMENT` looks for beside a statement.
const MinisignSuffix = ".minisig"

// minisignKey signs as `minisign -S` does.
type minisignKey struct{ private minisign.PrivateKey }

func readMinisign(text, passphrase []byte) (Key, error) {
	var k minisignKey
	var err error
	if minisign.IsEncrypted(text) {
		if k.private, err = minisign.DecryptKey(string(passphrase), text); err != nil {
			return nil, ErrPassphrase
		}
	} else if err = k.private.UnmarshalText(text); err != nil {
		return nil, fmt.Errorf("%w: it begins as a private key of minisign and does not go on like one", ErrKey)
	}
	probe := []byte(Namespace)
	if public, ok := k.private.Public().(minisign.PublicKey); !ok || !minisign.Verify(public, probe, minisign.Sign(k.private, probe)) {
		return nil, errHalves
	}
	return k, nil
}

// Envelope gives none: minisign signs a hash, which nobody else reads.
func (minisignKey) Envelope([]byte) ([]byte, error) { return nil, nil }

// Suffix is that of a signature of minisign.
func (minisignKey) Suffix() string { return MinisignSuffix }

// Sign signs the statement's hash, as minisign does unless it is told otherwise.
func (k minisignKey) Sign(statement []byte) ([]byte, error) {
	r := minisign.NewReader(bytes.NewReader(statement))
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	signature := r.SignWithComments(k.private, Namespace, "signature of an in-toto statement by paysandbox")
	return append(bytes.TrimRight(signature, "\n"), '\n'), nil
}

// VerifyMinisign holds a signature of minisign to the keys of that kind in a list. It
// gives the key's number, as minisign tells it, and whose it is: "" where the list has no
// such key, and then nobody has checked anything. The error wraps ErrSignature.
func VerifyMinisign(statement, signature []byte, list Signers) (who, key string, err error) {
	if len(signature) > MaxSignature {
		return "", "", fmt.Errorf("%w: it has %d bytes, and %d are the most", ErrSignature, len(signature), MaxSignature)
	}
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return "", "", fmt.Errorf("%w: it is no signature of minisign", ErrSignature)
	}
	for _, is := range list {
		if is.minisign == nil || is.minisign.ID() != s.KeyID {
			continue
		}
		if !minisign.Verify(*is.minisign, statement, signature) {
			return "", "", fmt.Errorf("%w: it was made over another text, or by another key of the same number", ErrSignature)
		}
		return is.names, minisignID(s.KeyID), nil
	}
	return "", minisignID(s.KeyID), nil
}

func minisignID(id uint64) string { return fmt.Sprintf("minisign %016X", id) }

// minisignSigner reads a public key of minisign: who it is stands in the comment above it.
func minisignSigner(comment, line string) (signer, error) {
	var public minisign.PublicKey
	if err := public.UnmarshalText([]byte(line)); err != nil {
		return signer{}, errMinisignLine
	}
	return signer{names: strings.TrimSpace(strings.TrimPrefix(comment, minisignHead)), minisign: &public}, nil
}

package seal

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// Namespace is what OpenSSH binds the signature to: a signature made for anything else
// is not taken.
const Namespace = "paysandbox-report"

// ErrSignature means that a signature cannot be read, or was not made over this text.
var ErrSignature = errors.New("the signature does not hold")

// MaxSignature bounds a signature, in bytes.
const MaxSignature = 16 << 10

// SSHSuffix is what `ssh-keygen -Y sign` gives to a statement's signature.
const SSHSuffix = ".sig"

// sshKey signs as `ssh-keygen -Y sign` does.
type sshKey struct{ signer ssh.Signer }

// Suffix is that of a signature of OpenSSH.
func (sshKey) Suffix() string { return SSHSuffix }

// Sign gives the armoured text that `ssh-keygen -Y verify -n paysandbox-report` reads.
func (k sshKey) Sign(statement []byte) ([]byte, error) {
	signature, err := sshsig.Sign(bytes.NewReader(statement), k.signer, sshsig.HashSHA512, Namespace)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return sshsig.Armor(signature), nil
}

// Verify gives the key that has signed a statement. That the key belongs to anybody is
// for [Signers] to say. The error wraps ErrSignature.
func Verify(statement, armoured []byte) (ssh.PublicKey, error) {
	if len(armoured) > MaxSignature {
		return nil, fmt.Errorf("%w: it has %d bytes, and %d are the most", ErrSignature, len(armoured), MaxSignature)
	}
	signature, err := sshsig.Unarmor(armoured)
	if err != nil {
		return nil, fmt.Errorf("%w: it is no armoured signature of OpenSSH: %w", ErrSignature, err)
	}
	if kind := signature.PublicKey.Type(); kind != ssh.KeyAlgoED25519 {
		return nil, fmt.Errorf("%w: its key is of kind %s, expected %s", ErrSignature, kind, ssh.KeyAlgoED25519)
	}
	if err := sshsig.Verify(bytes.NewReader(statement), signature, signature.PublicKey, signature.HashAlgorithm, Namespace); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return signature.PublicKey, nil
}

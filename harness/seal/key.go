package seal

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"

	"golang.org/x/crypto/ssh"
)

// ErrKey means that a key cannot be read or is of a kind that is not taken. It comes
// wrapped, and never holds a part of the key.
var ErrKey = errors.New("the key cannot be used")

// ErrPassphrase means that a key is encrypted, and the passphrase is missing or wrong.
var ErrPassphrase = errors.New("the key is encrypted, and the passphrase does not open it")

// Key signs statements as the program does that has made it.
type Key interface {
	// Sign gives the signature as that program reads it.
	Sign(statement []byte) ([]byte, error)
	// Envelope gives the statement with a signature that policy engines read; nil where
	// the key signs for its own program alone.
	Envelope(statement []byte) ([]byte, error)
	// Suffix is what the signature's file has behind the name of the statement's.
	Suffix() string
}

// ReadKey reads a private key of ed25519 as `ssh-keygen -t ed25519`, `openssl genpkey
// -algorithm ed25519` or `minisign -G` writes it. The passphrase is empty for a key
// without one. Errors wrap ErrKey or ErrPassphrase.
func ReadKey(text, passphrase []byte) (Key, error) {
	if bytes.HasPrefix(text, []byte(minisignHead)) {
		return readMinisign(text, passphrase)
	}
	signer, err := ssh.ParsePrivateKey(text)
	var encrypted *ssh.PassphraseMissingError
	if errors.As(err, &encrypted) {
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(text, passphrase); err != nil {
			return nil, ErrPassphrase
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: it is no private key that OpenSSH, PKCS #8 or minisign writes", ErrKey)
	}
	if kind := signer.PublicKey().Type(); kind != ssh.KeyAlgoED25519 {
		return nil, fmt.Errorf("%w: its kind is %s, expected %s", ErrKey, kind, ssh.KeyAlgoED25519)
	}
	probe := []byte(Namespace)
	if signature, err := signer.Sign(rand.Reader, probe); err != nil || signer.PublicKey().Verify(probe, signature) != nil {
		return nil, errHalves
	}
	return sshKey{signer}, nil
}

var errHalves = fmt.Errorf("%w: its private and its public half are not of one key, so that nobody could check what it signs", ErrKey)

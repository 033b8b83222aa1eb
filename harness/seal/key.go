package seal

import (
	"errors"
	"fmt"

	"golang.org/x/crypto/ssh"
)

// ErrKey means that a key cannot be read or is of a kind that is not taken. It comes
// wrapped, and never holds a part of the key.
var ErrKey = errors.New("the key cannot be used")

// ErrPassphrase means that a key is encrypted, and the passphrase is missing or wrong.
var ErrPassphrase = errors.New("the key is encrypted, and the passphrase does not open it")

// ReadKey reads a private key of ed25519 as `ssh-keygen -t ed25519` or `openssl genpkey
// -algorithm ed25519` writes it. The passphrase is empty for a key without one. Errors
// wrap ErrKey or ErrPassphrase.
func ReadKey(text, passphrase []byte) (ssh.Signer, error) {
	signer, err := ssh.ParsePrivateKey(text)
	var encrypted *ssh.PassphraseMissingError
	if errors.As(err, &encrypted) {
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(text, passphrase); err != nil {
			return nil, ErrPassphrase
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: it is no private key that OpenSSH or PKCS #8 writes", ErrKey)
	}
	if kind := signer.PublicKey().Type(); kind != ssh.KeyAlgoED25519 {
		return nil, fmt.Errorf("%w: its kind is %s, expected %s", ErrKey, kind, ssh.KeyAlgoED25519)
	}
	return signer, nil
}

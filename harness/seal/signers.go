package seal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"aead.dev/minisign"
	"golang.org/x/crypto/ssh"
)

// ErrSigners means that a list of signers cannot be read. It comes wrapped, with the line.
var ErrSigners = errors.New("the list of signers cannot be read")

// Signers are the people whose signatures are believed, from a file as OpenSSH's
// allowed_signers: a line each of names, options and the public key. A public key of
// minisign stands there as in its own file: a comment, which says whose it is, and a line.
// Or the file holds public keys as OpenSSL writes them.
type Signers []signer

// signer is one line.
type signer struct {
	names       string
	key         ssh.PublicKey
	after, till time.Time
	// minisign is the key of one who signs with minisign, and key is nil then.
	minisign *minisign.PublicKey
}

// MaxSigners bounds a list of signers, in bytes.
const MaxSigners = 1 << 20

// ReadSigners reads a list. The options namespaces, valid-after and valid-before are
// heeded; certificates are refused. The error wraps ErrSigners.
func ReadSigners(text []byte) (Signers, error) {
	if len(text) > MaxSigners {
		return nil, fmt.Errorf("%w: it has %d bytes, and %d are the most", ErrSigners, len(text), MaxSigners)
	}
	if strings.HasPrefix(strings.TrimSpace(string(text)), "-----BEGIN") {
		return pemSigners(text)
	}
	var list Signers
	comment := ""
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, minisignHead) {
			comment = line
			continue
		}
		s, ours, err := parseSigner(line)
		if comment != "" {
			s, err = minisignSigner(comment, line)
			ours, comment = true, ""
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrSigners, n+1, err)
		}
		if ours {
			list = append(list, s)
		}
	}
	return list, nil
}

var (
	errSignerLine   = errors.New(`expected names, options and a public key, for example "alice@example.com ssh-ed25519 AAAA…"`)
	errMinisignLine = errors.New("expected the public key of minisign that its comment announces")
	errCertificate  = errors.New("certificates are not supported: name the key itself")
	errSignerTime   = errors.New("expected a time as YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with Z at the end for UTC")
)

// parseSigner reads one line; ours is false for a key that is for other namespaces.
func parseSigner(line string) (s signer, ours bool, err error) {
	names, rest, found := strings.Cut(line, " ")
	if !found {
		return s, false, errSignerLine
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(strings.TrimSpace(rest)))
	if err != nil {
		return s, false, errSignerLine
	}
	s, ours = signer{names: names, key: key}, true
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		value = strings.Trim(value, `"`)
		switch strings.ToLower(name) {
		case "cert-authority":
			return s, false, errCertificate
		case "namespaces":
			ours = matches(value, Namespace)
		case "valid-after":
			s.after, err = signerTime(value)
		case "valid-before":
			s.till, err = signerTime(value)
		default:
			return s, false, fmt.Errorf("%w: the option %q is not known", errSignerLine, name)
		}
		if err != nil {
			return s, false, err
		}
	}
	return s, ours, nil
}

// matches holds a word to a comma-separated list of patterns, as OpenSSH does: one that
// begins with ! takes out.
func matches(patterns, word string) bool {
	found := false
	for p := range strings.SplitSeq(patterns, ",") {
		p, not := strings.CutPrefix(strings.TrimSpace(p), "!")
		if ok, err := path.Match(p, word); err != nil || !ok {
			continue
		}
		if not {
			return false
		}
		found = true
	}
	return found
}

// signerTime reads a time of the list. One without Z is meant in UTC here, so that the
// same list means the same everywhere.
func signerTime(s string) (time.Time, error) {
	s = strings.TrimSuffix(s, "Z")
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(s) == len(layout) {
			if t, err := time.Parse(layout, s); err == nil {
				return t, nil
			}
		}
	}
	return time.Time{}, errSignerTime
}

// pemSigners reads public keys as OpenSSL writes them. Nobody's name stands there.
func pemSigners(text []byte) (Signers, error) {
	var list Signers
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		public, err := x509.ParsePKIXPublicKey(block.Bytes)
		ours, is := public.(ed25519.PublicKey)
		if err != nil || !is {
			return nil, fmt.Errorf("%w: its block %s: expected a public key of ed25519, as `openssl pkey -pubout` writes it", ErrSigners, block.Type)
		}
		key, err := ssh.NewPublicKey(ours)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSigners, err)
		}
		list = append(list, signer{names: "whoever has its private key", key: key})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no block of PEM in it is whole", ErrSigners)
	}
	return list, nil
}

// Who gives the names to which a key belongs on a day; empty where the list does not
// hold it, or not for that day.
func (l Signers) Who(key ssh.PublicKey, now time.Time) string {
	for _, s := range l {
		if s.key != nil && bytes.Equal(s.key.Marshal(), key.Marshal()) && !now.Before(s.after) && (s.till.IsZero() || now.Before(s.till)) {
			return s.names
		}
	}
	return ""
}

// Fingerprint is how a key is told: SHA256 and base64, as ssh-keygen -l prints it.
func Fingerprint(key ssh.PublicKey) string { return ssh.FingerprintSHA256(key) }

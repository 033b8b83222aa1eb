package feed

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"paysandbox/mockserver/tape"
)

// Signature is how the signature of a delivery comes about, step by step.
type Signature struct {
	// Sent is the value of X-HMAC-Signature, "" when none was sent.
	Sent string
	// Bytes are the signed bytes as text, Length how many there are, and Digest their
	// SHA-256, so that two sides can compare what they have.
	Bytes, Digest string
	Length        int
	// Secret is the key with its middle hidden; "" when it is not known.
	Secret string
	// Worked is the value that the key and the bytes give; "" without a key.
	Worked string
	// Same says that Worked is what was sent.
	Same bool
	// Verdict says what that means.
	Verdict string
}

// headerSignature is where deliveries carry their signature.
const headerSignature = "X-HMAC-Signature"

// SignatureOf works a delivery's signature out with the endpoint's present secret.
func SignatureOf(a *tape.Attempt, secret string) Signature {
	sum := sha256.Sum256(a.Body)
	s := Signature{Sent: tape.HeaderOf(a.Header, headerSignature), Length: len(a.Body), Digest: hex.EncodeToString(sum[:])}
	if utf8.Valid(a.Body) && len(a.Body) <= maxBody {
		s.Bytes = string(a.Body)
	}
	if secret == "" {
		s.Verdict = "The endpoint's secret is not known here, so the signature cannot be worked out."
		return s
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(a.Body)
	s.Secret, s.Worked = masked(secret), "sha256="+hex.EncodeToString(mac.Sum(nil))
	s.Same = strings.EqualFold(s.Worked, s.Sent)
	switch {
	case s.Sent == "":
		s.Verdict = "No signature was sent: a receiver must refuse this delivery."
	case s.Same:
		s.Verdict = "The signature is right: a receiver that finds another one has changed the bytes before it hashed them, or has another secret."
	case a.Profile != "":
		s.Verdict = "The signature is wrong on purpose (profile " + string(a.Profile) + "): a receiver must refuse this delivery."
	default:
		s.Verdict = "The signature was made with another secret: it was rotated since, or other bytes are signed by choice (latitude: signed-bytes)."
	}
	return s
}

// masked shows how a secret begins and how long it is.
func masked(secret string) string {
	const shown = 4
	if len(secret) <= 2*shown {
		return strings.Repeat("•", len(secret))
	}
	return strings.ToValidUTF8(secret[:shown], "•") + "… (" + strconv.Itoa(len(secret)) + " bytes)"
}

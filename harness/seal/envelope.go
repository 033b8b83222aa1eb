package seal

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"golang.org/x/crypto/ssh"
)

// EnvelopeSuffix is what a report's name has behind it in the name of the file that holds
// its statement in an envelope.
const EnvelopeSuffix = ".intoto.jsonl"

// payloadType is what in-toto calls a statement in an envelope.
const payloadType = "application/vnd.in-toto+json"

// MaxEnvelope bounds an envelope, in bytes: base64 makes a third more of a statement.
const MaxEnvelope = MaxStatement/3*4 + MaxSignature

// envelope is a DSSE envelope: bytes are base64 in JSON. It is what cosign and other
// policy engines read.
type envelope struct {
	PayloadType string              `json:"payloadType"`
	Payload     []byte              `json:"payload"`
	Signatures  []envelopeSignature `json:"signatures"`
}

type envelopeSignature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// signedBytes are what is signed of a statement, as DSSE version 1 writes it.
func signedBytes(statement []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(statement), statement)
}

// Envelope gives the statement and its signature as one line of JSON.
func (k sshKey) Envelope(statement []byte) ([]byte, error) {
	signature, err := k.signer.Sign(rand.Reader, signedBytes(statement))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	raw, err := json.Marshal(envelope{payloadType, statement, []envelopeSignature{{Fingerprint(k.signer.PublicKey()), signature.Blob}}})
	return append(raw, '\n'), err
}

// VerifyEnvelope holds an envelope to the statement beside it, and to the key that has
// signed that. The error wraps ErrSignature.
func VerifyEnvelope(raw, statement []byte, key ssh.PublicKey) error {
	var e envelope
	if len(raw) > MaxEnvelope || json.Unmarshal(raw, &e) != nil || e.PayloadType != payloadType || len(e.Signatures) != 1 {
		return fmt.Errorf("%w: it is no envelope with a statement and one signature", ErrSignature)
	}
	if !bytes.Equal(e.Payload, statement) {
		return fmt.Errorf("%w: the envelope holds another statement", ErrSignature)
	}
	if key.Verify(signedBytes(statement), &ssh.Signature{Format: key.Type(), Blob: e.Signatures[0].Sig}) != nil {
		return fmt.Errorf("%w: the key of the signature beside the envelope has not signed it: sign both anew with --sign, or leave it out", ErrSignature)
	}
	return nil
}

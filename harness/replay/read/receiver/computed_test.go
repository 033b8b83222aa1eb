package receiver_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestOtherDigests: of a digest that a receiver has computed it is told of what it is; of none in the files, and of a signature that is
// not known to be right, nothing is.
func TestOtherDigests(t *testing.T) {
	t.Parallel()
	const secret = "whsec_c2VjcmV0LW9mLXRlc3Rz"
	sum := func(secret, body string) []byte {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(body))
		return mac.Sum(nil)
	}
	wide := hmac.New(sha512.New, []byte(secret))
	wide.Write([]byte(paid))
	plain := sha256.Sum256([]byte(secret + paid))
	for said, computed := range map[string]string{
		"; the digest that it computed is that of the secret with the end of a line behind it":                                           hex.EncodeToString(sum(secret+"\n", paid)),
		"; the digest that it computed is that of the secret without the whsec_ that it begins with":                                     hex.EncodeToString(sum(secret[6:], paid)),
		"; the digest that it computed is that of the secret decoded from Base64":                                                        base64.StdEncoding.EncodeToString(sum("secret-of-tests", paid)),
		"; the digest that it computed is that of the body printed anew, and not the bytes as they came":                                 strings.ToUpper(hex.EncodeToString(sum(secret, strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(paid)))),
		"; the digest that it computed is that of an empty body, as of one that had been read before":                                    hex.EncodeToString(sum(secret, "")),
		"; the digest that it computed is that of the right secret and body by SHA-512 in the place of SHA-256":                          hex.EncodeToString(wide.Sum(nil)),
		"; the digest that it computed is that of the body in Base64, as the gateway before the receiver hands it on, and not its bytes": hex.EncodeToString(sum(secret, base64.StdEncoding.EncodeToString([]byte(paid)))),
		"; the digest that it computed is that of a plain SHA-256, which is no HMAC":                                                     hex.EncodeToString(plain[:]),
		"": hex.EncodeToString(sum("another secret", paid)) + " of " + hex.EncodeToString(sum(secret, paid)),
	} {
		for _, signature := range []recording.Signature{recording.Valid, recording.Unchecked} {
			r := recording.Recording{Received: []recording.Received{{Body: []byte(paid), Signature: signature}}}
			receiver.OtherDigests([]source.File{{Name: "a.log", Data: []byte("signature mismatch, computed " + computed + "\n")}}, &r, secret)
			if signature == recording.Valid {
				require.Equal(t, said, r.Received[0].Computed())
			} else {
				require.Empty(t, r.Received[0].Log)
			}
		}
	}
}

// TestDigestsOfParameters: a receiver may have signed the parameters that its framework has parsed, with what that adds to them.
func TestDigestsOfParameters(t *testing.T) {
	t.Parallel()
	const secret = "whsec_c2VjcmV0LW9mLXRlc3Rz"
	for added, log := range map[string]string{
		`,"payment_hook":` + paid: `Parameters: {"Event"=>"x", "payment_hook"=>{"Event"=>"x"}}`,
		`,"controller":"api/payment_hooks","action":"create","payment_hook":` + paid: "Processing by Api::PaymentHooksController#create as JSON\n" + `Parameters: {"Event"=>"x", "payment_hook"=>{"Live"=>true, "Event"=>"x"}}`,
		`,"controller":"hooks","action":"receive"`:                                   "Processing by HooksController#receive as JSON",
	} {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(strings.TrimSuffix(paid, "}") + added + "}"))
		computed := "computed=" + hex.EncodeToString(mac.Sum(nil))
		r := recording.Recording{Received: []recording.Received{{Body: []byte(paid), Signature: recording.Valid}}}
		receiver.OtherDigests([]source.File{{Name: "a.log", Data: []byte(log + "\n" + computed + "\n")}}, &r, secret)
		require.Contains(t, r.Received[0].Computed(), "the parameters as the framework has parsed them", log)
		r.Received[0].Log = nil
		receiver.OtherDigests([]source.File{{Name: "a.log", Data: []byte(computed + "\n")}}, &r, secret)
		require.Empty(t, r.Received[0].Log, "nothing names what was added")
	}
}

package read_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestASecretInAFile: a secret that a file holds, alone or by its name, is that of the webhooks which it has signed; any other word is
// none, and the file in which it stands was not read.
func TestASecretInAFile(t *testing.T) {
	t.Parallel()
	const secret, event = "whk_104d468a3ad40bdcfc9a4d32fad74b", `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p"}}`
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(event))
	traffic := fmt.Sprintf("POST /hooks HTTP/1.1\nHost: shop.example\nContent-Type: application/json\nContent-Length: %d\nX-HMAC-Signature: sha256=%s\n\n%s\n", len(event), hex.EncodeToString(mac.Sum(nil)), event)
	for name, c := range map[string]struct {
		text, format string
		found        bool
	}{
		"alone":               {secret, "secret", true},
		"with a line's end":   {secret + "\r\n", "secret", true},
		"behind its name":     {"WEBHOOK_SECRET=" + secret, "secret", true},
		"that signed nothing": {"whk_204d468a3ad40bdcfc9a4d32fad74b\n", recording.Unread, false},
		"among others":        {"a " + secret + "\n", "secret", true},
	} {
		r := readAll(t, read.Options{}, source.File{Name: "traffic.txt", Data: []byte(traffic)}, source.File{Name: "k.txt", Data: []byte(c.text)})
		require.Len(t, r.Received, 1, name)
		require.Equal(t, c.found, r.Received[0].Signature == recording.Valid, name)
		at := slices.IndexFunc(r.Sources, func(s recording.Source) bool { return s.Name == "k.txt" })
		require.Equal(t, c.format, r.Sources[at].Format, name)
	}
}

// TestAStruckSignatureIsNoLostCall: that a signature cannot be checked is said, and no call is missing for that.
func TestAStruckSignatureIsNoLostCall(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{WebhookSecret: "whk_1"}, source.File{Name: "traffic.txt", Data: []byte(
		"\nPOST /hooks HTTP/1.1\nHost: shop.example\nContent-Type: application/json\nX-HMAC-Signature: sha256=********\n\n{\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"p\"}}\n")})
	require.Len(t, r.Received, 1)
	require.Len(t, r.Skipped, 1)
	require.Contains(t, r.Skipped[0].Why, "struck out")
	require.False(t, r.Skipped[0].Lost())
}

// TestSignedOtherwise: a signature that is the right digest in Base64 is the service's, and not as it has to be; another digest is wrong.
func TestSignedOtherwise(t *testing.T) {
	t.Parallel()
	const body = `{"Live":true,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"6a558dcd-ef09-4681-b85c-4a6c6369eb2b","RegistrationId":"22cd920e-7974-4f14-a298-c659fe65eb37","Amount":4500,"Currency":"USD","Status":"Paid","Timestamp":"2026-11-12T14:21:22Z","AccountNumberMasked":"*6108"}}`
	for signature, want := range map[string]recording.Signature{
		"sha256=L9hK3dDwLmCaVtefJ+UJrovu43QYPeFR+QkeOSXzQJY=":                     recording.Otherwise,
		"sha256=L9hK3dDwLmCaVtefJ-UJrovu43QYPeFR-QkeOSXzQJY":                      recording.Otherwise,
		"sha256=M9hK3dDwLmCaVtefJ+UJrovu43QYPeFR+QkeOSXzQJY=":                     recording.Wrong,
		"sha256=2fd84addd0f02e609a56d79f27e509ae8beee374183de151f9091e3925f34096": recording.Valid,
	} {
		line := fmt.Sprintf(`{"webhook":true,"headers":{"X-HMAC-Signature":%q},"body":%q}`, signature, body)
		r, _ := read.Contents([]source.File{{Name: "hooks.jsonl", Data: []byte(line)}}, read.Options{WebhookSecret: "ridgeline-whk-4e0b77"})
		require.Len(t, r.Received, 1)
		require.Equal(t, want, r.Received[0].Signature, signature)
	}
}

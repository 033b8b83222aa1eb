package world_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// open decrypts as the published demo does: nonce, tag, ciphertext.
func open(t *testing.T, key, data string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(data)
	require.NoError(t, err)
	hash := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(hash[:])
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	nonce, tag, text := raw[:12], raw[12:28], raw[28:]
	plain, err := gcm.Open(nil, nonce, append(append([]byte{}, text...), tag...), nil)
	require.NoError(t, err)
	return string(plain)
}

// shopWithStatusKey is a shop with a status key.
func shopWithStatusKey(t *testing.T, key string, choices ...latitude.Choice) *shop {
	t.Helper()
	w := world.New(world.Config{Seed: 7, StatusKey: key, Settings: latitude.Settings{}.Choose(choices...)})
	payerInput(w, 0)
	x := &shop{World: w}
	x.company, x.location = payerCompany(t, w, "loc-001")
	x.payer = register(t, w, nil)
	return x
}

func TestReturnURLIsEncrypted(t *testing.T) {
	t.Parallel()
	x := shopWithStatusKey(t, "sesame")
	id := x.pay(t, func(r *world.NewPayment) { r.ReturnURL = "https://p.example.com/paid?order=5&b=%20#top" })
	x.move(t, id, "approve")
	got, err := x.ReturnURL(id)
	require.NoError(t, err)
	u, err := url.Parse(got)
	require.NoError(t, err)
	require.Equal(t, "top", u.Fragment)
	require.Contains(t, u.RawQuery, "order=5&b=%20&data=")
	require.JSONEq(t, `{"paymentRequestId":"`+id+`","status":"Processing","amount":5000}`, open(t, "sesame", u.Query().Get("data")))
	again, err := x.ReturnURL(id)
	require.NoError(t, err)
	require.NotEqual(t, got, again, "each has its own nonce")
}

func TestReturnURLFollowsTheSeed(t *testing.T) {
	t.Parallel()
	var got [2]string
	for i := range got {
		x := shopWithStatusKey(t, "sesame")
		var err error
		got[i], err = x.ReturnURL(x.pay(t, func(r *world.NewPayment) { r.ReturnURL = "https://p.example.com" }))
		require.NoError(t, err)
	}
	require.Equal(t, got[0], got[1])
}

func TestReturnURLOtherwise(t *testing.T) {
	t.Parallel()
	x := shopWithStatusKey(t, "")
	id := x.pay(t, func(r *world.NewPayment) { r.ReturnURL = "https://p.example.com/paid?order=5" })
	got, err := x.ReturnURL(id)
	require.NoError(t, err)
	require.Equal(t, "https://p.example.com/paid?order=5", got)
	x = shopWithStatusKey(t, "sesame", latitude.ReturnURLPlain)
	id = x.pay(t, func(r *world.NewPayment) { r.ReturnURL = "https://p.example.com/paid" })
	got, err = x.ReturnURL(id)
	require.NoError(t, err)
	require.Equal(t, "https://p.example.com/paid?paymentRequestId="+id+"&status=Pending", got)
	got, err = x.ReturnURL(x.pay(t, nil))
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = x.ReturnURL(unknownPayer)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

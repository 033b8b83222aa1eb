package world

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// ReturnURL is the address to which the payer's browser goes after a payment,
// with what the ledger adds; "" when the payment has none. Each call draws a
// new nonce. An unknown id is NotFound. Latitude, return-url.
func (w *World) ReturnURL(paymentID string) (string, error) {
	p, _, err := w.payment(paymentID)
	if err != nil {
		return "", err
	}
	var t paymentTexts
	w.texts.Unpack(p.texts, &t)
	return w.returnTo(t.returnURL, p.id.String(), w.status(p), p.amount)
}

// returnTo adds the status of a payment, or of what is like one, to an address.
func (w *World) returnTo(address, id, status string, amount int64) (string, error) {
	switch {
	case address == "":
		return "", nil
	case w.is(latitude.ReturnURLPlain):
		return withQuery(withQuery(address, "paymentRequestId", id), "status", status), nil
	case w.cfg.StatusKey == "":
		return address, nil
	}
	text := `{"paymentRequestId":"` + id + `","status":"` + status + `","amount":` + strconv.FormatInt(amount, 10) + `}`
	sealed, err := w.sealStatus(text)
	if err != nil {
		return "", err
	}
	return withQuery(address, "data", base64.RawURLEncoding.EncodeToString(sealed)), nil
}

// sealStatus encrypts with AES-256-GCM under the SHA-256 of the status key. The
// result is nonce (12 bytes), tag (16) and ciphertext. Each has its
// own nonce, into which the text goes too: no two texts share one.
func (w *World) sealStatus(text string) ([]byte, error) {
	key := sha256.Sum256([]byte(w.cfg.StatusKey))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, &kernel.Error{Code: kernel.Internal, Detail: "sealing the status: " + err.Error()}
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, &kernel.Error{Code: kernel.Internal, Detail: "sealing the status: " + err.Error()}
	}
	drawn := w.core.NewSecret("return-url")
	mac := hmac.New(sha256.New, drawn[:])
	_, _ = mac.Write([]byte(text)) // a hash never fails
	nonce := mac.Sum(nil)[:gcm.NonceSize():gcm.NonceSize()]
	sealed := gcm.Seal(nil, nonce, []byte(text), nil)
	tag := len(sealed) - gcm.Overhead()
	return append(append(nonce, sealed[tag:]...), sealed[:tag]...), nil
}

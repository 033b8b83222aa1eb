package partner

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Returned is what the service adds to a returnUrl under a status key.
type Returned struct {
	// PaymentRequestID names the payment, Status its state.
	PaymentRequestID string `json:"paymentRequestId"`
	Status           string `json:"status"`
	// Amount is in cents.
	Amount int64 `json:"amount"`
}

var errShort = errors.New("the data parameter is too short")

// urlSafe brings either alphabet of base64 to the one of addresses, also where a
// plus has become a space, and takes the padding away.
var urlSafe = strings.NewReplacer("+", "-", " ", "-", "/", "_", "=", "")

// The parts of the data parameter, in bytes.
const (
	nonceSize = 12
	tagSize   = 16
)

// ReadReturn decrypts the data parameter of an address: base64 of nonce, tag and
// ciphertext, AES-256-GCM under the SHA-256 of the key. Latitude, return-url.
func ReadReturn(address, key string) (Returned, error) {
	var r Returned
	u, err := url.Parse(address)
	if err != nil {
		return r, err
	}
	raw, err := base64.RawURLEncoding.DecodeString(urlSafe.Replace(u.Query().Get("data")))
	if err != nil {
		return r, fmt.Errorf("read the data parameter of %q: %w", address, err)
	}
	if len(raw) < nonceSize+tagSize {
		return r, fmt.Errorf("read %q: %w", address, errShort)
	}
	plain, err := open(raw, sha256.Sum256([]byte(key)))
	if err != nil {
		return r, fmt.Errorf("decrypt the data parameter of %q: %w", address, err)
	}
	return r, json.Unmarshal(plain, &r)
}

// open checks and decrypts; the standard library wants the tag at the end.
func open(raw []byte, key [sha256.Size]byte) ([]byte, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	sealed := append(append([]byte(nil), raw[nonceSize+tagSize:]...), raw[nonceSize:nonceSize+tagSize]...)
	return gcm.Open(nil, raw[:nonceSize], sealed, nil)
}

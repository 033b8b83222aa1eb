package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/tape"
)

// The headers of a delivery, as they are written.
const (
	headerType      = "Content-Type"
	headerDelivery  = "Sandbox-Delivery"
	headerAgent     = "User-Agent"
	headerSignature = "X-HMAC-Signature"
)

// request is what one attempt sends.
type request struct {
	body      []byte
	signature string           // "" for none
	profiles  delivery.Profile // those that were applied
	slow, cut bool
}

// compose writes the request of an attempt: first what it says, then the
// signature, then what happens to it on its way. The same delivery and number
// give the same request.
func compose(d *delivery.View, upper bool) request {
	l := request{body: d.Body}
	secret := d.Secret
	asked := d.Profile
	rng := draws(d)
	l.rewrite(asked, rng)
	if secret != "" && l.apply(asked, delivery.MissingSignature) {
		secret = ""
	}
	if secret != "" && l.apply(asked, delivery.WrongSecret) {
		secret = otherSecret(secret, rng)
	}
	switch {
	case secret == "":
	case l.apply(asked, delivery.EmptySecret):
		l.signature = Signature("", l.signed(asked), upper)
	default:
		l.signature = Signature(secret, l.signed(asked), upper)
	}
	if l.signature != "" && l.apply(asked, delivery.AlteredSignature) {
		l.signature = lastDigit(l.signature)
	}
	if asked.Has(delivery.AlteredStatus) {
		l.claim()
	}
	if len(l.body) > 0 && l.apply(asked, delivery.AlteredByte) {
		l.body = alter(l.body, rng)
	}
	l.cut = l.apply(asked, delivery.CutConnection)
	l.slow = !l.cut && l.apply(asked, delivery.SlowRead)
	l.profiles |= d.Applied
	return l
}

// apply notes a profile if it was asked for.
func (l *request) apply(asked, profile delivery.Profile) bool {
	if !asked.Has(profile) {
		return false
	}
	l.profiles |= profile
	return true
}

// header lists what is sent, by name.
func (l *request) header(d *delivery.View, style Style, version string) []tape.Header {
	list := make([]tape.Header, 0, 4)
	list = append(list, tape.Header{Name: headerType, Value: "application/json"})
	if !style.Bare {
		list = append(list,
			tape.Header{Name: headerDelivery, Value: d.ID.String()},
			tape.Header{Name: headerAgent, Value: "paysandbox/" + version})
	}
	if l.signature != "" {
		list = append(list, tape.Header{Name: headerSignature, Value: l.signature})
	}
	return list
}

// Signature is the value of X-HMAC-Signature: sha256= and the HMAC-SHA256 of the
// exact body, keyed by the secret's UTF-8 bytes, in hex. Specification, Events;
// latitude, signed-bytes.
func Signature(secret string, body []byte, upper bool) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body) // a hash never fails
	digest := hex.EncodeToString(mac.Sum(nil))
	if upper {
		digest = strings.ToUpper(digest)
	}
	return "sha256=" + digest
}

// draws is the source of what profiles leave to chance.
func draws(d *delivery.View) *rand.Rand {
	high, low := binary.BigEndian.Uint64(d.ID[:8]), binary.BigEndian.Uint64(d.ID[8:])
	number := d.Attempt
	if d.Second { // two attempts at the same moment are alike
		number--
	}
	return rand.New(rand.NewPCG(high, low^uint64(number))) //nolint:gosec // G115: a small count.
}

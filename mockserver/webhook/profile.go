package webhook

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"time"

	"paysandbox/mockserver/delivery"
)

// staleBy is how far stale-timestamp sets an event back, and how old what
// stale-signature signs is.
const staleBy = time.Hour

// unknownEvents are names that no specification knows.
var unknownEvents = [...]string{
	"COMPANY_LIMIT_STATUS_CHANGED", "PAYMENT_REVIEW_STATUS_CHANGED", "PAYOUT_STATUS_CHANGED", "PAYER_STATUS_CHANGED",
}

// rewriters change an event in this order, and say whether they could.
var rewriters = [...]struct {
	profile delivery.Profile
	change  func(event *value, rng *rand.Rand) bool
}{
	{delivery.StaleTimestamp, setBack},
	{delivery.UnknownEvent, rename},
	{delivery.ExtraMember, extend},
}

// rewriting are the profiles that change what a request says.
const rewriting = delivery.OddJSON | delivery.StaleTimestamp | delivery.UnknownEvent | delivery.ExtraMember

// rewrite carries out the profiles that change what a request says. They are
// signed rightly afterwards. A body that is not a JSON object stays as it is.
func (l *request) rewrite(asked delivery.Profile, rng *rand.Rand) {
	if !asked.Has(rewriting) {
		return
	}
	event, err := parseJSON(l.body)
	if err != nil || event.kind != '{' {
		return
	}
	for _, r := range rewriters {
		if asked.Has(r.profile) && r.change(&event, rng) {
			l.profiles |= r.profile
		}
	}
	if l.apply(asked, delivery.OddJSON) {
		l.body = event.appendOdd(nil, rng)
		return
	}
	l.body = event.append(nil)
}

// setBack makes the event an hour older.
func setBack(event *value, _ *rand.Rand) bool {
	data := event.member("Data")
	if data == nil {
		return false
	}
	stamp := data.member("Timestamp")
	if stamp == nil || stamp.kind != '"' {
		return false
	}
	at, err := time.Parse(time.RFC3339Nano, stamp.text())
	if err != nil {
		return false
	}
	layout := time.RFC3339
	if bytes.IndexByte(stamp.raw, '.') >= 0 {
		layout = "2006-01-02T15:04:05.000Z07:00"
	}
	stamp.raw = quoteJSON(at.Add(-staleBy).Format(layout))
	return true
}

// signed is what the signature of a request is made from: its body, or by
// stale-signature one that went out before.
func (l *request) signed(asked delivery.Profile) []byte {
	if !asked.Has(delivery.StaleSignature) {
		return l.body
	}
	event, err := parseJSON(l.body)
	if err != nil || event.kind != '{' || !setBack(&event, nil) {
		return l.body
	}
	l.profiles |= delivery.StaleSignature
	return event.append(nil)
}

// claim lets the event, signed already, tell what an attacker would like: that its payment
// is Paid, its company Verified. One that tells so stays as it is.
func (l *request) claim() {
	event, err := parseJSON(l.body)
	if err != nil || event.kind != '{' {
		return
	}
	data := event.member("Data")
	if data == nil || data.member("Status") == nil {
		return
	}
	wanted := "Paid"
	if data.member("PaymentId") == nil {
		wanted = "Verified"
	}
	if status := data.member("Status"); status.text() != wanted {
		*status = value{kind: '"', raw: quoteJSON(wanted)}
		l.profiles |= delivery.AlteredStatus
		l.body = event.append(nil)
	}
}

// rename gives the event a name that nobody knows.
func rename(event *value, rng *rand.Rand) bool {
	name := event.member("Event")
	if name == nil {
		return false
	}
	*name = value{kind: '"', raw: quoteJSON(unknownEvents[rng.IntN(len(unknownEvents))])}
	return true
}

// extend adds members of several kinds, to the event and to its data. One text has a letter
// of more than one byte: who verifies it in another coding than it came in finds out.
func extend(event *value, rng *rand.Rand) bool {
	data := event.member("Data")
	if data != nil && data.kind == '{' {
		data.members = append(data.members,
			member{"Revision", value{raw: strconv.AppendInt(nil, 1+rng.Int64N(9), 10)}},
			member{"Note", value{raw: []byte("null")}})
	}
	event.members = append(event.members, member{"Origin", value{kind: '{', members: []member{
		{"Region", value{kind: '"', raw: quoteJSON("region-" + strconv.Itoa(1+rng.IntN(9)))}},
		{"Labels", value{kind: '[', items: []value{{kind: '"', raw: quoteJSON("añadido")}}}},
	}}})
	return true
}

// otherSecret is a secret that is not the right one.
func otherSecret(secret string, rng *rand.Rand) string {
	return secret + "-" + strconv.FormatUint(rng.Uint64(), 36)
}

// lastDigit gives a signature whose last hex digit is another one: whoever compares
// only how it begins takes it for right.
func lastDigit(signature string) string {
	last := len(signature) - 1
	if signature[last] == '0' {
		return signature[:last] + "1"
	}
	return signature[:last] + "0"
}

// alter changes one byte. A digit becomes another one where there is any, so
// that the request still looks right to whoever does not check its signature.
func alter(body []byte, rng *rand.Rand) []byte {
	altered := bytes.Clone(body)
	var digits []int
	for i, b := range altered {
		if b >= '0' && b <= '9' {
			digits = append(digits, i)
		}
	}
	if len(digits) == 0 {
		altered[rng.IntN(len(altered))] ^= 1
		return altered
	}
	at := digits[rng.IntN(len(digits))]
	// 1 to 9, so that no number begins with a nought.
	digit := byte('1' + rng.IntN(9)) //nolint:gosec // G115: a digit.
	if digit == altered[at] {
		digit = '1' + (digit-'0')%9
	}
	altered[at] = digit
	return altered
}

// quoteJSON writes a text that Go has made as a JSON string.
func quoteJSON(s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic("webhook: " + err.Error()) // a string cannot fail
	}
	return raw
}

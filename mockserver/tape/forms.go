package tape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// stamp is unix nanoseconds that are RFC 3339 in UTC in JSON.
type stamp int64

// MarshalText writes up to nine decimals, without trailing zeros.
func (s stamp) MarshalText() ([]byte, error) {
	return time.Unix(0, int64(s)).UTC().AppendFormat(nil, time.RFC3339Nano), nil
}

// UnmarshalText accepts RFC 3339 with any offset, in the years that 64 bits of
// nanoseconds can hold.
func (s *stamp) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return fmt.Errorf("read time %q: not RFC 3339", excerpt(text))
	}
	n := t.UnixNano()
	if !time.Unix(0, n).Equal(t) {
		return fmt.Errorf("read time %q: outside the years 1678 to 2261", excerpt(text))
	}
	*s = stamp(n)
	return nil
}

// octets is bytes in JSON: a string when that loses nothing, else base64.
type octets struct {
	text   *string
	base64 []byte
}

func newOctets(b []byte) octets {
	switch {
	case len(b) == 0:
		return octets{}
	case !utf8.Valid(b):
		return octets{base64: b}
	default:
		text := string(b)
		return octets{text: &text}
	}
}

var errBothForms = errors.New("bytes are given twice, as text and as base64")

// octetsOf reads the two forms back. No bytes are nil.
func octetsOf(text *string, base64 []byte) ([]byte, error) {
	switch {
	case text != nil && base64 != nil:
		return nil, errBothForms
	case len(base64) > 0:
		return base64, nil
	case text != nil && *text != "":
		return []byte(*text), nil
	default:
		return nil, nil
	}
}

// bodyWire is the two forms of a body.
type bodyWire struct {
	Body       *string `json:"body,omitempty"`
	BodyBase64 []byte  `json:"bodyBase64,omitempty"`
}

func newBodyWire(b []byte) bodyWire {
	o := newOctets(b)
	return bodyWire{Body: o.text, BodyBase64: o.base64}
}

func (w bodyWire) into(b *[]byte) (err error) {
	*b, err = octetsOf(w.Body, w.BodyBase64)
	return err
}

// answerWire is the two forms of the answer to a delivery.
type answerWire struct {
	ResponseBody       *string `json:"responseBody,omitempty"`
	ResponseBodyBase64 []byte  `json:"responseBodyBase64,omitempty"`
}

func newAnswerWire(b []byte) answerWire {
	o := newOctets(b)
	return answerWire{ResponseBody: o.text, ResponseBodyBase64: o.base64}
}

func (w answerWire) into(b *[]byte) (err error) {
	*b, err = octetsOf(w.ResponseBody, w.ResponseBodyBase64)
	return err
}

// toJSON is json.Marshal that leaves <, > and & readable.
func toJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write %T: %w", v, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

package integration

import (
	"bytes"
	"strings"

	"paysandbox/mockserver/tape"
)

// shortestSecret is how long a secret must be to be looked for, in bytes: a
// shorter one may be a word.
const shortestSecret = 8

// struckHeader stands in a header in the place of a secret.
const struckHeader = "[secret]"

// strike takes the integration's own secrets out of an entry, wherever a caller or
// a receiver has put them: a tape is saved, shared and shown. Elsewhere secrets are
// masked by the names of their members; these are known by their value.
func (i *Integration) strike(e *tape.Entry) {
	o := &i.opts
	for _, secret := range [...]string{o.ClientSecret, o.WebhookSecret, o.StatusKey} {
		strikeOne(e, secret)
	}
	for secret := range i.world.WebhookSecrets {
		if secret != o.WebhookSecret {
			strikeOne(e, secret)
		}
	}
}

// strikeOne takes one secret out of an entry. What holds it is copied: the answer
// that goes out stays as it is.
func strikeOne(e *tape.Entry, secret string) {
	if len(secret) < shortestSecret {
		return
	}
	switch {
	case e.Exchange != nil:
		if holdsExchange(e.Exchange, secret) {
			e.Exchange = struckExchange(e.Exchange, secret)
		}
	case e.Attempt != nil:
		if a := e.Attempt; strings.Contains(a.URL, secret) || holdsHeader(a.ResponseHeader, secret) || holds(a.ResponseBody, secret) {
			struck := *a
			struck.URL = struckText(a.URL, secret)
			struck.ResponseHeader, struck.ResponseBody = struckHeaders(a.ResponseHeader, secret), struckBody(a.ResponseBody, secret)
			e.Attempt = &struck
		}
	case e.Message != nil:
		for n := range e.Message.Params {
			e.Message.Params[n].Value = struckText(e.Message.Params[n].Value, secret)
		}
	}
	for n := range e.Findings {
		e.Findings[n].Received = struckText(e.Findings[n].Received, secret)
	}
}

func holds(body []byte, secret string) bool {
	return len(body) >= len(secret) && bytes.Contains(body, []byte(secret))
}

func holdsHeader(list []tape.Header, secret string) bool {
	for n := range list {
		if len(list[n].Value) >= len(secret) && strings.Contains(list[n].Value, secret) {
			return true
		}
	}
	return false
}

func holdsExchange(x *tape.Exchange, secret string) bool {
	return strings.Contains(x.Path, secret) || strings.Contains(x.Query, secret) ||
		holdsHeader(x.Request.Header, secret) || holds(x.Request.Body, secret) ||
		holdsHeader(x.Response.Header, secret) || holds(x.Response.Body, secret)
}

func struckExchange(x *tape.Exchange, secret string) *tape.Exchange {
	struck := *x
	struck.Path, struck.Query = struckText(x.Path, secret), struckText(x.Query, secret)
	struck.Request.Header, struck.Request.Body = struckHeaders(x.Request.Header, secret), struckBody(x.Request.Body, secret)
	struck.Response.Header, struck.Response.Body = struckHeaders(x.Response.Header, secret), struckBody(x.Response.Body, secret)
	return &struck
}

func struckHeaders(list []tape.Header, secret string) []tape.Header {
	struck := make([]tape.Header, len(list))
	for n, h := range list {
		struck[n] = tape.Header{Name: h.Name, Value: strings.ReplaceAll(h.Value, secret, struckHeader)}
	}
	return struck
}

func struckText(text, secret string) string {
	return strings.ReplaceAll(text, secret, string(disguised(secret)))
}

func struckBody(body []byte, secret string) []byte {
	return bytes.ReplaceAll(body, []byte(secret), disguised(secret))
}

// disguised has the form of a secret, as what is masked by name does: x for each
// letter and 1 for each digit.
func disguised(secret string) []byte {
	b := []byte(secret)
	for n, c := range b {
		switch {
		case c >= '0' && c <= '9':
			b[n] = '1'
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= 0x80:
			b[n] = 'x'
		}
	}
	return b
}

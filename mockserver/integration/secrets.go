package integration

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// shortestSecret is how long a secret must be to be looked for, in bytes, and
// shortestWord how long one of letters alone: a shorter one may be a word, such as
// the payments of a path.
const (
	shortestSecret = 8
	shortestWord   = 16
)

// findable says whether a secret is looked for.
func findable(secret string) bool {
	return len(secret) >= shortestWord || len(secret) >= shortestSecret &&
		strings.ContainsFunc(secret, func(c rune) bool { return c|0x20 < 'a' || c|0x20 > 'z' })
}

// maxWords bounds how many words are looked for: each costs every entry some time.
const maxWords = 64

// secrets are the words that are looked for in every entry, gathered anew when the
// webhook endpoints have changed. A secret that was rotated out stays one.
type secrets struct {
	of    *world.World
	state uint64
	known []string
	words []word
}

// strike takes the integration's own secrets and access tokens out of an entry,
// wherever a caller or a receiver has put them: a tape is saved, shared and shown.
// Elsewhere secrets are masked by the names of their members; these are known by
// their value.
func (i *Integration) strike(e *tape.Entry) {
	if e.Exchange == nil && e.Attempt == nil && e.Fetch == nil && e.Message == nil && e.Findings == nil {
		return
	}
	if s := &i.secrets; s.of != i.world || s.state != i.world.WebhookChanges() {
		s.gather(i.world, &i.opts)
	}
	for n := range i.secrets.words {
		strikeWord(e, &i.secrets.words[n])
	}
}

// gather notes the secrets that there are now.
func (s *secrets) gather(w *world.World, o *Options) {
	if s.of != w {
		*s = secrets{of: w, words: []word{newWord(tokenHead, "", nil)}}
	}
	s.state = w.WebhookChanges()
	for _, secret := range [...]string{o.ClientSecret, o.WebhookSecret, o.StatusKey} {
		s.add(secret)
	}
	for secret := range w.WebhookSecrets {
		s.add(secret)
	}
}

// add notes one secret in each of its spellings.
func (s *secrets) add(secret string) {
	if !findable(secret) || slices.Contains(s.known, secret) || len(s.words) >= maxWords {
		return
	}
	s.known = append(s.known, secret)
	s.words = append(s.words, newWord(secret, secret, asIs))
	if plain(secret) {
		return
	}
	for _, write := range [...]func(string) string{url.QueryEscape, url.PathEscape, lowerEscape, escapeSlashes, escapeJSON} {
		if find := write(secret); find != secret {
			s.words = append(s.words, newWord(find, secret, write))
		}
	}
}

// strikeWord takes what a word finds out of an entry. What holds it is copied: the
// answer that goes out stays as it is.
func strikeWord(e *tape.Entry, w *word) {
	switch {
	case e.Exchange != nil:
		if holdsExchange(e.Exchange, w) {
			e.Exchange = struckExchange(e.Exchange, w)
		}
		e.Entities = struckTexts(e.Entities, w)
	case e.Attempt != nil:
		if holdsAttempt(e.Attempt, w) {
			e.Attempt = struckAttempt(e.Attempt, w)
		}
	case e.Fetch != nil:
		if f := e.Fetch; strings.Contains(f.URL, w.find) || strings.Contains(f.Error, w.find) {
			struck := *f
			struck.URL, struck.Error = w.text(f.URL), w.text(f.Error)
			e.Fetch = &struck
		}
	case e.Message != nil:
		for n := range e.Message.Params {
			e.Message.Params[n].Value = w.text(e.Message.Params[n].Value)
		}
	}
	for n := range e.Findings {
		e.Findings[n].Received = w.text(e.Findings[n].Received)
	}
}

func struckTexts(list []string, w *word) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return len(s) >= len(w.find) && strings.Contains(s, w.find) }) {
		return list
	}
	struck := make([]string, len(list))
	for n, s := range list {
		struck[n] = w.text(s)
	}
	return struck
}

func holds(body []byte, w *word) bool {
	return len(body) >= len(w.bytes) && bytes.Contains(body, w.bytes)
}

func holdsHeader(list []tape.Header, w *word) bool {
	for n := range list {
		if len(list[n].Value) >= len(w.find) && strings.Contains(list[n].Value, w.find) {
			return true
		}
	}
	return false
}

func holdsExchange(x *tape.Exchange, w *word) bool {
	return strings.Contains(x.Path, w.find) || strings.Contains(x.Query, w.find) ||
		holdsHeader(x.Request.Header, w) || holds(x.Request.Body, w) ||
		holdsLocation(x.Response.Header, w) || holds(x.Response.Body, w)
}

// holdsLocation looks at the one header of an answer that holds what somebody else
// has said.
func holdsLocation(list []tape.Header, w *word) bool {
	for n := range list {
		if list[n].Name == "Location" && strings.Contains(list[n].Value, w.find) {
			return true
		}
	}
	return false
}

func struckExchange(x *tape.Exchange, w *word) *tape.Exchange {
	struck := *x
	struck.Path, struck.Query = w.text(x.Path), w.text(x.Query)
	struck.Request.Header, struck.Request.Body = struckHeaders(x.Request.Header, w), w.body(x.Request.Body)
	struck.Response.Header, struck.Response.Body = struckHeaders(x.Response.Header, w), w.body(x.Response.Body)
	return &struck
}

func holdsAttempt(a *tape.Attempt, w *word) bool {
	return strings.Contains(a.URL, w.find) || strings.Contains(a.Error, w.find) || holdsHeader(a.ResponseHeader, w) || holds(a.ResponseBody, w)
}

func struckAttempt(a *tape.Attempt, w *word) *tape.Attempt {
	struck := *a
	struck.URL, struck.Error = w.text(a.URL), w.text(a.Error)
	struck.ResponseHeader, struck.ResponseBody = struckHeaders(a.ResponseHeader, w), w.body(a.ResponseBody)
	return &struck
}

func struckHeaders(list []tape.Header, w *word) []tape.Header {
	struck := make([]tape.Header, len(list))
	for n, h := range list {
		struck[n] = tape.Header{Name: h.Name, Value: w.header(h.Value)}
	}
	return struck
}

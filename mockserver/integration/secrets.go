package integration

import (
	"slices"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// tokenHead begins each access token of the sandbox.
const tokenHead = jwtHeader + "."

// secrets are the words that are looked for in every entry, gathered anew when the
// webhook endpoints have changed. A secret that was rotated out stays one.
type secrets struct {
	of    *world.World
	state uint64
	secret.Values
}

// strike takes the integration's own secrets and access tokens out of an entry,
// wherever a caller or a receiver has put them: a tape is saved, shared and shown.
// Elsewhere secrets are masked by the names of their members; these are known by
// their value.
func (i *Integration) strike(e *tape.Entry) {
	if e.Exchange == nil && e.Attempt == nil && e.Fetch == nil && e.Message == nil && e.Findings == nil {
		return
	}
	for n, words := 0, i.known().Words(); n < len(words); n++ {
		strikeWord(e, &words[n])
	}
}

// known are the secrets that there are now.
func (i *Integration) known() *secrets {
	if s := &i.secrets; s.of != i.world || s.state != i.world.Webhooks().Changes() {
		s.gather(i.world, i.opts.Load())
	}
	return &i.secrets
}

// struck is a text without the integration's own secrets.
func (i *Integration) struck(text string) string {
	for n, words := 0, i.known().Words(); n < len(words); n++ {
		text = words[n].Text(text)
	}
	return text
}

// gather notes the secrets that there are now.
func (s *secrets) gather(w *world.World, o *Options) {
	if s.of != w {
		*s = secrets{of: w, Values: secret.NewValues(tokenHead)}
	}
	s.state = w.Webhooks().Changes()
	for _, value := range [...]string{o.ClientSecret, o.WebhookSecret, o.StatusKey} {
		s.Add(value)
	}
	for value := range w.Webhooks().Secrets {
		s.Add(value)
	}
	for _, e := range w.Webhooks().List() {
		for _, value := range secret.InAddress(e.URL) {
			s.Add(value)
		}
	}
}

// strikeWord takes what a word finds out of an entry. What holds it is copied: the
// answer that goes out stays as it is.
func strikeWord(e *tape.Entry, w *secret.Word) {
	switch {
	case e.Exchange != nil:
		if holdsExchange(e.Exchange, w) {
			e.Exchange = struckExchange(e.Exchange, w)
		}
		e.Entities = struckTexts(e.Entities, w)
		if w.In(e.Label) {
			e.Label = w.Text(e.Label)
		}
	case e.Attempt != nil:
		if holdsAttempt(e.Attempt, w) {
			e.Attempt = struckAttempt(e.Attempt, w)
		}
	case e.Fetch != nil:
		if f := e.Fetch; w.In(f.URL) || w.In(f.Error) {
			struck := *f
			struck.URL, struck.Error = w.Text(f.URL), w.Text(f.Error)
			e.Fetch = &struck
		}
	case e.Message != nil:
		for n := range e.Message.Params {
			e.Message.Params[n].Value = w.Text(e.Message.Params[n].Value)
		}
	}
	for n := range e.Findings {
		e.Findings[n].Received = w.Text(e.Findings[n].Received)
	}
}

func struckTexts(list []string, w *secret.Word) []string {
	if !slices.ContainsFunc(list, w.In) {
		return list
	}
	struck := make([]string, len(list))
	for n, s := range list {
		struck[n] = w.Text(s)
	}
	return struck
}

func holdsHeader(list []tape.Header, w *secret.Word) bool {
	for n := range list {
		if w.In(list[n].Value) {
			return true
		}
	}
	return false
}

func holdsExchange(x *tape.Exchange, w *secret.Word) bool {
	return w.In(x.Path) || w.In(x.Query) ||
		holdsHeader(x.Request.Header, w) || w.InBytes(x.Request.Body) ||
		holdsLocation(x.Response.Header, w) || w.InBytes(x.Response.Body)
}

// holdsLocation looks at the one header of an answer that holds what somebody else
// has said.
func holdsLocation(list []tape.Header, w *secret.Word) bool {
	for n := range list {
		if list[n].Name == "Location" && w.In(list[n].Value) {
			return true
		}
	}
	return false
}

func struckExchange(x *tape.Exchange, w *secret.Word) *tape.Exchange {
	struck := *x
	struck.Path, struck.Query = w.Text(x.Path), w.Text(x.Query)
	struck.Request.Header, struck.Request.Body = struckHeaders(x.Request.Header, w), w.Body(x.Request.Body)
	struck.Response.Header, struck.Response.Body = struckHeaders(x.Response.Header, w), w.Body(x.Response.Body)
	return &struck
}

func holdsAttempt(a *tape.Attempt, w *secret.Word) bool {
	return w.In(a.URL) || w.In(a.Error) || holdsHeader(a.ResponseHeader, w) || w.InBytes(a.ResponseBody)
}

func struckAttempt(a *tape.Attempt, w *secret.Word) *tape.Attempt {
	struck := *a
	struck.URL, struck.Error = w.Text(a.URL), w.Text(a.Error)
	struck.ResponseHeader, struck.ResponseBody = struckHeaders(a.ResponseHeader, w), w.Body(a.ResponseBody)
	return &struck
}

func struckHeaders(list []tape.Header, w *secret.Word) []tape.Header {
	struck := make([]tape.Header, len(list))
	for n, h := range list {
		struck[n] = tape.Header{Name: h.Name, Value: w.Header(h.Value)}
	}
	return struck
}

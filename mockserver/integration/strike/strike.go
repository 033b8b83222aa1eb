// Package strike takes a secret out of an entry of a tape, wherever it stands there. It
// owns which members of an entry can hold what somebody else has said; it knows no
// secrets, and changes nothing that an entry shares with the answer that goes out.
package strike

import (
	"slices"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
)

// Entry takes what a word finds out of an entry, and says whether there was any in an
// exchange. What holds it is copied: the answer that goes out stays as it is. The request
// of an exchange is not looked at when it is known to be clear.
func Entry(e *tape.Entry, w *secret.Word, clear bool) (exchanged bool) {
	switch {
	case e.Exchange != nil:
		if exchanged = !clear && holdsRequest(e.Exchange, w) || holdsAnswer(e.Exchange, w); exchanged {
			e.Exchange = struckExchange(e.Exchange, w)
		}
		e.Entities = struckTexts(e.Entities, w)
		e.Label = w.Text(e.Label)
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
	return exchanged
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

func holdsRequest(x *tape.Exchange, w *secret.Word) bool {
	return w.In(x.Path) || w.In(x.Query) || holdsHeader(x.Request.Header, w) || w.InBytes(x.Request.Body)
}

func holdsAnswer(x *tape.Exchange, w *secret.Word) bool {
	return holdsLocation(x.Response.Header, w) || w.InBytes(x.Response.Body)
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

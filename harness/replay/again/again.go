// Package again finds calls that were made once more, with the same bytes, within seconds of their success, and payments that may have
// been made so by calls that no file shows. It judges nobody.
package again

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Named says whether a body tells which payment or refund is meant: by a reference, or by words with a number.
func Named(body []byte) bool {
	b := trail.ReadBody(body)
	return b.Text("reference") != "" || strings.ContainsAny(b.Text("description")+b.Text("shortDescription"), "0123456789")
}

// Growing says whether each pause is longer than the one before it.
func Growing(r *recording.Recording, s []int) bool {
	last := time.Duration(0)
	for i := 1; i < len(s); i++ {
		now := Pause(&r.Exchanges[s[i-1]], &r.Exchanges[s[i]])
		if now < last*6/5 {
			return false
		}
		last = now
	}
	return len(s) > 2
}

// byItself is how soon a program makes a call again; after more it may be a person.
const byItself = 10 * time.Second

// Same are a call that was served and those that are the same, each within seconds of the success before it; the last may be refused.
func Same(r *recording.Recording, n int) []int {
	s := []int{n}
	last := &r.Exchanges[n]
	about, done := dealt(last), acted(last) && !last.Begin.IsZero()
	for i := n + 1; i < len(r.Exchanges) && done; i++ {
		x := &r.Exchanges[i]
		switch {
		case !alike(x, last) && dealtWith(x, last, about):
			return s
		case !alike(x, last) && Pause(last, x) > byItself && !ranAgain(r.Exchanges[i:], last):
			return s
		case !alike(x, last):
		case !repeated(x, last):
			return s
		default:
			s, last = append(s, i), x
			about, done = dealt(last), acted(last)
		}
	}
	return s
}

// ranAgain says whether one of some calls is another that its program made once more because its work had failed.
func ranAgain(list []recording.Exchange, last *recording.Exchange) bool {
	return slices.ContainsFunc(list, func(x recording.Exchange) bool { return x.RunAgain != "" && alike(&x, last) })
}

// alike says whether two calls are the same by what they send, and where.
func alike(x, last *recording.Exchange) bool {
	return x.Method == last.Method && x.Path == last.Path && x.Query == last.Query && x.Host == last.Host && bytes.Equal(x.Body, last.Body)
}

// Overlaps says whether a call began while another was under way.
func Overlaps(last, x *recording.Exchange) bool {
	return !last.Begin.IsZero() && !x.Begin.Before(last.Begin) && x.Begin.Before(last.End)
}

// repeated says whether a call came within seconds of the success of the same one, or while that was under way, and did the same again,
// or was refused.
func repeated(x, last *recording.Exchange) bool {
	after := Pause(last, x)
	if Overlaps(last, x) {
		return acted(x) && x.Place.Source == last.Place.Source && made(x) != "" && made(x) != made(last)
	}
	refused := x.Answer.Status/100 == 4 && x.Answer.Status != 401 && x.Answer.Status != 429
	return after > 0 && (after <= byItself || x.RunAgain != "") && (acted(x) || refused) && x.Place.Source == last.Place.Source && (made(x) == "" || made(x) != made(last))
}

// Pause is how long after the answer to a call another began.
func Pause(last, x *recording.Exchange) time.Duration {
	if last.Begin.IsZero() || x.Begin.IsZero() {
		return 0
	}
	if last.End.After(last.Begin) {
		return x.Begin.Sub(last.End)
	}
	return x.Begin.Sub(last.Begin)
}

// made is the id of the payment that an answer tells, "" for none.
func made(x *recording.Exchange) string {
	return strings.ToLower(trail.ReadBody(x.Answer.Body).Text("paymentRequestId"))
}

// dealt is the id of the payment that a call has made or is about, "" for none.
func dealt(x *recording.Exchange) string {
	if id := made(x); id != "" {
		return id
	}
	return trail.UUIDs().FindString(strings.ToLower(x.Path))
}

// dealtWith says whether a call is about the payment of another: who looks at it, or cancels it, knows of it.
func dealtWith(x, last *recording.Exchange, id string) bool {
	return id != "" && x.Path != last.Path && strings.Contains(strings.ToLower(x.Path+string(x.Body)), id)
}

// acted says whether a call without a key, made by a program, did what it was to do, and both sides are shown.
func acted(x *recording.Exchange) bool {
	b := trail.ReadBody(x.Answer.Body)
	declined := slices.Contains([]string{"declined", "denied", "failed"}, strings.ToLower(b.Text("status")))
	return x.Answer.Status/100 == 2 && x.Answer.Known != recording.NeverArrived && x.Answer.Known != recording.NotRecorded && !declined &&
		!x.BodyMissing && len(x.Body) > 0 && source.Header(x.Header, "Idempotency-Key") == "" && !trail.HandTool(x.Header)
}

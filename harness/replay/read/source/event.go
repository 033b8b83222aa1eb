package source

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// IsEvent says whether a body is an event of the service.
func IsEvent(body []byte) bool {
	var event struct {
		Event *string
		Data  map[string]json.RawMessage
	}
	return json.Unmarshal(body, &event) == nil && event.Event != nil && event.Data != nil
}

// RenameEvent gives an event that a log tells as a value of its own, {"event":…,"data":{…}}, the names that the service gives its
// members: how the log spells them is not how they came. One that came with its headers is left as it is.
func RenameEvent(w *recording.Received) {
	var members map[string]json.RawMessage
	if len(w.Header) > 0 || !IsEvent(w.Body) || json.Unmarshal(w.Body, &members) != nil || members["Event"] != nil && members["Data"] != nil {
		return
	}
	as := map[string]json.RawMessage{}
	for name, value := range members {
		for _, own := range []string{"Live", "Event", "Data"} {
			if strings.EqualFold(name, own) {
				as[own] = value
			}
		}
	}
	w.Body, w.Reprinted = Encoded(as), true
}

// EventWithin is the webhook that a line of a log holds: its event, as a text or as an object, and its headers, the line's own time and
// what the receiver answered where they stand beside it. An export keeps what a program has logged in an inner object: there it is a
// text, and the line says that something came in. Its body is nil where none or several stand in the line, and for what is a call.
func EventWithin(line []byte) recording.Received {
	packed := isPacked().Match(line)
	if !packed && !bytes.Contains(line, []byte("PaymentId")) && !bytes.Contains(line, []byte("CompanyId")) {
		return recording.Received{}
	}
	e := eventWithin{packed: packed}
	e.look(line, 0)
	if e.events == 0 && cameIn().Match(line) {
		e.inner(line, 1)
	}
	if e.events != 1 || e.call {
		return recording.Received{}
	}
	return e.Received
}

// cameIn is a word by which a program says that something was sent to it.
var cameIn = trail.Pattern(`(?i)hook|callback|notification|inbound|incoming|receive|deliver`)

var (
	// isPacked is how a gateway says that the body of a request which it hands on is in Base64.
	isPacked = trail.Pattern(`"isBase64Encoded\\*"\s*:\s*true`)
	// packed is such a body, perhaps within a text.
	packed = trail.Pattern(`"body\\*"\s*:\s*\\*"([A-Za-z0-9+/]{40,}={0,2})\\*"`)
)

// HoldsPacked says whether a text holds a request that a gateway hands on, whose body is an event.
func HoldsPacked(text []byte) bool {
	if !isPacked().Match(text) {
		return false
	}
	for _, found := range packed().FindAllSubmatch(text, MaxEntries) {
		if body, err := base64.StdEncoding.DecodeString(string(found[1])); err == nil && IsEvent(body) {
			return true
		}
	}
	return false
}

// saysAnswered is what a receiver answered, as a sentence tells it.
var saysAnswered = trail.Pattern(`(?i)\b(?:answered|answering|responded|responding|replied|returned|returning)(?: with)?(?: status)? ([1-5][0-9]{2})\b`)

// eventWithin is what is found of a webhook in a line.
type eventWithin struct {
	recording.Received
	events       int
	packed, call bool
}

// inner looks through the objects that stand in an object.
func (e *eventWithin) inner(object []byte, deep int) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || deep > deepest {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if value := members[name]; value[0] == '{' {
			e.look(value, deep)
			e.inner(value, deep+1)
		}
	}
}

// deepest is how deep in a line an event is looked for.
const deepest = 3

// answered takes what the receiver has answered, where it is a status of HTTP.
func (e *eventWithin) answered(text string) {
	if code, err := strconv.Atoi(text); err == nil && http.StatusText(code) != "" {
		e.Status = code
	}
}

// value is a member's: a text as it stands, which may be a body in Base64.
func (e *eventWithin) value(name string, raw json.RawMessage) (value json.RawMessage, said string, isText bool) {
	if json.Unmarshal(raw, &said) != nil {
		return raw, "", false
	}
	if value = json.RawMessage(said); e.packed && name == "body" {
		value, _ = base64.StdEncoding.DecodeString(said)
	}
	return value, said, true
}

// look takes the members of an object, the outermost first.
func (e *eventWithin) look(object []byte, deep int) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members) // what is no object has none
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, said, isText := e.value(name, members[name])
		switch strings.NewReplacer("@", "", "_", "", "-", "").Replace(strings.ToLower(name)) {
		case "method", "url":
			e.call = true
		case "time", "timestamp", "ts", "date", "t": // the last is Serilog's
			if e.At.IsZero() {
				e.At = either(said, value)
			}
		case "headers":
			e.Header = append(e.Header, headersOf(value)...)
		case "status", "statuscode", "answered", "replied":
			e.answered(string(value))
		case "mt", "message", "msg":
			if found := saysAnswered().FindStringSubmatch(said); found != nil && e.Status == 0 {
				e.answered(found[1])
			}
			fallthrough // it may be the event
		default:
			if (isText || deep == 0) && IsEvent(value) {
				e.events, e.Body = e.events+1, value
			}
		}
	}
}

// either is a moment that is told as a text, or as a number.
func either(said string, value []byte) time.Time {
	n, err := strconv.ParseFloat(strings.TrimSpace(string(value)), 64)
	if err == nil {
		return Unix(n)
	}
	return Time(said)
}

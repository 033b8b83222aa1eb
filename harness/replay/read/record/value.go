package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// text is a JSON string; of tools that write a number or null there, what they mean.
type text string

// UnmarshalJSON takes any scalar; other values are empty.
func (t *text) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) == 0 || data[0] == '{' || data[0] == '[' || string(data) == "null":
		*t = ""
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(t))
	default:
		*t = text(data)
	}
	return nil
}

// readList reads what is a list; of anything else nothing is read.
func readList(data []byte, list any) error {
	if len(data) == 0 || data[0] != '[' {
		return nil
	}
	return json.Unmarshal(data, list)
}

// number is a JSON number; of tools that write it as a text, the same.
type number float64

// UnmarshalJSON takes a number, a text with one, or null; anything else is 0.
func (n *number) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseFloat(string(bytes.Trim(data, `"`)), 64)
	if err != nil || v != v || v > 1e18 || v < -1e18 {
		v = 0
	}
	*n = number(v)
	return nil
}

// sortedHeaders reads an object of texts, numbers or lists of them, or a list of pairs,
// as headers; an object's by name, since JSON gives them no order.
func sortedHeaders(data json.RawMessage) []tape.Header {
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		var lines string
		if json.Unmarshal(data, &lines) == nil {
			if raw := json.RawMessage(lines); json.Valid(raw) && lines[0] != '"' {
				return sortedHeaders(raw)
			}
			return headerLines(lines)
		}
		if list := pairsOf(data); len(list) > 0 {
			return list
		}
		var many []string
		if json.Unmarshal(data, &many) == nil {
			return headerLines(strings.Join(many, "\n"))
		}
		return nil
	}
	var list []tape.Header
	for name, value := range object {
		var many []text
		if json.Unmarshal(value, &many) != nil {
			many = make([]text, 1)
			_ = many[0].UnmarshalJSON(bytes.TrimSpace(value)) // anything that is no text is an empty value
		}
		for _, one := range many {
			if name != "" && name[0] != ':' {
				list = append(list, tape.Header{Name: name, Value: string(one)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b tape.Header) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// headerLines reads headers that stand in one text, a line each.
func headerLines(text string) (list []tape.Header) {
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, ":"); ok && name != "" && !strings.ContainsAny(name, " \t") {
			list = append(list, tape.Header{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return list
}

// jsonProblem says what is wrong with a value, without showing it.
func jsonProblem(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return fmt.Sprintf("it is a JSON %s, where an object belongs", kind.Value)
		}
		return fmt.Sprintf("a JSON %s stands at %q, where something else belongs", kind.Value, kind.Field)
	}
	return err.Error()
}

// pairsOf are headers as a list of names with their values: objects, or lists of two.
func pairsOf(data json.RawMessage) []tape.Header {
	var objects harPairs
	if len(data) > 0 && data[0] == '[' && json.Unmarshal(data, &objects) == nil {
		return objects.list()
	}
	var list []tape.Header
	var two [][2]text
	if json.Unmarshal(data, &two) != nil {
		return nil
	}
	for _, pair := range two {
		list = append(list, tape.Header{Name: string(pair[0]), Value: string(pair[1])})
	}
	return list
}

// besides takes what a line tells under the names that loggers give it, where it tells it under no documented one.
func (l *jsonLine) besides(raw []byte) {
	if l.Answer == nil && l.AnswerBase64 == nil {
		l.Answer = beside(l, raw)
	}
	if l.Body == nil && l.BodyBase64 == nil && !l.BodyMissing && !strings.EqualFold(string(l.Method), "GET") {
		l.Body = sentAs(raw)
	}
	if l.tellsAll() {
		return
	}
	found := map[string]json.RawMessage{}
	flatten("", raw, found, 8)
	l.Body, l.Answer = cutOff(l.Body, found), cutOff(l.Answer, found)
	if l.Headers == nil {
		l.Headers = keyAlone(found)
	}
	if l.Status == 0 && l.Answer == nil && l.AnswerBase64 == nil && unheard(found) {
		l.Answer = json.RawMessage("null")
	}
}

// tellsAll says whether nothing is left that other members of a line may tell.
func (l *jsonLine) tellsAll() bool {
	return l.Headers != nil && l.Status != 0 && !broken(l.Body) && !broken(l.Answer)
}

// sentAs is the object that was sent, by the names that loggers give it besides "body"; nil for none.
func sentAs(raw []byte) json.RawMessage {
	names := []string{"json", "requestBody", "requestPayload", "requestData", "requestJson", "reqBody", "request", "req"}
	found := source.MembersNamed(raw, names)
	for _, name := range names {
		var message struct{ Method, URL, URI, Path, Headers, Body json.RawMessage }
		said := bytes.TrimSpace(bodyOf(found[name]))
		_ = json.Unmarshal(said, &message) // what is cut is no message
		if bytes.HasPrefix(said, []byte("{")) && message.Method == nil && message.URL == nil && message.URI == nil && message.Path == nil && message.Headers == nil && message.Body == nil {
			return found[name]
		}
	}
	return nil
}

// keyAlone is the header of an idempotency key that stands as a member of its own; nil for none.
func keyAlone(found map[string]json.RawMessage) json.RawMessage {
	var key text
	if key.UnmarshalJSON(found["idempotencykey"]) != nil || key == "" || strings.ContainsAny(string(key), "\r\n") {
		return nil
	}
	return trail.Quote(map[string]string{"Idempotency-Key": string(key)})
}

// unheard says whether an error that a line tells is that no answer came.
func unheard(found map[string]json.RawMessage) bool {
	for _, name := range []string{"error", "err", "errormessage", "errormsg", "exception", "errorcode", "cause", "reason"} {
		if timedOut(string(found[name])) {
			return true
		}
	}
	return false
}

// beside is the answer that stands beside its call and the status under a name that loggers give it, or of which some members
// stand in the line itself; nil for none.
func beside(l *jsonLine, raw []byte) json.RawMessage {
	for _, name := range []string{"response", "responseBody", "resp", "respBody", "responseText"} {
		var message struct{ Headers, Config, Request json.RawMessage }
		got := source.MembersNamed(raw, []string{name})[name]
		if l.Status == 0 || len(got) == 0 {
			continue
		}
		if got[0] == '"' && bytes.HasPrefix(bodyOf(got), []byte("{")) {
			return got
		}
		if got[0] == '{' && json.Unmarshal(got, &message) == nil && message.Headers == nil && message.Config == nil && message.Request == nil {
			return got
		}
	}
	var x recording.Exchange
	if l.Status/100 != 2 || source.SetAddress(&x, string(l.URL)) != nil {
		return nil
	}
	return source.Beside(x.Path, raw)
}

// obtained are words of a line about a token that was granted then, and kept those about one that was granted before.
var (
	obtained = trail.Pattern(`(?i)\b(?:fetched|obtained|acquired|granted|received|refreshed|renewed|issued|got|new)\b`)
	kept     = trail.Pattern(`(?i)\b(?:from|in) (?:the )?cache\b|\bcached\b|\bcache hit\b|\breus\w+|\bstill\b|\bexisting\b`)
)

// granted is the answer to a call for a token whose line names no call: it tells of the token and how long it is good.
func granted(raw []byte) (jsonLine, bool) {
	var l struct {
		Time, Timestamp json.RawMessage
		Status          number
		Msg, Message    text
	}
	found := source.MembersNamed(raw, source.Granted)
	if len(found) < 2 || found["expiresInSeconds"] == nil || json.Unmarshal(raw, &l) != nil {
		return jsonLine{}, false
	}
	says := string(l.Msg + " " + l.Message)
	if kept().MatchString(says) || l.Status != 200 && (l.Status != 0 || !obtained().MatchString(says)) {
		return jsonLine{}, false
	}
	if l.Time == nil {
		l.Time = l.Timestamp
	}
	return jsonLine{Time: l.Time, Method: "POST", URL: "/Authentication/Token", BodyMissing: true, Status: 200, Answer: trail.Quote(found)}, true
}

// dropGranted leaves those out again where the file shows calls for tokens: its lines tell of these.
func dropGranted(p *source.Part) {
	asks := func(x recording.Exchange) bool {
		return source.GrantsToken(x.Path)
	}
	told := func(x recording.Exchange) bool { return asks(x) && x.Host == "" && x.BodyMissing && x.End.IsZero() }
	if slices.ContainsFunc(p.Exchanges, func(x recording.Exchange) bool { return asks(x) && !told(x) }) {
		p.Exchanges = slices.DeleteFunc(p.Exchanges, told)
	}
}

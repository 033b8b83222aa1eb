package tree

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// headersOf are the headers that are not of the other side; with sure alone those whose
// names say the side.
func headersOf(all []leaf, other string, sure bool) []tape.Header {
	for _, certain := range []bool{true, sure} { // those whose names say the side go before
		for _, l := range all {
			if n := len(l.way); n == 0 || !namesHeaders(l.way) && !headerLines(l) || side(l.way) == other || certain && side(l.way) == "" {
				continue
			}
			if list := headers(l.v); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// headerLines says whether a list of lines is one of headers, whatever its name.
func headerLines(l leaf) bool {
	list, ok := l.v.([]any)
	return ok && len(list) > 1 && len(headers(l.v)) == len(list) && strings.HasPrefix(l.way[len(l.way)-1], "line")
}

// headers reads an object of values or lists of them, or lines of text.
func headers(v any) (list []tape.Header) {
	one := func(name string, v any) {
		if s := scalar(v); name != "" && name[0] != ':' {
			list = append(list, tape.Header{Name: name, Value: s})
		}
	}
	switch v := v.(type) {
	case map[string]any:
		if below := v["parameters"]; len(v) == 1 && isObject(below) {
			return headers(below)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			many, ok := v[name].([]any)
			if !ok {
				many = []any{v[name]}
			}
			for _, value := range many {
				one(name, value)
			}
		}
	case []any:
		for _, line := range v {
			if name, value, ok := strings.Cut(scalar(line), ":"); ok && !strings.ContainsAny(name, " \t") {
				one(name, strings.TrimSpace(value))
			}
		}
	case string:
		return headersOfText(v)
	}
	return list
}

// headersOfText reads lines of headers, or the JSON of them.
func headersOfText(v string) (list []tape.Header) {
	var object map[string]any
	if json.Unmarshal([]byte(v), &object) == nil {
		return headers(object)
	}
	for line := range strings.Lines(v) {
		if name, value, ok := strings.Cut(unpiped(line), ":"); ok && name != "" && name[0] != ':' && !strings.ContainsAny(name, " \t") {
			list = append(list, tape.Header{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return list
}

// bodyOf is the body that is not of the other side, and whether one is named: one whose name says
// the side goes before.
func bodyOf(all []leaf, other string, sure bool) (body []byte, named bool) {
	for _, certain := range []bool{true, false} {
		for _, l := range all {
			n := len(l.way)
			if n == 0 || side(l.way) == other || sure && side(l.way) == "" || certain && side(l.way) == "" && (other == "request" || !strings.HasSuffix(l.way[n-1], "body")) {
				continue
			}
			if isNothing(l.v) || !namesBody(l) {
				continue
			}
			if body, named = content(l.v), true; len(body) > 0 {
				return body, true
			}
		}
	}
	return nil, named
}

// namesBody says whether a value's name is that of a body, or of a message of which it is all.
func namesBody(l leaf) bool {
	n := len(l.way)
	switch last := l.way[n-1]; {
	case slices.ContainsFunc(l.way, func(w string) bool { return strings.HasPrefix(w, "size") || w == "bytes" || w == "timings" }):
		return false
	case isBody(last):
		return true
	case last == "string" && n > 1 && l.way[n-2] == "query": // as JMeter calls what is sent
		return isObjectText(l.v)
	case last == "text":
		return side(l.way) != "" && (n == 1 || l.way[n-2] != "status")
	default:
		return isMessage(last) && (l.v == nil || isObjectText(l.v))
	}
}

// isObjectText says whether a value is an object, or a text that holds one.
func isObjectText(v any) bool {
	s, isText := v.(string)
	return isObject(v) || isText && strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s))
}

// about is a member that tells of a body, and is no part of it.
var about = trail.Pattern(`(?i)^(?:encoding|charset|bytes|size|length|.*type|format|params|form|urlencoded|formdata|compression|truncated|headers?|matches.*|generators)$`)

// content is a body that stands as a text, or in an object which says how it is written;
// any other value is the JSON of it.
func content(v any) []byte {
	m, ok := v.(map[string]any)
	if !ok {
		if s, isText := v.(string); isText || v == nil {
			return []byte(s)
		}
		return source.Encoded(v)
	}
	for _, name := range []string{"", "content", "string", "text", "raw", "body", "value", "data", "as_string", "as_bytes", "base64_string", "base64Body", "base64", "bytes"} {
		s, isText := m[name].(string)
		if !isText || slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(other string) bool { return other != name && !about().MatchString(other) }) {
			continue
		}
		if strings.Contains(strings.ToLower(name+scalar(m["encoding"])), "base64") || name == "as_bytes" {
			if raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), "")); err == nil {
				return raw
			}
		}
		return []byte(s)
	}
	return source.Encoded(v)
}

// sentBody sets the body that was sent. One that no name tells of is missing, where such a
// call has one.
func sentBody(x *recording.Exchange, all []leaf) {
	body, named := bodyOf(all, "response", x.Method == "GET" || x.Method == "HEAD")
	if len(body) > 0 {
		x.Body = body
		if len(x.Header) == 0 {
			x.Header = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
		}
		return
	}
	length := source.Header(x.Header, "Content-Length")
	x.BodyMissing = strings.Trim(length, "0") != "" || !named && length == "" && x.Method == "POST" && source.MethodOf(x.Path) == "POST"
	if x.BodyMissing && len(x.Header) == 0 {
		x.Header = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
	}
}

// answered sets what is known of the answer.
func answered(x *recording.Exchange, all []leaf) {
	a := &x.Answer
	a.Status = statusOf(all)
	a.Header = headersOf(all, "request", true)
	body, named := bodyOf(all, "request", x.Method != "GET" && x.Method != "HEAD")
	switch {
	case a.Status == 0 && len(body) == 0:
		if lost(all) {
			a.Known = recording.NeverArrived
		}
		return
	case named && (len(body) > 0 || strings.Trim(source.Header(a.Header, "Content-Length"), "0") == ""):
		a.Known, a.Body = recording.Whole, body
	default:
		a.Known = recording.WithoutBody
	}
	if len(a.Body) > 0 && len(a.Header) == 0 {
		a.Header = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
	}
}

// statusOf is the status of the answer, 0 for none. A name that says whose it is goes before.
func statusOf(all []leaf) int {
	best, found := 0, 0
	for _, l := range all {
		digits, _, _ := strings.Cut(scalar(l.v), " ")
		code, err := strconv.Atoi(digits)
		if sure := namesStatus(l.way); err == nil && code >= 100 && code < 600 && sure > best {
			best, found = sure, code
		}
	}
	return found
}

// namesStatus says how surely a name is that of the answer's status; 0 for none.
func namesStatus(way []string) int {
	n := len(way)
	if n == 0 || side(way) == "request" {
		return 0
	}
	sure := map[string]int{"status": 1, "statuscode": 1, "httpstatus": 1, "rc": 1}[way[n-1]]
	if way[n-1] == "code" && n > 1 && slices.Contains([]string{"status", "response", "http", "code"}, way[n-2]) {
		sure = 2
	}
	if sure > 0 && side(way) == "response" {
		sure += 2
	}
	return sure
}

// lost says whether a branch tells that no answer came.
func lost(all []leaf) bool {
	return slices.ContainsFunc(all, func(l leaf) bool {
		n := len(l.way)
		if n > 0 && isBody(l.way[n-1]) && side(l.way) != "request" && scalar(l.v) == "" && l.v != nil && noAnswer().Match(source.Encoded(l.v)) {
			return true
		}
		zero := namesStatus(l.way) > 0 && scalar(l.v) == "0"
		return n > 0 && (zero || isMessage(l.way[n-1]) && side(l.way) == "response" && l.v == nil || noAnswer().MatchString(scalar(l.v)))
	})
}

var noAnswer = trail.Pattern(`(?i)\btimed? ?out\b|Timeout(?:Error|Exception)?\b|connection (?:was )?(?:reset|aborted)|socket hang up|\bECONNRESET\b|\bETIMEDOUT\b|\bECONNABORTED\b|deadline exceeded|no response\b`)

// timed says whether a value is a record's time by its name: not when somebody had it, nor that of what was answered.
func (l *leaf) timed(has func(names ...string) bool) bool {
	return has("time", "timestamp", "date", "datetime", "at", "when", "recorded", "ts", "msec", "created") && !has("receive", "ingestion") && side(l.way) != "response" && (!has("created") || !has("meta"))
}

// times sets when a call began and ended.
func times(x *recording.Exchange, all []leaf) {
	var begin, end time.Time
	best := -1
	for _, l := range all {
		at := moment(scalar(l.v))
		if at.IsZero() || len(l.way) == 0 {
			continue
		}
		has := func(names ...string) bool {
			return slices.ContainsFunc(l.way, func(w string) bool { return slices.Contains(names, w) })
		}
		switch {
		case has("end", "ended", "finish", "finished", "stop", "completed", "complete"):
			end = at
		case has("start", "started", "begin", "begun", "sent") && best < 2:
			best, begin = 2, at
		case best < 1 && l.timed(has):
			best, begin = 1, at
		case has("t", "@t", "receive", "ingestion") && best < 0: // Serilog's compact form, and when an export had the record
			best, begin = 0, at
		}
	}
	x.Begin = cmp.Or(x.Begin, begin)
	if x.End = cmp.Or(x.End, end); x.End.Before(x.Begin) {
		x.End = time.Time{}
	}
}

// moment is a time in words, or since 1970.
func moment(s string) time.Time {
	if len(s) < 10 || len(s) > 40 {
		return time.Time{}
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		if n < 1e9 {
			return time.Time{}
		}
		return source.Unix(n)
	}
	if at := source.Time(s); !at.IsZero() {
		return at
	}
	at, err := time.Parse("Mon Jan 02 15:04:05 MST 2006", s)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

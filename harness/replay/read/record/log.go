package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// logNames are the names that loggers give to what a call is made of, by the members of a
// JSON line: a name is compared without its case and its marks, with the members that it
// stands in before it ("http.request.body.content", {"req":{"method":…}}).
var logNames = []logName{
	{"method", []string{"method", "verb"}, nil, nil},
	{"url", []string{"urlfull", "urloriginal", "url", "uri", "requesttarget", "target", "endpoint", "urlpath", "path"}, nil, []string{"redirect", "file", "referer", "return"}},
	{"host", []string{"host", "urldomain", "hostname", "serveraddress"}, nil, []string{"name.", "agent"}},
	{"status", []string{"httpcode", "statuscode", "status", "httpstatus", "responsecode"}, nil, nil},
	{"headers", []string{"headers", "header"}, nil, []string{"res"}},
	{"answerHeaders", []string{"headers", "header"}, []string{"res"}, nil},
	{"body", []string{"bodycontent", "rawbody", "body", "payload", "data", "content", "json", "raw"}, nil, []string{"res", "reply", "answer"}},
	{"answer", []string{"bodycontent", "body", "payload", "data", "content", "json", "text"}, []string{"res", "reply", "answer"}, nil},
	{"answer", []string{"response", "answer", "reply", "result", "resp"}, nil, nil},
	{"time", []string{"timestamp", "time", "ts", "datetime", "date", "asctime", "timeiso8601", "timelocal", "msec", "startedat"}, nil, []string{"response", "took"}},
	{"error", []string{"error", "err", "errormessage", "exception", "message", "msg"}, nil, nil},
}

// logName are names of a member.
type logName struct {
	member string
	ends   []string
	// within is what has to stand in the name, without what must not.
	within, without []string
}

// logged reads a line that some logger has written, by the names of its members; false
// where it shows no call.
func logged(raw []byte) (jsonLine, bool) {
	found := map[string]json.RawMessage{}
	flatten("", raw, found, 8)
	spoken(found)
	delete(found, "jsonpayload") // Google's name for whatever a program has logged: no body
	member, answered := membersOf(found)
	member["url"] = operationIn(found, member["url"])
	if at := found["t"]; member["time"] == nil && usable("time", at) { // Serilog's compact form
		member["time"] = at
	}
	l := jsonLine{Time: member["time"], Headers: headersAlone(member["headers"], found), AnswerHeaders: member["answerHeaders"], Body: member["body"], Answer: member["answer"]}
	l.Body, l.Answer = cutOff(held(l.Body), found), cutOff(held(l.Answer), found)
	_ = json.Unmarshal(member["method"], &l.Method) // a method is a text, by usable
	_ = json.Unmarshal(member["url"], &l.URL)
	_ = json.Unmarshal(member["status"], &l.Status)
	l.locate(member["host"], found)
	if _, sent := member["method"]; l.Answer == nil && (isRefusal(member) || !sent && answered || source.OnlyAnswered(string(l.URL), bodyOf(l.Body))) { // a line of an answer alone
		l.Body, l.Answer = nil, l.Body
	}
	if l.Answer == nil && l.Status/100 == 2 {
		l.Answer = madeIn(string(l.URL), found)
	}
	if l.Status == 0 && l.Answer == nil && timedOut(string(member["error"])) {
		l.Answer = json.RawMessage("null")
	}
	return l, l.URL != "" && (l.Method != "" || l.Status != 0)
}

// locate completes the address with the host and what all addresses of a client begin with, and tells the method of an answer's path.
func (l *jsonLine) locate(host json.RawMessage, found map[string]json.RawMessage) {
	if path := string(l.URL); strings.HasPrefix(path, "/") && host != nil {
		var name text
		_ = json.Unmarshal(host, &name)
		l.URL = text("https://" + string(name) + path)
	}
	l.URL = based(l.URL, found)
	if x := (recording.Exchange{}); l.Method == "" && l.Status != 0 && source.SetAddress(&x, string(l.URL)) == nil {
		l.Method = text(source.MethodOf(x.Path))
	}
}

// operationIn is the address of an operation among the members of a line that name one: an answer may hold others, as of its pages.
// It is what was taken for it where several are named, or none.
func operationIn(found map[string]json.RawMessage, taken json.RawMessage) (address json.RawMessage) {
	if _, ours := operates(taken); ours {
		return taken
	}
	paths := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if i := slices.IndexFunc(logNames[1].ends, func(end string) bool { return strings.HasSuffix(name, end) }); i < 0 || !fits(name, nil, logNames[1].without) {
			continue
		}
		if path, ours := operates(found[name]); ours && !paths[path] {
			paths[path], address = true, found[name]
		}
	}
	if len(paths) != 1 {
		return taken
	}
	return address
}

// operates is the path of an address, and whether it is an operation's.
func operates(address json.RawMessage) (path string, ours bool) {
	var said text
	x := recording.Exchange{}
	if said.UnmarshalJSON(address) != nil || !usable("url", address) || source.SetAddress(&x, string(said)) != nil {
		return "", false
	}
	_, ours = source.BasePath(x.Path)
	return x.Path, ours
}

// cutOff is the text of a body with word of what is left out of it, where its line says that it was cut.
func cutOff(body json.RawMessage, found map[string]json.RawMessage) json.RawMessage {
	if !broken(body) {
		return body
	}
	for name, value := range found {
		if string(value) == "true" && (strings.HasSuffix(name, "truncated") || strings.HasSuffix(name, "shortened")) {
			return trail.Quote(string(bodyOf(body)) + "…")
		}
	}
	return body
}

// broken says whether a body is a text that begins an object and does not end it.
func broken(body json.RawMessage) bool {
	said := bodyOf(body)
	return len(body) > 0 && body[0] == '"' && bytes.HasPrefix(said, []byte("{")) && !json.Valid(said)
}

// isRefusal says whether a line of a status shows the body of a refusal.
func isRefusal(member map[string]json.RawMessage) bool {
	status := strings.Trim(string(member["status"]), `"`)
	return len(status) == 3 && status >= "400" && refusal().Match(bodyOf(member["body"]))
}

// refusal is how such a body begins: no call sends one.
var refusal = trail.Pattern(`^\s*\{\s*"(?:type|title|errors|error|status|message|detail|traceId)"`)

// based is an address behind what all addresses of a client begin with, where the line tells that.
func based(address text, found map[string]json.RawMessage) text {
	for _, name := range slices.Sorted(maps.Keys(found)) {
		var base text
		if strings.HasPrefix(string(address), "/") && strings.HasSuffix(name, "baseurl") && base.UnmarshalJSON(found[name]) == nil && strings.Contains(string(base), "://") {
			return text(strings.TrimSuffix(string(base), "/") + string(address))
		}
	}
	return address
}

// membersOf are the members of a line by what is found in it, and whether its status is told as an answer's.
func membersOf(found map[string]json.RawMessage) (member map[string]json.RawMessage, answered bool) {
	member = map[string]json.RawMessage{}
	for _, n := range logNames {
		for _, end := range n.ends {
			for _, name := range slices.SortedFunc(maps.Keys(found), func(a, b string) int {
				return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
			}) {
				if _, taken := member[n.member]; !taken && strings.HasSuffix(name, end) && fits(name, n.within, n.without) && usable(n.member, found[name]) {
					member[n.member] = found[name]
					answered = answered || n.member == "status" && strings.Contains(name, "response")
				}
			}
		}
	}
	return member, answered
}

// replied is the status that a receiver answered with, by the names that programs give it; 0 where the line tells none.
func replied(raw []byte) (status int) {
	found := map[string]json.RawMessage{}
	flatten("", raw, found, 8)
	for _, end := range []string{"statuscode", "httpstatus", "responsecode", "responsestatus", "status", "response", "answer", "answered", "returned", "replied", "reply"} {
		for _, name := range slices.Sorted(maps.Keys(found)) {
			if strings.HasSuffix(name, end) && usable("status", found[name]) {
				status, _ = strconv.Atoi(strings.Trim(string(found[name]), `"`))
				return status
			}
		}
	}
	return 0
}

// held is a body that an object holds as text, beside how it is written.
func held(raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || len(members) > 3 {
		return raw
	}
	for _, name := range []string{"text", "string", "as_string", "content"} {
		if said := members[name]; len(said) > 0 && said[0] == '"' {
			for _, about := range []string{name, "charset", "encoding", "truncated", "size", "mimeType", "type"} {
				delete(members, about)
			}
			if len(members) == 0 {
				return said
			}
		}
	}
	return raw
}

// flatten lists the members of an object by their names, those of inner objects behind
// their own; an object that is a body or holds headers stays whole besides.
func flatten(prefix string, raw json.RawMessage, found map[string]json.RawMessage, deep int) {
	var object map[string]json.RawMessage
	if deep == 0 || json.Unmarshal(raw, &object) != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) { // the same are left out each time
		value := object[key]
		name := prefix + strings.Map(func(r rune) rune {
			if r >= 'A' && r <= 'Z' {
				return r | 32
			}
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, key)
		if len(name) > 128 || len(found) > 256 {
			continue
		}
		if _, known := found[name]; !known {
			found[name] = value
		}
		if !strings.HasSuffix(name, "body") && !strings.HasSuffix(name, "headers") {
			flatten(name, value, found, deep-1)
		}
	}
}

func fits(name string, within, without []string) bool {
	has := func(s string) bool { return strings.Contains(name, s) }
	return (len(within) == 0 || slices.ContainsFunc(within, has)) && !slices.ContainsFunc(without, has)
}

// usable says whether a value can be what its member is.
func usable(member string, raw json.RawMessage) bool {
	var t text
	_ = t.UnmarshalJSON(raw) // what is no scalar is empty
	switch member {
	case "method":
		return slices.Contains([]string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}, strings.ToUpper(string(t)))
	case "url":
		return strings.HasPrefix(string(t), "/") || strings.Contains(string(t), "://")
	case "status":
		code, err := strconv.Atoi(string(t))
		return err == nil && http.StatusText(code) != ""
	case "headers", "answerHeaders":
		return len(sortedHeaders(raw)) > 0
	case "body", "answer":
		var message struct{ Headers, Status, StatusCode json.RawMessage }
		if json.Unmarshal(raw, &message) == nil && message.Headers != nil && (message.Status != nil || message.StatusCode != nil) {
			return false // it holds the body, if there is one
		}
		return len(raw) > 0 && (raw[0] == '{' || strings.HasPrefix(strings.TrimSpace(string(t)), "{"))
	case "time":
		return !moment(raw).IsZero()
	default:
		return t != ""
	}
}

// timedOut says whether a text tells that no answer came.
func timedOut(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc([]string{"timeout", "timed out", "timedout", "econnreset", "econnaborted", "socket hang up", "connection reset", "deadline exceeded"}, func(sign string) bool {
		return strings.Contains(s, sign)
	})
}

// jsonType says that a body that a log shows without headers is JSON.
func jsonType(header []tape.Header, body []byte) []tape.Header {
	if len(body) == 0 {
		return header
	}
	return source.SetHeader(header, "Content-Type", "application/json")
}

package read

import (
	"bytes"
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/trail"
)

var (
	// key is what a logger puts before a value.
	key = trail.Pattern(`(?:^|[ \t|,;])([A-Za-z_][A-Za-z0-9_.]{0,40})=`)
	// atBegin is the moment that a logger begins a line with.
	atBegin = trail.Pattern(`^[^A-Za-z0-9]{0,2}([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,]([0-9]{1,9}))?(Z|[+-][0-9]{2}:?[0-9]{2})?`)
)

// keyed is a log in which objects stand behind their names (request={…} response={…}), as
// JSON or as Python prints them, with a JSON line for each line that has one and an empty
// one for each other; nil where there is none.
func keyed(said []byte) []byte {
	var out bytes.Buffer
	some := false
	for line := range bytes.Lines(said) {
		if object := keyedLine(string(bytes.TrimSpace(line))); object != nil {
			some = true
			out.Write(object)
		}
		out.WriteByte('\n')
	}
	if !some {
		return nil
	}
	return out.Bytes()
}

// called says whether the objects of a line are a call: what was asked names an address.
func called(members map[string]any) bool {
	method, _ := members["method"].(string)
	if url, _ := members["url"].(string); strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && method != "" && strings.Contains(url, "/") && members["status"] != nil {
		return true // beside its objects, in one line with its answer
	}
	for name, value := range members {
		var asked map[string]json.RawMessage
		if raw, ok := value.(json.RawMessage); ok && strings.HasPrefix(strings.ToLower(name), "req") && json.Unmarshal(raw, &asked) == nil &&
			(asked["url"] != nil || asked["uri"] != nil || asked["path"] != nil) {
			return true
		}
	}
	return false
}

// bodiesBeside names the objects of a line that stand beside its method and address as what they are: what was sent, and the answer.
func bodiesBeside(members map[string]any) {
	for _, to := range [][]string{{"body", "json", "data", "payload", "request_body"}, {"answer", "response", "resp", "response_body", "result"}} {
		for _, name := range to[1:] {
			said, object := members[name].(json.RawMessage)
			var message map[string]json.RawMessage
			if !object || members[to[0]] != nil || json.Unmarshal(said, &message) != nil || message["headers"] != nil || message["body"] != nil {
				continue
			}
			members[to[0]] = said
			delete(members, name)
		}
	}
}

// keyedLine is a line's names and values as an object; nil for one without an object.
func keyedLine(line string) []byte {
	members := map[string]any{}
	objects := 0
	for rest := line; ; {
		at := key().FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		name := rest[at[2]:at[3]]
		rest = rest[at[1]:]
		if strings.HasPrefix(rest, "{") {
			said, n := objectAt(rest)
			if n == 0 {
				break // of what has no end nothing is sought in again
			}
			members[name] = json.RawMessage(said)
			rest = rest[n:]
			objects++
		} else if word, _, _ := strings.Cut(rest, " "); word != "" {
			members[name] = word
			if strings.HasPrefix(name, "res") { // where an answer would stand
				members["error"] = word
			}
		}
	}
	if objects == 0 || !called(members) {
		return nil
	}
	if members["method"] != nil && members["url"] != nil && members["status"] != nil {
		bodiesBeside(members)
	}
	if m := atBegin().FindStringSubmatch(line); m != nil && members["time"] == nil {
		members["time"] = m[1] + "T" + m[2] + strings.TrimSuffix("."+m[3], ".") + m[4] + map[bool]string{true: "Z"}[m[4] == ""]
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	return raw
}

// objectAt is the object at the beginning of a text, as JSON although Python may have
// printed it, and how many bytes it takes; 0 where none stands there or it has no end.
func objectAt(s string) (said string, n int) {
	if !strings.HasPrefix(s, "{") {
		return "", 0
	}
	open := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\'', '"':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '{':
			open++
		case '}':
			if open--; open > 0 {
				continue
			}
			if said = s[:i+1]; !json.Valid([]byte(said)) {
				said = text.FromPython(said)
			}
			if json.Valid([]byte(said)) {
				return said, i + 1
			}
			return "", 0
		}
	}
	return "", 0
}

// longestPrefix is how much may stand before the object in a line of a log: a moment, a
// level, the name of a logger or of a container.
const longestPrefix = 200

// ownTime are the members in which loggers write a line's own moment.
var ownTime = []string{"time", "timestamp", "@timestamp", "ts", "t", "at", "date", "datetime", "start", "started"}

// objectsBehind are the objects that stand alone in lines of a log, or behind what Docker,
// Kubernetes, Compose or a logger puts before each, as JSON lines with an empty one for each
// line that has none; nil where no call is among them, or nothing stands before or between
// them. A moment that stands before one is its time where it has none of its own.
func objectsBehind(said []byte) []byte {
	var out bytes.Buffer
	others, calls := false, false
	for line := range bytes.Lines(said) {
		line = bytes.TrimSpace(line)
		at := bytes.IndexByte(line, '{')
		if others = others || at != 0 && len(line) > 0; at >= 0 && at <= longestPrefix && !bytes.ContainsRune(line[:at], '"') {
			object, call := timed(line[:at], line[at:])
			out.Write(object)
			calls = calls || call
		}
		out.WriteByte('\n')
	}
	if !others || !calls {
		return nil
	}
	return out.Bytes()
}

// timed is an object with the moment that stands before it, and whether it is a call; nil for
// what is no object.
func timed(prefix, object []byte) (line []byte, call bool) {
	var members map[string]any
	if json.Unmarshal(object, &members) != nil || len(members) == 0 {
		return nil, false
	}
	verb, operation := names(members, 3)
	at := moment.In(string(prefix))
	for _, name := range ownTime {
		if members[name] != nil || at == "" {
			return object, verb && operation
		}
	}
	stamp, _ := json.Marshal(at) // a text can be written
	return bytes.Join([][]byte{[]byte(`{"time":`), stamp, []byte(","), bytes.TrimPrefix(object, []byte("{"))}, nil), verb && operation
}

// behind takes what the objects behind the lines of a log show.
func (b *best) behind(f *source.File, v source.Variables) {
	lines := objectsBehind(f.Text())
	if lines == nil {
		return
	}
	file := &source.File{Name: f.Name, Data: lines}
	p, err := record.JSONLines(file, v)
	b.take(orElse(file, v, p, err))
}

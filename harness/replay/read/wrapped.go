package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// wraps is a member in which services that keep logs put a line as the program wrote it.
var wraps = trail.Pattern(`"(?:message|@message|textPayload|log|line)"\s*:\s*"|"values"\s*:\s*\[\s*\[\s*"[0-9]{19}"`)

// unwrapped is a log as the program wrote it, of an export in which each line stands in an
// object of its own; nil for any other file. A line's place is then its number there.
func unwrapped(f *source.File) []byte {
	data := bytes.TrimSpace(f.Text())
	if lines := cmp.Or(string(extended(f.Text())), string(untabled(f.Text()))); lines != "" {
		return []byte(lines)
	}
	if column := record.Column(f.Text(), text.NamesOperation); column != nil {
		return column
	}
	if rows := record.Rows(f.Text(), text.NamesOperation); rows != nil {
		return rows
	}
	if !wraps().Match(begin(data)) || len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return nil
	}
	var out bytes.Buffer
	found := 0
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var v any
		if d.Decode(&v) != nil {
			break
		}
		found += lines(&out, v, 8)
	}
	if found == 0 || !text.NamesOperation(out.Bytes()) {
		return nil
	}
	return out.Bytes()
}

// lines writes the lines that stand in a value, and counts them. An object that names a
// method is a call itself.
func lines(out *bytes.Buffer, v any, deep int) (n int) {
	if deep == 0 {
		return 0
	}
	switch v := v.(type) {
	case []any:
		if line := stampedLine(v); line != "" {
			out.WriteString(line + "\n")
			return 1
		}
		for _, one := range v {
			n += lines(out, one, deep-1)
		}
	case map[string]any:
		if verb, operation := names(v, 3); verb && operation {
			return 0
		}
		for _, name := range []string{"message", "@message", "textPayload", "log", "line"} {
			if line, ok := v[name].(string); ok {
				out.WriteString(strings.TrimRight(line, "\r\n") + "\n")
				return 1
			}
		}
		for _, name := range []string{"events", "logEvents", "entries", "results", "result", "values", "hits", "data"} {
			n += lines(out, v[name], deep-1)
		}
	}
	return n
}

// stampedLine is a line behind its moment, in nanoseconds since 1970; "" for any other list.
func stampedLine(list []any) string {
	if len(list) < 2 {
		return ""
	}
	at, _ := list[0].(string)
	line, isText := list[1].(string)
	nanos, err := strconv.ParseInt(at, 10, 64)
	if err != nil || len(at) != 19 || !isText {
		return ""
	}
	return time.Unix(0, nanos).UTC().Format(time.RFC3339Nano) + " " + strings.TrimRight(line, "\r\n")
}

// names says whether a method, and the address of an operation, are values that stand in an object.
func names(v any, deep int) (verb, operation bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, one := range v {
			if deep > 0 && (!verb || !operation) {
				a, b := names(one, deep-1)
				verb, operation = verb || a, operation || b
			}
		}
	case string:
		switch v {
		case "GET", "POST", "PUT", "DELETE", "PATCH":
			return true, false
		}
		if len(v) < 2048 && (strings.HasPrefix(v, "/") || strings.Contains(v, "://")) && !strings.ContainsAny(v, " \n") {
			var x recording.Exchange
			if source.SetAddress(&x, v) == nil {
				_, operation = source.BasePath(x.Path)
			}
		}
	}
	return verb, operation
}

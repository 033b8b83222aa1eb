package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/table"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// wraps is a member in which services that keep logs put a line as the program wrote it.
var wraps = trail.Pattern(`"(?:message|@message|textPayload|log|line)"\s*:\s*"|"values"\s*:\s*\[\s*\[\s*"[0-9]{19}"`)

// unwrapped is a log as the program wrote it, of an export in which each line stands in an
// object of its own, with the lines of the export where they are known; else a line's place is its number in the log. Any
// other file is none.
func unwrapped(f *source.File) (log []byte, places []int) {
	data := f.Text()
	if lines := cmp.Or(string(extended(data)), string(unlabelled(data)), string(untabled(data))); lines != "" {
		return []byte(lines), nil
	}
	if log, places = table.Inserted(data); len(places) > 0 {
		return log, places
	}
	if log, places = table.Column(data, text.NamesOperation); log != nil {
		return log, places
	}
	if log, places = table.Rows(data, text.NamesOperation); log != nil {
		return log, places
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' || !wraps().Match(begin(trimmed)) {
		return nil, nil
	}
	all, apart := held(data)
	apart = apart || placed(all, data)
	source.OldestFirst(all, func(line stamped) time.Time { return line.at })
	var out bytes.Buffer
	for _, line := range all {
		out.WriteString(line.text + "\n")
		if apart {
			places = append(places, slices.Repeat([]int{line.place}, 1+strings.Count(line.text, "\n"))...)
		}
	}
	if !isLog(out.Bytes(), all) {
		return nil, nil
	}
	return out.Bytes(), places
}

// isLog says whether lines tell of calls or events.
func isLog(log []byte, all []stamped) bool {
	return len(all) > 0 && (text.NamesOperation(log) || source.HoldsPacked(log) || slices.ContainsFunc(all[:min(len(all), mostLooked)], stamped.isCall))
}

// held are the lines that stand in objects, and whether each object stands apart, on a line of the file.
func held(data []byte) (all []stamped, apart bool) {
	apart = true
	place, from := 1, 0
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var v any
		if d.Decode(&v) != nil {
			return all, apart
		}
		before, to := len(all), int(d.InputOffset())
		all = lines(all, v, 8)
		begin := from + len(data[from:to]) - len(bytes.TrimLeft(data[from:to], " \t\r\n"))
		place += bytes.Count(data[from:begin], []byte("\n"))
		for i := before; i < len(all); i++ {
			all[i].place = place
		}
		apart = apart && len(all) <= before+1
		place += bytes.Count(data[begin:to], []byte("\n"))
		from = to
	}
}

// wrapper is the member of a line that stands in an object.
var wrapper = trail.Pattern(`"(?:message|@message|textPayload|log|line)"\s*:\s*"`)

// placed gives lines that stand in the objects of one list the lines of the file at which they stand, and says whether there are as many.
func placed(all []stamped, data []byte) bool {
	found := wrapper().FindAllIndex(data, len(all)+1)
	if len(found) != len(all) {
		return false
	}
	line, from := 1, 0
	for i, at := range found {
		line += bytes.Count(data[from:at[1]], []byte("\n"))
		from, all[i].place = at[1], line
	}
	return true
}

// stamped is a line as the program wrote it, and when, if that is known.
type stamped struct {
	text string
	at   time.Time
	// place is the line of the file at which its object begins.
	place int
}

// mostLooked is among how many lines of a log one is looked for that is a call.
const mostLooked = 500

// isCall says whether a line is an object that names a method and an operation.
func (s stamped) isCall() bool {
	var v map[string]any
	if !strings.HasPrefix(s.text, "{") || json.Unmarshal([]byte(s.text), &v) != nil {
		return false
	}
	verb, operation := names(v, 3)
	return verb && operation
}

// lines adds the lines that stand in a value. An object that names a method is a call itself.
func lines(list []stamped, v any, deep int) []stamped {
	if deep == 0 {
		return list
	}
	switch v := v.(type) {
	case []any:
		if line, ok := stampedLine(v); ok {
			return append(list, line)
		}
		for _, one := range v {
			list = lines(list, one, deep-1)
		}
	case map[string]any:
		if verb, operation := names(v, 3); verb && operation {
			return list
		}
		for _, name := range []string{"message", "@message", "textPayload", "log", "line"} {
			if line, ok := v[name].(string); ok {
				return append(list, stamped{text: strings.TrimRight(line, "\r\n"), at: stamp(v)})
			}
		}
		for _, name := range []string{"events", "logEvents", "entries", "results", "result", "values", "hits", "data"} {
			list = lines(list, v[name], deep-1)
		}
	}
	return list
}

// stamp is when a line was written, of an object in which it stands.
func stamp(v map[string]any) time.Time {
	for _, name := range []string{"timestamp", "@timestamp", "time", "ts"} {
		switch at := v[name].(type) {
		case string:
			if n, err := strconv.ParseFloat(at, 64); err == nil {
				return source.Unix(n)
			}
			return source.Time(at)
		case float64:
			return source.Unix(at)
		}
	}
	return time.Time{}
}

// stampedLine is a line behind its moment, in nanoseconds since 1970.
func stampedLine(list []any) (stamped, bool) {
	if len(list) < 2 {
		return stamped{}, false
	}
	at, _ := list[0].(string)
	line, isText := list[1].(string)
	nanos, err := strconv.ParseInt(at, 10, 64)
	if err != nil || len(at) != 19 || !isText {
		return stamped{}, false
	}
	moment := time.Unix(0, nanos).UTC()
	return stamped{text: moment.Format(time.RFC3339Nano) + " " + strings.TrimRight(line, "\r\n"), at: moment}, true
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

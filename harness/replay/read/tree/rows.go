package tree

import (
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// rowed is a value in which the rows of tables, which name their columns apart, are objects, and each attempt at a call that is
// kept with it is a call of its own.
func rowed(v any, deep int) any {
	if deep > source.MaxNesting {
		return v
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = rowed(v[i], deep+1)
		}
	case map[string]any:
		if rows := tableOf(v); rows != nil {
			return rows
		}
		if tried := attempts(v); tried != nil {
			return tried
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = rowed(v[name], deep+1)
		}
	}
	return v
}

// methodAndPath is how telemetry names a call.
var methodAndPath = trail.Pattern(`^(GET|POST|PUT|DELETE|PATCH) (/\S*)$`)

// tableOf are the rows of a table as objects, as queries of telemetry answer them; nil for what is none.
func tableOf(v map[string]any) []any {
	columns, _ := v["columns"].([]any)
	rows, _ := v["rows"].([]any)
	names := make([]string, len(columns))
	for i, c := range columns {
		if named, ok := c.(map[string]any); ok {
			c = named["name"]
		}
		names[i], _ = c.(string)
	}
	if len(columns) < 2 || len(rows) == 0 || slices.Contains(names, "") {
		return nil
	}
	var list []any
	for _, r := range rows {
		values, _ := r.([]any)
		if len(values) != len(names) {
			return nil
		}
		row := map[string]any{}
		for i, name := range names {
			switch strings.ToLower(name) {
			case "resultcode":
				name = "status"
			case "target":
				name = "host"
			}
			row[name] = values[i]
			if text, ok := values[i].(string); ok && methodAndPath().MatchString(text) {
				found := methodAndPath().FindStringSubmatch(text)
				row["method"], row["path"] = found[1], found[2]
			}
		}
		list = append(list, row)
	}
	return list
}

// attempts are the calls of an object that tells of one call, and in a list how it was tried; nil for any other.
func attempts(v map[string]any) []any {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		tries, _ := v[name].([]any)
		if len(tries) == 0 || slices.ContainsFunc(tries, func(one any) bool { return !isTry(one) }) {
			continue
		}
		rest := maps.Clone(v)
		for _, beside := range []string{name, "createdAt", "created_at", "created", "updatedAt", "updated_at"} {
			delete(rest, beside)
		}
		object, _ := plain(rest, 0).(map[string]any)
		if x, ok := callOf(object); !ok || x.Answer.Known != recording.NotRecorded {
			return nil
		}
		list := make([]any, 0, len(tries))
		for _, one := range tries {
			list = append(list, map[string]any{"request part": rest, "response part": one, "time": timeOf(one)})
		}
		return list
	}
	return nil
}

// isTry says whether a value tells what became of a call, and of no call itself.
func isTry(v any) bool {
	try, _ := plain(v, 0).(map[string]any)
	_, call := callOf(try)
	all := leaves(try, nil, nil)
	return try != nil && !call && (statusOf(all) > 0 || lost(all))
}

// timeOf is when something was tried, nil where it does not say so.
func timeOf(v any) any {
	try, _ := plain(v, 0).(map[string]any)
	for _, name := range []string{"at", "time", "timestamp", "startedAt", "started_at", "sentAt", "sent_at", "date"} {
		if try[name] != nil {
			return try[name]
		}
	}
	return nil
}

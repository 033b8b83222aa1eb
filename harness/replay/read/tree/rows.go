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
		if len(tries) == 0 {
			continue
		}
		rest := maps.Clone(v)
		for _, beside := range []string{name, "createdAt", "created_at", "created", "updatedAt", "updated_at"} {
			delete(rest, beside)
		}
		x, ok := callOf(plainOf(rest))
		if !ok || x.Answer.Known != recording.NotRecorded {
			continue
		}
		var list []any
		for _, one := range tries {
			try, _ := plain(one, 0).(map[string]any)
			all := leaves(try, nil, nil)
			if _, calls := callOf(try); try == nil || calls || statusOf(all) == 0 && !lost(all) {
				list = nil
				break
			}
			made := map[string]any{"request part": rest, "response part": one}
			for _, at := range []string{"at", "time", "timestamp", "startedAt", "started_at", "sentAt", "sent_at", "date"} {
				if try[at] != nil {
					made["time"] = try[at]
					break
				}
			}
			list = append(list, made)
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// plainOf is an object as it is read.
func plainOf(v map[string]any) map[string]any {
	object, _ := plain(v, 0).(map[string]any)
	return object
}

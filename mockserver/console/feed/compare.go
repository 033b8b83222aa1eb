package feed

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// Difference is one place where two entries are not the same.
type Difference struct{ Where, Here, There string }

// Differences compares two entries member by member.
func Differences(a, b *tape.Entry) (list []Difference) {
	here, there := leaves(a), leaves(b)
	all := maps.Clone(here)
	maps.Copy(all, there)
	for _, where := range slices.Sorted(maps.Keys(all)) {
		if here[where] == there[where] || slices.Contains(numbers, where[strings.LastIndexByte(where, '/'):]) && here[where] != "" && there[where] != "" {
			continue
		}
		if list = append(list, Difference{where, here[where], there[where]}); len(list) == maxDifferences {
			break
		}
	}
	return list
}

// numbers are the members that tell an entry's place and time: no two entries share them.
var numbers = []string{"/seq", "/at", "/cause", "/Sandbox-Exchange", "/Sandbox-Time", "/traceId", "/instance"}

// maxDifferences bounds what is compared.
const maxDifferences = 200

// leaves are the values of an entry by their pointers; bodies in JSON are taken apart
// too, headers stand under their names.
func leaves(e *tape.Entry) map[string]string {
	out := map[string]string{}
	text, err := json.Marshal(e)
	var v any
	if err != nil || json.Unmarshal(text, &v) != nil {
		return out
	}
	walk(out, "", v)
	return out
}

func walk(out map[string]string, at string, v any) {
	switch x := v.(type) {
	case map[string]any:
		for name, member := range x {
			walk(out, at+"/"+name, member)
		}
	case []any:
		for n, member := range x {
			if h, ok := member.(map[string]any); ok && len(h) == 2 && h["name"] != nil && h["value"] != nil {
				name, _ := h["name"].(string)
				walk(out, at+"/"+name, h["value"])
				continue
			}
			walk(out, at+"/"+strconv.Itoa(n), member)
		}
	case string:
		var inner any
		if strings.HasPrefix(x, "{") && json.Unmarshal([]byte(x), &inner) == nil {
			walk(out, at, inner)
			return
		}
		out[at] = x
	default:
		text, _ := json.Marshal(x) //nolint:errchkjson // it came out of JSON
		out[at] = string(text)
	}
}

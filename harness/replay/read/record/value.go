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

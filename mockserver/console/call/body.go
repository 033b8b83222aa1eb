package call

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
)

var (
	errNumber = errors.New("a whole number is expected")
	errJSON   = errors.New("JSON is expected")
)

// Body makes a JSON object of the fields named body.…: dots lead into objects, and
// after a colon stands what the text means: int, bool, list (of words), raw (JSON).
// Empty fields are left out; without fields there is no body.
func Body(form url.Values) ([]byte, error) {
	root := map[string]any{}
	given := false
	for key, values := range form {
		name, ok := strings.CutPrefix(key, "body.")
		if !ok {
			continue
		}
		given = true
		name, kind, _ := strings.Cut(name, ":")
		text := strings.TrimSpace(values[0])
		if kind == "list" {
			text = strings.Join(values, ",")
		}
		if text == "" {
			continue
		}
		value, err := valueOf(kind, text)
		if err != nil {
			return nil, errors.Join(errors.New(name), err)
		}
		set(root, strings.Split(name, "."), value)
	}
	if !given {
		return nil, nil
	}
	return json.Marshal(root)
}

func valueOf(kind, text string) (any, error) {
	switch kind {
	case "int":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errNumber
		}
		return n, nil
	case "bool":
		return text == "true", nil
	case "list":
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }), nil
	case "raw":
		if !json.Valid([]byte(text)) {
			return nil, errJSON
		}
		return json.RawMessage(text), nil
	default:
		return text, nil
	}
}

// set puts a value at the end of a path of members.
func set(root map[string]any, path []string, value any) {
	for ; len(path) > 1; path = path[1:] {
		next, ok := root[path[0]].(map[string]any)
		if !ok {
			next = map[string]any{}
			root[path[0]] = next
		}
		root = next
	}
	root[path[0]] = value
}

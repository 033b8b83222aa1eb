package verify_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// gone as a value takes a member away.
type gone struct{}

// changed puts a member to another value; what does not change keeps its bytes.
func changed(raw []byte, path string, v any) []byte {
	all := decoded(raw)
	before := string(encoded(all))
	if put(all, strings.Split(path, "."), v) && string(encoded(all)) != before {
		return encoded(all)
	}
	return raw
}

// decoded reads JSON; nil where there is none. Members lose their order, which
// only wire.field-order is about.
func decoded(raw []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// encoded writes JSON on one line, the members in the order of their names.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}

// reached finds a member, written as companies.0.id; nil where there is none.
func reached(at any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch v := at.(type) {
		case map[string]any:
			at = v[part]
		case []any:
			n, err := strconv.Atoi(part)
			if err != nil || n >= len(v) {
				return nil
			}
			at = v[n]
		default:
			return nil
		}
	}
	return at
}

// put walks to a member, a star standing for every element, and changes it. A
// function is given the old value.
func put(at any, path []string, v any) bool {
	switch node := at.(type) {
	case []any:
		done := false
		for i := range node {
			if len(path) > 0 && (path[0] == "*" || path[0] == strconv.Itoa(i)) {
				done = put(node[i], path[1:], v) || done
			}
		}
		return done
	case map[string]any:
		if len(path) > 1 {
			return put(node[path[0]], path[1:], v)
		}
		putMember(node, path[0], v)
		return true
	default:
		return false
	}
}

// putMember changes one member of an object.
func putMember(node map[string]any, name string, v any) {
	switch v := v.(type) {
	case gone:
		delete(node, name)
	case func(any) any:
		if old, ok := node[name]; ok {
			node[name] = v(old)
		}
	default:
		node[name] = v
	}
}

package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Node is the value at a JSON pointer, nil when there is none; the empty pointer
// is the whole document.
func (d *Document) Node(pointer string) any {
	value := d.root
	if pointer == "" {
		return value
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch x := value.(type) {
		case map[string]any:
			value = x[unescape(part)]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			value = x[i]
		default:
			return nil
		}
	}
	return value
}

// Object is the object at a pointer, behind its references; nil when there is
// none.
func (d *Document) Object(pointer string) map[string]any {
	o, _ := d.Node(d.Resolve(pointer)).(map[string]any)
	return o
}

// Resolve follows references within the document.
func (d *Document) Resolve(pointer string) string {
	for range deepest {
		o, _ := d.Node(pointer).(map[string]any)
		ref, ok := o["$ref"].(string)
		if !ok {
			break
		}
		pointer = strings.TrimPrefix(ref, "#")
	}
	return pointer
}

// Children names the members of an object, sorted, or the elements of an array, in
// their order; nothing else has any.
func Children(node any) []string {
	switch x := node.(type) {
	case map[string]any:
		return slices.Sorted(maps.Keys(x))
	case []any:
		names := make([]string, len(x))
		for i := range x {
			names[i] = strconv.Itoa(i)
		}
		return names
	}
	return nil
}

// Escape writes a name as a part of a JSON pointer.
func Escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func unescape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

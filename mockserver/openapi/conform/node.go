package conform

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// node is the value at a JSON pointer of the document, nil when there is none.
func (v *Validator) node(pointer string) any {
	value := v.document
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
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

// object is the object at a pointer, behind its references; nil when there is none.
func (v *Validator) object(pointer string) map[string]any {
	o, _ := v.node(v.resolve(pointer)).(map[string]any)
	return o
}

// resolve follows references within the document.
func (v *Validator) resolve(pointer string) string {
	const deepest = 16
	for range deepest {
		o, _ := v.node(pointer).(map[string]any)
		ref, ok := o["$ref"].(string)
		if !ok {
			break
		}
		pointer = strings.TrimPrefix(ref, "#")
	}
	return pointer
}

// children names the members of an object or the elements of an array, sorted.
func children(node any) []string {
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

func escape(part string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(part)
}

func unescape(part string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
}

package correlate

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Struck are the pointers of what is struck out in a body, in its order, and whether anything else stands in it: of
// one that is struck out as a whole, or that holds nothing but what is, nothing is known.
func Struck(body []byte) (pointers []string, others bool) {
	if !json.Valid(body) {
		if recording.StruckBody(body) {
			return []string{""}, false
		}
		return nil, true
	}
	Walk(body, func(path []string, v any) {
		if text, ok := v.(string); ok && recording.Struck(text) {
			pointers = append(pointers, Pointer(path))
		} else {
			others = true
		}
	})
	return pointers, others || len(pointers) == 0
}

// Shortened says whether a body says of itself that members of it, or entries of its lists, are left out. Who strikes out what
// they were leaves some out, too.
func Shortened(body []byte) bool {
	shortened := false
	Walk(body, func(path []string, v any) {
		text, _ := v.(string)
		for i, name := range path {
			shortened = shortened || recording.Shortened(name) || i == len(path)-1 && strings.Trim(name, "0123456789") == "" && recording.Shortened(text)
		}
	})
	return shortened
}

// Has says whether a body has a member of a name, in any case of letters, as it was sent.
func Has(body []byte, member string) bool {
	has := false
	Walk(body, func(path []string, v any) {
		text, _ := v.(string)
		for i, name := range path {
			has = has || strings.EqualFold(name, member) && (i < len(path)-1 || !recording.Struck(text))
		}
	})
	return has
}

// Unstruck is a JSON body with a value in the place of each that is struck out. One that there is none for is left out, and
// so is what only says that there was more.
func Unstruck(body []byte, with func(pointer string) (value any, there bool)) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if list, _ := Struck(body); len(list) == 0 && !Shortened(body) || d.Decode(&v) != nil {
		return body
	}
	v, _ = unstruck(v, nil, with)
	return trail.Quote(v)
}

func unstruck(v any, path []string, with func(string) (any, bool)) (any, bool) {
	if len(path) > deepest {
		return v, true
	}
	switch o := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if is, there := unstruck(o[name], append(path, name), with); there && !recording.Shortened(name) {
				o[name] = is
			} else {
				delete(o, name)
			}
		}
	case []any:
		kept := o[:0]
		for i := range o {
			if text, _ := o[i].(string); recording.Shortened(text) {
				continue
			}
			if is, there := unstruck(o[i], append(path, strconv.Itoa(i)), with); there {
				o[i] = is
			}
			kept = append(kept, o[i])
		}
		return kept, true
	case string:
		if recording.Struck(o) {
			return with(Pointer(path))
		}
	}
	return v, true
}

// At is the value under a pointer of a body, its members in any case of letters, and whether there is one.
func At(body []byte, pointer string) (value any, there bool) {
	Walk(body, func(path []string, v any) {
		if !there && strings.EqualFold(Pointer(path), pointer) {
			value, there = v, true
		}
	})
	return value, there
}

package random

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/schema"
)

// odd are values that no member is made for. They are of each type of JSON, at bounds
// that programs forget, and in forms that people write.
var odd = []any{
	nil, true, false, json.Number("0"), json.Number("-1"), json.Number("1"), json.Number("1.5"), json.Number("100.0"), json.Number("1e3"),
	json.Number("2147483648"), json.Number("9007199254740993"), json.Number("-0"), json.Number("99999999999999999999"), json.Number("50"), json.Number("49"),
	"", " ", "0", "-5", "12.50", "$12.50", "1,000", "true", "null", "Ж", "日本", "a\u0000b", "a\u001fb", "a\nb", "<b>bold</b>", "\"quoted\"", "😀",
	" spaced ", "UPPER", strings.Repeat("long ", 80),
	[]any{},
	map[string]any{},
	[]any{nil},
	map[string]any{"a": json.Number("1")},
	[]any{"a", "a"},
	"2026-02-29", "2026-02-28", "2024-02-29", "2020-01-01", "2099-12-31", "1700-01-01", "2026-13-01", "2026-03-02T10:00:00Z", "2026-03-02T23:59:59-05:00", "03/02/2026",
	"http://127.0.0.1/hook", "https://partner.example.com/hooks?x=1", "ftp://partner.example.com/", "javascript:alert(1)", "partner.example.com",
	"pat@example.com", "PAT@EXAMPLE.COM", "pat@@example.com", "pat", "+12025550143", "(202) 555-0143", "2025550143", "+442079460958", "911",
	"10001", "10001-1234", "1000", "NY", "ny", "XX", "123-45-6789", "000-00-0000", "123456789", "12-3456789", "021000021", "4242424242424242", "4242-4242-4242-4242", "4000000000000002",
	"client", "partner", "Daily", "monthly", "Monthly", "00000000-1111-4222-8333-444444444444", "R01", "R99", "1h", "90s", "366d", "0s", "-1h", "P1D",
}

// breaks make of a body one that is written otherwise, or broken.
var breaks = []func(raw string) string{
	func(raw string) string { return raw[:len(raw)/2] },
	func(raw string) string { return raw + "x" },
	func(raw string) string { return raw + raw },
	func(raw string) string { return "\xef\xbb\xbf" + raw },
	func(raw string) string { return "[" + raw + "]" },
	func(raw string) string { return strings.Replace(raw, `"`, `'`, 2) },
	func(raw string) string { return strings.Replace(raw, ":", "=", 1) },
	func(raw string) string { return strings.Replace(raw, ",", ",,", 1) },
	func(raw string) string { return strings.Replace(raw, "{", `{"name":"twice","name":"twice",`, 1) },
	func(raw string) string { return strings.Replace(raw, "{", `{"\u0061mount":1,"":2,`, 1) },
	func(raw string) string { return strings.Replace(raw, "a", "\xff", 1) },
	func(raw string) string { return strings.Replace(raw, "a", "\x01", 1) },
	func(raw string) string { return strings.Replace(raw, "a", `\q`, 1) },
	func(raw string) string { return strings.Replace(raw, "a", `\ud800`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", ":-", 1) },
	func(raw string) string { return strings.Replace(raw, "{", "{ // comment\n", 1) },
	func(raw string) string { return " \n\t" + raw + "\r\n " },
	func(raw string) string { return strings.Replace(raw, ":", `:tru,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:truex,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:nul,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:NaN,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:01,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:1.,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:1e,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:.5,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:1e+2,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:1E400,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:-,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:0.0,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:-0.5e-1,"x":`, 1) },
	func(raw string) string { return strings.Replace(raw, ":", `:'a',"x":`, 1) },
	func(string) string { return "" },
	func(string) string { return "null" },
	func(string) string { return `"text"` },
	func(string) string { return "{}" },
	func(string) string { return strings.Repeat("[", 200) },
}

// makes is the operation that makes another integration: it is drawn with a body that is
// refused, since ids and names are shared with whoever else tests.
const makes = "createIntegration"

// body draws the body of an operation, nil when it has none.
func (s *Source) body(o *operation) []byte {
	if o.schema == "" {
		if s.oneIn(40) {
			return []byte(`{"unasked":1}`)
		}
		return nil
	}
	value := clone(o.example)
	if s.oneIn(4) {
		if full := filled(o.document, o.schema, deepest); full != nil {
			value = clone(full)
		}
	}
	value = s.fill(value)
	for n := s.rand.IntN(6) - 2; n > 0; n -= 2 { // none, one, or two
		s.change(o, value)
	}
	beyond, is := value.(map[string]any)
	if is = is && o.id == makes; is {
		beyond["environment"] = "nowhere"
	}
	raw, err := json.Marshal(tame(value))
	if err != nil { // what was read from JSON can be written
		return nil
	}
	if !is && s.oneIn(16) {
		return []byte(pick(s, breaks)(string(raw)))
	}
	return raw
}

// fill puts what is known into members that want an id.
func (s *Source) fill(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range sorted(v) {
			if _, text := v[name].(string); !text {
				v[name] = s.fill(v[name])
			} else if id, ok := s.reference(name); ok {
				v[name] = id
			}
		}
	case []any:
		for i := range v {
			v[i] = s.fill(v[i])
		}
	}
	return value
}

// nowhere is an address at which nobody listens.
const nowhere = "http://127.0.0.1:9/nobody"

// tame keeps a body from reaching out of this machine, and from what goes by the wall clock.
func tame(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			text, is := v[name].(string)
			switch strings.ToLower(name) {
			case "url", "attachment":
				if is && strings.HasPrefix(text, "http") && !strings.HasPrefix(text, "http://127.0.0.1") {
					v[name] = nowhere
				}
			case "mode":
				if text == "real" {
					v[name] = "manual"
				}
			case "latency", "slowbody":
				if is {
					v[name] = "1ms"
				}
			default:
				v[name] = tame(v[name])
			}
		}
	case []any:
		for i := range v {
			v[i] = tame(v[i])
		}
	}
	return value
}

// change makes one member another, takes one away, or adds one.
func (s *Source) change(o *operation, value any) {
	pointer, object := o.schema, s.descend(value)
	if object == nil {
		return
	}
	if top, ok := value.(map[string]any); ok && len(top) > 0 && s.oneIn(2) {
		object = top
	}
	names := schema.Children(o.document.Object(pointer)["properties"])
	for _, name := range sorted(object) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	name := pick(s, names)
	was, there := object[name]
	switch s.rand.IntN(8) {
	case 0:
		delete(object, name)
	case 1, 2:
		object[name] = clone(pick(s, odd))
	case 3:
		delete(object, name)
		object[pick(s, []string{strings.ToUpper(name), strings.ToLower(name), name + "s", " " + name, name + "/a~b", "additional"})] = was
	default:
		all := admitted(o.document, pointer+"/properties/"+schema.Escape(name))
		if len(all) == 0 {
			all = odd
		}
		object[name] = clone(pick(s, all))
		if n, ok := whole(was); there && ok {
			object[name] = pick(s, []int64{n + 1, n - 1, -n, n * 100, 0})
		}
	}
}

// descend is an object within a value, or the value itself.
func (s *Source) descend(value any) map[string]any {
	var all []map[string]any
	var into func(v any)
	into = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			all = append(all, v)
			for _, name := range sorted(v) {
				into(v[name])
			}
		case []any:
			for _, e := range v {
				into(e)
			}
		}
	}
	if into(value); len(all) == 0 {
		return nil
	}
	return pick(s, all)
}

func clone(value any) any {
	switch v := value.(type) {
	case map[string]any:
		o := make(map[string]any, len(v))
		for name := range v {
			o[name] = clone(v[name])
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = clone(v[i])
		}
		return list
	default:
		return value
	}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

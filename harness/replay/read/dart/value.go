package dart

import (
	"encoding/json"
	"strings"
	"sync"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// dartBody is the JSON of a map as Dart prints it, {amount: 5000, reference: a}, or of JSON; nil for what is neither. Which
// of its values are texts the print does not show: those are that the service takes as such.
func dartBody(text string) []byte {
	text = strings.TrimSpace(text)
	if json.Valid([]byte(text)) && text != "null" && strings.HasPrefix(text, "{") {
		return []byte(text)
	}
	d := dart{text: text}
	v, ok := d.value("")
	if !ok || d.at != len(d.text) || !strings.HasPrefix(text, "{") {
		return nil
	}
	return source.Encoded(v)
}

// dart reads a value as Dart prints it.
type dart struct {
	text  string
	at    int
	depth int
}

var dartMember = trail.Pattern(`^([A-Za-z_][A-Za-z0-9_]*): `)

func (d *dart) rest() string { return d.text[d.at:] }

func (d *dart) value(name string) (any, bool) {
	const deepest = 32
	if d.depth++; d.depth > deepest {
		return nil, false
	}
	defer func() { d.depth-- }()
	switch {
	case strings.HasPrefix(d.rest(), "{"):
		return d.object()
	case strings.HasPrefix(d.rest(), "["):
		return d.list(name)
	}
	begin := d.at
	for d.at < len(d.text) && !strings.ContainsRune("}]", rune(d.text[d.at])) {
		if next, ok := strings.CutPrefix(d.rest(), ", "); ok && (name == "" || dartMember().MatchString(next)) {
			break
		}
		d.at++
	}
	return plainValue(name, d.text[begin:d.at]), true
}

func (d *dart) object() (any, bool) {
	all := map[string]any{}
	for d.at++; ; d.at += 2 {
		if strings.HasPrefix(d.rest(), "}") {
			d.at++
			return all, true
		}
		found := dartMember().FindStringSubmatch(d.rest())
		if found == nil {
			return nil, false
		}
		d.at += len(found[0])
		v, ok := d.value(found[1])
		if all[found[1]] = v; !ok {
			return nil, false
		}
		if strings.HasPrefix(d.rest(), "}") {
			d.at -= 2
			continue
		}
		if !strings.HasPrefix(d.rest(), ", ") {
			return nil, false
		}
	}
}

func (d *dart) list(string) (any, bool) {
	all := []any{}
	for d.at++; !strings.HasPrefix(d.rest(), "]"); d.at += 2 {
		v, ok := d.value("")
		if all = append(all, v); !ok {
			return nil, false
		}
		if strings.HasPrefix(d.rest(), "]") {
			break
		}
		if !strings.HasPrefix(d.rest(), ", ") {
			return nil, false
		}
	}
	d.at++
	return all, true
}

// plainValue is a text, or what else the service takes under a name.
func plainValue(name, text string) any {
	var v any
	if _, isText := sentTexts()[name]; isText && text != "null" || json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	if _, number := v.(float64); number {
		return json.Number(text)
	}
	return v
}

// sentTexts are the members that the service takes as texts.
var sentTexts = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, id := range trail.Operations(func(o *trail.Operation) bool { return o.Payload != "" }) {
		raw, _ := fixtures.Payload(trail.OperationNamed(id).Payload)
		correlate.Walk(raw, func(path []string, v any) {
			if _, ok := v.(string); ok {
				set[path[len(path)-1]] = true
			}
		})
	}
	return set
})

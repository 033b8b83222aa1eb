package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Judge holds a value, as Value reads JSON, to the schema at a pointer, and lists
// what is wrong with it, sorted. A schema that is none is wrong, too.
func (d *Document) Judge(pointer string, value any) []string {
	if err := d.readable(pointer, d.Node(pointer)); err != nil {
		return []string{err.Error()}
	}
	left := mostSteps
	j := judging{d: d, left: &left}
	j.value("", d.Node(pointer), value)
	if left < 0 {
		return []string{fmt.Sprintf("cannot be judged: its schema asks for more than %d looks, or goes round in a circle", mostSteps)}
	}
	slices.Sort(j.problems)
	return slices.Compact(j.problems)
}

// mostSteps is how often a value may be held to a schema within another: a foreign
// description can offer itself among its own choices.
const mostSteps = 1 << 20

// deepestChoices is how many choices may lie in each other without a step into the value.
const deepestChoices = 64

// judging collects what is wrong with one value.
type judging struct {
	d        *Document
	problems []string
	left     *int
	choice   int
}

func (j *judging) wrong(at, format string, args ...any) {
	j.problems = append(j.problems, strings.TrimSpace(at+" "+fmt.Sprintf(format, args...)))
}

// deepest is how many references may follow each other.
const deepest = 16

// value judges a value at a place by a schema and by those that it refers to.
func (j *judging) value(at string, schema, v any) {
	for range deepest {
		if *j.left--; *j.left < 0 {
			return
		}
		s, ok := schema.(map[string]any)
		if !ok {
			if schema == false {
				j.wrong(at, "false schema")
			}
			return
		}
		if problem := j.kind(s, v); problem != "" {
			j.wrong(at, "%s", problem)
			return
		}
		j.parts(at, s, v)
		ref, ok := s["$ref"].(string)
		if !ok {
			return
		}
		schema = j.d.Node(strings.TrimPrefix(ref, "#"))
	}
	j.wrong(at, "the references of its schema go round in a circle")
}

// parts judges what a value of the right kind consists of.
func (j *judging) parts(at string, s map[string]any, v any) {
	switch x := v.(type) {
	case map[string]any:
		j.object(at, s, x)
	case []any:
		j.array(at, s, x)
	case string:
		j.text(at, s, x)
	case json.Number:
		j.number(at, s, x)
	}
	j.choices(at, s, v)
}

// kind judges type, listed values and format: what fails here is judged no further.
func (j *judging) kind(s map[string]any, v any) string {
	if want := words(s["type"]); len(want) > 0 && !slices.Contains(want, typeOf(v)) && (!slices.Contains(want, "integer") || !integer(v)) {
		slices.SortFunc(want, func(a, b string) int { return slices.Index(typeNames, a) - slices.Index(typeNames, b) })
		return fmt.Sprintf("got %s, want %s", typeOf(v), strings.Join(want, " or "))
	}
	if want, fixed := s["const"]; fixed && !equal(v, want) {
		return oneOf("const", []any{want})
	}
	if list, listed := s["enum"].([]any); listed && !slices.ContainsFunc(list, func(want any) bool { return equal(v, want) }) {
		return oneOf("enum", list)
	}
	if name, ok := s["format"].(string); ok {
		if text, ok := v.(string); ok && formats[name] != nil {
			if err := formats[name](text); err != nil {
				return fmt.Sprintf("%s is not valid %s: %v", quote(text), name, err)
			}
		}
	}
	return ""
}

// object judges the members of an object.
func (j *judging) object(at string, s, o map[string]any) {
	j.count(at, s, "Properties", len(o))
	var missing, more []string
	for _, name := range words(s["required"]) {
		if _, has := o[name]; !has {
			missing = append(missing, quote(name))
		}
	}
	if len(missing) == 1 {
		j.wrong(at, "missing property %s", missing[0])
	} else if missing != nil {
		j.wrong(at, "missing properties %s", strings.Join(missing, ", "))
	}
	properties, _ := s["properties"].(map[string]any)
	rest, ruled := s["additionalProperties"]
	for _, name := range Children(o) {
		below := at + "/" + Escape(name)
		if schema, named := properties[name]; named {
			j.value(below, schema, o[name])
		} else if ruled && rest == false {
			more = append(more, quote(name))
		} else if ruled {
			j.value(below, rest, o[name])
		}
	}
	if more != nil {
		j.wrong(at, "additional properties %s not allowed", strings.Join(more, ", "))
	}
}

func (j *judging) array(at string, s map[string]any, list []any) {
	j.count(at, s, "Items", len(list))
	if schema, ok := s["items"]; ok {
		for i, name := range Children(list) {
			j.value(at+"/"+name, schema, list[i])
		}
	}
}

func (j *judging) text(at string, s map[string]any, v string) {
	j.count(at, s, "Length", utf8.RuneCountInString(v))
	if want, ok := s["pattern"].(string); ok {
		if pattern, err := j.d.pattern(want); err == nil && !pattern.MatchString(v) {
			j.wrong(at, "%s does not match pattern %s", quote(v), quote(want))
		}
	}
}

func (j *judging) number(at string, s map[string]any, v json.Number) {
	got := rational(v)
	if want := rational(s["minimum"]); want != nil && got.Cmp(want) < 0 {
		j.wrong(at, "minimum: got %v, want %v", v, s["minimum"])
	}
	if want := rational(s["maximum"]); want != nil && got.Cmp(want) > 0 {
		j.wrong(at, "maximum: got %v, want %v", v, s["maximum"])
	}
}

// count judges how many members, elements or characters there are.
func (j *judging) count(at string, s map[string]any, what string, got int) {
	if want := rational(s["min"+what]); want != nil && big.NewRat(int64(got), 1).Cmp(want) < 0 {
		j.wrong(at, "min%s: got %d, want %v", what, got, s["min"+what])
	}
	if want := rational(s["max"+what]); want != nil && big.NewRat(int64(got), 1).Cmp(want) > 0 {
		j.wrong(at, "max%s: got %d, want %v", what, got, s["max"+what])
	}
}

// choices judges allOf, anyOf and oneOf. When none fits, what is wrong with each
// is told.
func (j *judging) choices(at string, s map[string]any, v any) {
	for _, word := range listKeywords {
		list, ok := s[word].([]any)
		if !ok {
			continue
		}
		if j.choice == deepestChoices {
			*j.left = -1
			return
		}
		fits, all := 0, judging{d: j.d}
		for _, schema := range list {
			one := judging{d: j.d, left: j.left, choice: j.choice + 1}
			if one.value(at, schema, v); len(one.problems) == 0 {
				fits++
			}
			all.problems = append(all.problems, one.problems...)
		}
		switch {
		case word == "oneOf" && fits > 1:
			j.wrong(at, "'oneOf' failed, %d subschemas matched", fits)
		case fits == 0 || word == "allOf":
			j.problems = append(j.problems, all.problems...)
		}
	}
}

// integer says whether a value is a number without a fraction.
func integer(v any) bool {
	n := rational(v)
	return n != nil && n.IsInt()
}

// rational is a number's value, and nil for what is none.
func rational(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(n.String()), "e")
	if e, err := strconv.Atoi(exponent); err != nil && exponent != "" || max(e, -e) > mostExponent {
		exponent = strconv.Itoa(mostExponent)
		if e < 0 {
			exponent = "-" + exponent
		}
	}
	r, _ := new(big.Rat).SetString(mantissa + "e" + cmp.Or(exponent, "0"))
	return r
}

// mostExponent is the highest power of ten that is told from a higher one: all its noughts
// would be written out.
const mostExponent = 1000

func equal(a, b any) bool {
	if x, y := rational(a), rational(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// oneOf says which values a keyword admits, where they can be said shortly.
func oneOf(keyword string, list []any) string {
	names := make([]string, len(list))
	for i, want := range list {
		switch x := want.(type) {
		case string:
			names[i] = quote(x)
		case []any, map[string]any:
			return "'" + keyword + "' failed"
		default:
			names[i] = fmt.Sprint(x)
		}
	}
	if len(names) == 1 {
		return "value must be " + names[0]
	}
	return "value must be one of " + strings.Join(names, ", ")
}

func quote(s string) string {
	s = strings.ReplaceAll(fmt.Sprintf("%q", s), `\"`, `"`)
	return "'" + strings.ReplaceAll(s[1:len(s)-1], `'`, `\'`) + "'"
}

package filter

import (
	"maps"
	"slices"
	"strings"
)

// more is the member, and the entry of a list, that say that others stood there.
const more = "…"

// nothing is what a part tells of what it was given where that cannot be told.
type nothing struct{}

// given is what a part was given, as far as one of the values that it printed tells.
func (p *part) given(printed any) any {
	switch p.kind {
	case steps:
		return through(p.parts, printed)
	case member:
		if printed == nil { // also where there is no such member
			return nothing{}
		}
		return map[string]any{p.name: printed, more: more}
	case some:
		return printed
	case object:
		return p.members(printed)
	case list:
		values, is := printed.([]any)
		if !is {
			return nothing{}
		}
		return p.parts[0].streamed(values)
	case joined:
		return p.split(printed)
	case several:
		return p.oneOf(printed)
	default:
		return nothing{}
	}
}

// through is what the first of some steps was given.
func through(list []part, printed any) any {
	for i := range list {
		p := &list[len(list)-1-i]
		if _, no := printed.(nothing); no {
			return printed
		}
		if p.kind == each {
			printed = []any{printed, more}
			continue
		}
		printed = p.given(printed)
	}
	return printed
}

// streamed is what a part was given that printed several values, one for each entry of a list.
func (p *part) streamed(values []any) any {
	flat := p.flat(nil)
	at := slices.IndexFunc(flat, func(s part) bool { return s.kind == each })
	if at < 0 || slices.ContainsFunc(flat[at+1:], func(s part) bool { return s.kind == each }) {
		return nothing{}
	}
	picks := slices.ContainsFunc(flat[at:], func(s part) bool { return s.kind == some })
	rows := make([]any, 0, len(values))
	for _, v := range values {
		row := through(flat[at+1:], v)
		if _, no := row.(nothing); no {
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) < len(values) || picks {
		rows = append(rows, more)
	}
	return through(flat[:at], rows)
}

// flat are the steps of a part, one behind the other.
func (p *part) flat(all []part) []part {
	if p.kind != steps {
		return append(all, *p)
	}
	for i := range p.parts {
		all = p.parts[i].flat(all)
	}
	return all
}

// members puts together what the members of an object that was made tell.
func (p *part) members(printed any) any {
	made, is := printed.(map[string]any)
	if !is {
		return nothing{}
	}
	all := map[string]any{}
	for i := range p.parts {
		value, there := made[p.parts[i].name]
		if !there {
			return nothing{} // something else has printed it
		}
		if one, is := p.parts[i].parts[0].given(value).(map[string]any); is {
			merge(all, one)
		}
	}
	if len(all) == 0 {
		return nothing{}
	}
	return all
}

// merge adds the members of an object to those of another, and those of entries of lists to the same entries.
func merge(all, one map[string]any) {
	for name, value := range one {
		switch was := all[name].(type) {
		case map[string]any:
			if is, ok := value.(map[string]any); ok {
				merge(was, is)
			}
		case []any:
			is, ok := value.([]any)
			for i := 0; ok && len(is) == len(was) && i < len(is); i++ {
				a, both := was[i].(map[string]any)
				if b, too := is[i].(map[string]any); both && too {
					merge(a, b)
				}
			}
		default:
			all[name] = value
		}
	}
}

// split tells the values of a text that was put together of them and of plain texts between them, where these stand nowhere else in it.
func (p *part) split(printed any) any {
	said, is := printed.(string)
	if !is {
		return nothing{}
	}
	all := map[string]any{}
	for i := range p.parts {
		one := &p.parts[i]
		if one.kind == text {
			var begins bool
			if said, begins = strings.CutPrefix(said, one.name); !begins || one.name == "" {
				return nothing{}
			}
			continue
		}
		value := said
		if i+1 < len(p.parts) {
			next := &p.parts[i+1]
			if next.kind != text || next.name == "" || strings.Count(said, next.name) != p.count(i+1, next.name) {
				return nothing{}
			}
			value = said[:strings.Index(said, next.name)]
		}
		said = said[len(value):]
		if is, ok := one.given(value).(map[string]any); ok {
			merge(all, is)
		}
	}
	if said != "" || len(all) == 0 {
		return nothing{}
	}
	return all
}

// count is how often a plain text stands among the parts, from one on.
func (p *part) count(from int, said string) (n int) {
	for i := from; i < len(p.parts); i++ {
		if p.parts[i].kind == text {
			n += strings.Count(p.parts[i].name, said)
		}
	}
	return n
}

// oneOf is what the one of several parts was given that makes such an object.
func (p *part) oneOf(printed any) any {
	made, _ := printed.(map[string]any)
	found, n := any(nothing{}), 0
	for i := range p.parts {
		one := &p.parts[i]
		flat := one.flat(nil)
		last := flat[max(0, len(flat)-1)]
		if last.kind == object && slices.Equal(slices.Sorted(maps.Keys(made)), last.names()) {
			found, n = one.given(printed), n+1
		}
	}
	if n != 1 {
		return nothing{}
	}
	return found
}

// names are those of an object's members, in order.
func (p *part) names() (all []string) {
	for i := range p.parts {
		all = append(all, p.parts[i].name)
	}
	slices.Sort(all)
	return all
}

// answer is an answer of which a program has printed objects, nil where they tell nothing of it. Of a list each entry is printed.
func (p *part) answer(objects []any) map[string]any {
	flat := p.flat(nil)
	var told any
	switch last := flat[max(0, len(flat)-1):]; {
	case slices.ContainsFunc(flat, func(s part) bool { return s.kind == each }):
		told = p.streamed(objects)
	case len(last) == 1 && last[0].kind == member && lists[last[0].name]:
		told = through(flat, objects)
	case len(last) == 1 && last[0].kind == member && last[0].name != "errors":
		return nil // a value that is none
	default:
		told = p.given(objects[0])
	}
	made, _ := told.(map[string]any)
	if made != nil {
		made[more] = more
	}
	return made
}

// lists are the members of answers that are lists of objects.
var lists = map[string]bool{"transactions": true, "companies": true, "locations": true, "plans": true, "consents": true, "paymentMethods": true}

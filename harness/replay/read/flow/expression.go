package flow

import (
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// scope is what the expressions of one call can name.
type scope struct {
	*execution
	run  *run
	item int
	// input is the item that the call is made for, if it is known.
	input any
	known bool
	// budget is how many bytes references may still put in, of all calls of the file.
	budget *int
	// echo is what the service has answered: it says some members again.
	echo any
}

var (
	inBraces  = trail.Pattern(`\{\{((?:[^}]|\}[^}])*)\}\}`)
	reference = trail.Pattern(`^\s*(\$json|\$input\.(?:item|first\(\))\.json|\$node\[\s*["'][^"']+["']\s*\]\.json|\$node\.\w+\.json|\$\(\s*["'][^"']+["']\s*\)\.(?:item|first\(\)|last\(\))\.json)((?:\.\w+|\[\s*(?:[0-9]+|"[^"]*"|'[^']*')\s*\])*)\s*$`)
	asText    = trail.Pattern(`^\s*JSON\.stringify\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$`)
	step      = trail.Pattern(`\.(\w+)|\[\s*(?:([0-9]+)|"([^"]*)"|'([^']*)')\s*\]`)
	quoted    = trail.Pattern(`["']([^"']+)["']`)
	openName  = trail.Pattern(`\{\{[A-Za-z0-9_.]*\.(\w*Id)\}\}`)
	plainID   = trail.Pattern(`^[A-Za-z0-9_-]+$`)
)

// value is what a parameter holds: a text that begins with "=" is a template. What is not known of it is a variable.
func (s *scope) value(v any) any {
	text, isText := v.(string)
	if !isText || !strings.HasPrefix(text, "=") {
		return v
	}
	text = text[1:]
	all := inBraces().FindAllStringSubmatchIndex(text, -1)
	if len(all) == 1 && strings.TrimSpace(text[:all[0][0]])+strings.TrimSpace(text[all[0][1]:]) == "" {
		if found, ok := s.evaluate(text[all[0][2]:all[0][3]]); ok && s.affords(found) {
			return found
		}
	}
	return inBraces().ReplaceAllStringFunc(text, func(braced string) string {
		expression := braced[2 : len(braced)-2]
		found, ok := s.evaluate(expression)
		if !ok || !s.affords(found) {
			return s.open(expression)
		}
		if said, isText := found.(string); isText {
			return said
		}
		return string(source.Encoded(found))
	})
}

// affords says whether a value may still be put in, and counts it.
func (s *scope) affords(v any) bool {
	*s.budget -= len(source.Encoded(v))
	return *s.budget >= 0
}

// text is the text of a parameter.
func (s *scope) text(v any) string {
	switch found := s.value(v).(type) {
	case string:
		return found
	case nil:
		return ""
	default:
		return string(source.Encoded(found))
	}
}

// open is a variable that stands for what an expression holds: the same for the same one of the same item.
func (s *scope) open(expression string) string {
	from := s.run.name + "." + strconv.Itoa(s.run.index)
	if len(s.run.Source) > 0 && s.run.Source[0] != nil && strings.Contains(expression, "$json") {
		from = s.run.Source[0].Node + "." + strconv.Itoa(s.run.Source[0].Run)
	}
	return source.Open(from + "." + strconv.Itoa(s.item) + "." + expression)
}

// evaluate is what a plain reference names, or the JSON of it as a text; false for any other expression, and
// for what the file does not show.
func (s *scope) evaluate(expression string) (any, bool) {
	if inner := asText().FindStringSubmatch(expression); inner != nil {
		v, ok := s.evaluate(inner[1])
		return string(source.Encoded(v)), ok
	}
	found := reference().FindStringSubmatch(expression)
	if found == nil {
		return nil, false
	}
	v, ok := s.root(found[1])
	return follow(v, found[2], ok)
}

// root is the item that a reference begins at.
func (s *scope) root(name string) (any, bool) {
	if name == "$json" || strings.HasPrefix(name, "$input.item") {
		return s.input, s.known
	}
	if strings.HasPrefix(name, "$input") {
		list, known := s.execution.input(s.run)
		if !known || len(list) == 0 {
			return nil, false
		}
		return list[0].JSON, true
	}
	of := strings.TrimSuffix(strings.TrimPrefix(name, "$node."), ".json")
	if q := quoted().FindStringSubmatch(name); q != nil {
		of = q[1]
	}
	runs := s.Data.ResultData.RunData[of]
	if len(runs) != 1 || len(runs[0].Data.Main) == 0 || runs[0].StartTime > s.run.StartTime {
		return nil, false // which of its runs was meant is not certain
	}
	items := runs[0].Data.Main[0]
	if len(items) != 1 {
		return nil, false
	}
	return items[0].JSON, true
}

// follow goes down a way of members and places in lists.
func follow(v any, way string, ok bool) (any, bool) {
	for _, part := range step().FindAllStringSubmatch(way, -1) {
		if !ok {
			return nil, false
		}
		if part[2] != "" {
			list, _ := v.([]any)
			n, err := strconv.Atoi(part[2])
			if ok = err == nil && n < len(list); ok {
				v = list[n]
			}
			continue
		}
		members, _ := v.(map[string]any)
		v, ok = members[part[1]+part[3]+part[4]]
	}
	return v, ok
}

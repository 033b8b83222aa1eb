package table

import (
	"slices"
	"strings"

	"paysandbox/harness/trail"
)

// thing is a column that names one.
var thing = trail.Pattern(`(?i)^(company|payment|registration|payer|user)(?:[ _-]?(?:ref|reference|request)?(?:[ _-]?(?:id|ref|reference))?)?$`)

// poll says in which columns a table has what a program was told each time it asked for a status: when, of what, the status of HTTP, and
// the status in a word.
type poll struct{ at, of, code, says int }

// pollOf finds them; false where one is lacking.
func pollOf(head []string) (p poll, ok bool) {
	find := func(is func(name string) bool) int {
		return slices.IndexFunc(head, func(name string) bool { return is(columnName(name)) })
	}
	p = poll{
		at: find(func(name string) bool {
			return strings.Contains(name, "time") || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, " at") || strings.HasSuffix(name, "_utc") || name == "date"
		}),
		of:   find(thing().MatchString),
		code: find(func(name string) bool { return name == "http" || ofHTTP(name) }),
		says: find(func(name string) bool { return name == "status" || name == "state" }),
	}
	return p, min(p.at, p.of, p.code, p.says) >= 0 && p.code != p.says
}

// member is what a row says, by the members of a JSON line; nil where it tells no status.
func (p poll) member(head, values []string) map[string]any {
	if len(values) <= max(p.at, p.of, p.code, p.says) || isNull(values[p.of]) || isNull(values[p.code]) {
		return nil
	}
	kind := "/User/"
	switch name := strings.ToLower(head[p.of]); {
	case strings.HasPrefix(name, "company"):
		kind = "/Company/"
	case strings.HasPrefix(name, "payment"):
		kind = "/Payment/"
	}
	member := map[string]any{"time": values[p.at], "method": "GET", "url": kind + values[p.of] + "/Status", "status": values[p.code]}
	if !isNull(values[p.says]) {
		member["answer"] = map[string]string{"status": values[p.says]}
	}
	return member
}

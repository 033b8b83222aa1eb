package door

import (
	"slices"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/wire"
)

// Refuse refuses a request that no operation takes: its path does not exist, or
// exists with other methods only, which are given for Allow. rows are the operations
// of the path; hidden says which do not exist for the caller, nil for none.
func (t *Table[E]) Refuse(method, path string, rows []*Row[E], hidden func(*Row[E]) bool) (e *kernel.Error, allow []string) {
	if hidden == nil {
		hidden = func(*Row[E]) bool { return false }
	}
	path = Clip(path)
	known := slices.DeleteFunc(slices.Clone(rows), hidden)
	if allow = Allow(known); len(allow) > 0 && !slices.Contains(allow, method) {
		return &kernel.Error{
			Code:   kernel.MethodNotAllowed,
			Detail: method + " is not a method of " + path + "; use " + strings.Join(allow, " or "),
		}, allow
	}
	detail := "no " + t.opts.Noun + " has the path " + path
	if near := t.nearest(method, path, hidden); near != nil {
		detail += "; the nearest is " + near.Method + " " + near.Path
	}
	return &kernel.Error{Code: kernel.NotFound, Detail: detail + "; " + t.opts.Docs + " lists them all"}, nil
}

// nearest is the operation whose path differs least from the one asked for; the
// same method wins a draw. Paths that have little in common give none.
func (t *Table[E]) nearest(method, path string, hidden func(*Row[E]) bool) *Row[E] {
	asked := slices.DeleteFunc(split(strings.ToLower(path)), func(word string) bool { return word == "" })
	for len(asked) > 1 && foreignPrefix(asked[0]) {
		asked = asked[1:]
	}
	var best *Row[E]
	least := 2*(len(path)/2+2) + 1
	for _, row := range t.rows {
		if hidden(row) {
			continue
		}
		d := 2 * distance(asked, row.words)
		if row.Method != method {
			d++
		}
		if d < least {
			best, least = row, d
		}
	}
	return best
}

// foreignPrefix says whether a path's first word is one that other services have: api, v1.
func foreignPrefix(word string) bool {
	version, ok := strings.CutPrefix(word, "v")
	return word == "api" || ok && version != "" && strings.Trim(version, "0123456789.") == ""
}

// wholeWord is what a word too many or too few counts at most.
const wholeWord = 4

// distance counts the letters to change, word by word, or with the words written as one;
// a parameter takes any text.
func distance(asked, known []string) int {
	total, params := 0, false
	for i := range max(len(asked), len(known)) {
		params = params || i < len(known) && isParam(known[i])
		switch {
		case i >= len(known):
			total += min(len(asked[i]), wholeWord)
		case isParam(known[i]):
			if i >= len(asked) {
				total += wholeWord - 1
			}
		case i >= len(asked):
			total += min(len(known[i]), wholeWord)
		default:
			total += spelling.Edits(asked[i], strings.ToLower(known[i]))
		}
	}
	if params {
		return total
	}
	return min(total, 1+spelling.Edits(strings.Join(asked, ""), strings.ToLower(strings.Join(known, ""))))
}

// Clip cuts what a stranger has written.
func Clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// notOrdered answers a call that could not be ordered: it was not carried out.
func (x *Exchange) notOrdered() {
	e := x.Refusal(x.Call.Failed)
	x.Header = x.Header[:0]
	x.Put("Retry-After", "1")
	x.Problem(e, wire.Status(e.Code))
	x.Write(x.Writer, false)
}

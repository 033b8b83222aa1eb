package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"paysandbox/mockserver/latitude"
)

// segment is one part of a route's path: a literal, or a parameter.
type segment struct {
	text  string
	param bool
}

// pathTable knows the spellings of all paths, by the number of their segments.
type pathTable struct{ byLength map[int][]*route }

func (t *pathTable) add(r *route) {
	if t.byLength == nil {
		t.byLength = map[int][]*route{}
	}
	r.segments = segments(r.Path)
	for _, other := range t.byLength[len(r.segments)] {
		r.yieldTo(other)
		other.yieldTo(r)
	}
	t.byLength[len(r.segments)] = append(t.byLength[len(r.segments)], r)
}

// yieldTo lets a route with a parameter give way to one that has a literal in
// its place: /PaymentPlan/Create is not the plan with the id "Create".
func (r *route) yieldTo(other *route) {
	literal := false
	for i, s := range r.segments {
		o := other.segments[i]
		if !s.param && (o.param || !strings.EqualFold(s.text, o.text)) {
			return
		}
		literal = literal || s.param && !o.param
	}
	if literal {
		r.before = append(r.before, other)
	}
}

func segments(path string) []segment {
	var out []segment
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		out = append(out, segment{text: part, param: strings.HasPrefix(part, "{")})
	}
	return out
}

// spelling brings an escaped path to the spelling of the table: letter case of
// the literal parts, and no slash at the end. It is false when no route has
// such a path.
func (t *pathTable) spelling(path string) (string, bool) {
	trimmed := strings.TrimSuffix(path, "/")
	n := strings.Count(trimmed, "/")
	for _, r := range t.byLength[n] {
		if r.owns(trimmed) {
			if r.matches(path, func(a, b string) bool { return a == b }) {
				return path, true
			}
			return r.spell(trimmed), true
		}
	}
	return "", false
}

// matches says whether a path has the route's literals and a text for each
// parameter.
func (r *route) matches(path string, same func(a, b string) bool) bool {
	rest := path
	for _, s := range r.segments {
		if rest == "" || rest[0] != '/' {
			return false
		}
		part := rest[1:]
		if end := strings.IndexByte(part, '/'); end >= 0 {
			part = part[:end]
		}
		rest = rest[1+len(part):]
		if part == "" || !s.param && !same(part, s.text) {
			return false
		}
	}
	return rest == ""
}

// owns says whether a path is the route's in any letter case, and no more
// literal route's.
func (r *route) owns(path string) bool {
	if !r.matches(path, strings.EqualFold) {
		return false
	}
	for _, other := range r.before {
		if other.matches(path, strings.EqualFold) {
			return false
		}
	}
	return true
}

// spell writes a matching path with the table's literals.
func (r *route) spell(path string) string {
	parts := strings.Split(path[1:], "/")
	for i, s := range r.segments {
		if !s.param {
			parts[i] = s.text
		}
	}
	return "/" + strings.Join(parts, "/")
}

// mayMatch spares mux the regular expression of routes that cannot match.
func (r *route) mayMatch(method string) mux.MatcherFunc {
	return func(req *http.Request, _ *mux.RouteMatch) bool {
		if req.Method != method {
			return false
		}
		path := req.URL.Path
		if req.URL.RawPath != "" {
			path = req.URL.RawPath
		}
		return r.matches(path, func(a, b string) bool { return a == b }) && (r.before == nil || r.owns(path))
	}
}

// exactly says whether a path is written as the table writes it.
func (t *pathTable) exactly(path string) bool {
	spelt, ok := t.spelling(path)
	return ok && spelt == path
}

// methodsOf lists the methods that a path admits, sorted, for Allow.
func (t *pathTable) methodsOf(path string, s latitude.Settings) []string {
	trimmed := strings.TrimSuffix(path, "/")
	var allow []string
	for _, r := range t.byLength[strings.Count(trimmed, "/")] {
		if r.owns(trimmed) && !r.hidden(s) {
			allow = append(allow, methods(r.Method)...)
		}
	}
	slices.Sort(allow)
	return slices.Compact(allow)
}

func unescape(path string) (string, error) { return url.PathUnescape(path) }

type spellingKey struct{}

// withSpelling remembers the path as the caller wrote it.
func withSpelling(r *http.Request, path string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), spellingKey{}, path))
}

// writtenPath is the escaped path as the caller wrote it.
func writtenPath(r *http.Request) string {
	if p, ok := r.Context().Value(spellingKey{}).(string); ok {
		return p
	}
	return r.URL.EscapedPath()
}

// vars are the path parameters, unescaped.
func vars(r *http.Request) map[string]string {
	v := mux.Vars(r)
	for name, value := range v {
		if strings.IndexByte(value, '%') >= 0 {
			if plain, err := url.PathUnescape(value); err == nil {
				v[name] = plain
			}
		}
	}
	return v
}

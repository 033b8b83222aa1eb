package api

import (
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

// taking makes the matcher of a route: mux asks it in table order. Paths match in
// any letter case, and with a slash at the end.
func (r *route) taking(method string) mux.MatcherFunc {
	return func(req *http.Request, _ *mux.RouteMatch) bool {
		return req.Method == method && r.owns(strings.TrimSuffix(segmented(req), "/"))
	}
}

// segmented is a path whose slashes are all separators: escaped where it has to
// be, plain elsewhere.
func segmented(r *http.Request) string {
	if r.URL.RawPath != "" {
		return r.URL.RawPath
	}
	return r.URL.Path
}

// exactly says whether a path is written as the table writes it.
func (t *pathTable) exactly(path string) bool {
	for _, r := range t.byLength[strings.Count(path, "/")] {
		if r.exactly(path) {
			return true
		}
	}
	return false
}

// exactly says whether a path has the route's literals as they are written.
func (r *route) exactly(path string) bool {
	return r.matches(path, func(a, b string) bool { return a == b })
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

// pathVar is one path parameter, unescaped.
type pathVar struct{ name, value string }

// pathVars are the path parameters of a request to the route, in their order.
func (r *route) pathVars(req *http.Request) []pathVar {
	var list []pathVar
	path := segmented(req)
	for _, s := range r.segments {
		part, rest, _ := strings.Cut(path[1:], "/")
		path = "/" + rest
		if !s.param {
			continue
		}
		if req.URL.RawPath != "" {
			if plain, err := url.PathUnescape(part); err == nil {
				part = plain
			}
		}
		list = append(list, pathVar{name: s.text[1 : len(s.text)-1], value: part})
	}
	return list
}

package control

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/spelling"
)

// segment is one part of a route's path: a literal, or a parameter.
type segment struct {
	text  string
	param bool
}

func segments(path string) []segment {
	var out []segment
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		out = append(out, segment{text: part, param: strings.HasPrefix(part, "{")})
	}
	return out
}

// pathTable knows which methods a path admits.
type pathTable struct{ routes []*route }

func (t *pathTable) add(r *route) {
	r.segments = segments(r.Path)
	t.routes = append(t.routes, r)
}

// methodsOf lists the methods that a path admits, sorted, for Allow.
func (t *pathTable) methodsOf(path string) []string {
	asked := segments(path)
	var allow []string
	for _, r := range t.routes {
		if r.has(asked) {
			allow = append(allow, methods(r.Method)...)
		}
	}
	slices.Sort(allow)
	return slices.Compact(allow)
}

// has says whether a path is the route's.
func (r *route) has(asked []segment) bool {
	return slices.EqualFunc(asked, r.segments, func(a, known segment) bool {
		return a.text != "" && (known.param || a.text == known.text)
	})
}

// nearest is the route whose path differs least from the one asked for; the
// same method wins a draw. Paths that have little in common give none.
func (t *pathTable) nearest(method, path string) *route {
	asked := segments(strings.ToLower(clip(path)))
	var best *route
	least := 2 * (len(path)/2 + 2)
	for _, r := range t.routes {
		d := 2 * pathDistance(asked, r.segments)
		if r.Method != method {
			d++
		}
		if d < least {
			best, least = r, d
		}
	}
	return best
}

// pathDistance counts the letters to change, segment by segment; a parameter
// takes any text.
func pathDistance(asked, known []segment) int {
	total := 0
	for i := range max(len(asked), len(known)) {
		switch {
		case i >= len(asked):
			total += len(known[i].text)
		case i >= len(known):
			total += len(asked[i].text)
		case !known[i].param:
			total += spelling.Edits(asked[i].text, known[i].text)
		}
	}
	return total
}

// trimmed takes a slash off the end of a request's path.
func trimmed(r *http.Request) *http.Request {
	path := r.URL.EscapedPath()
	if len(path) < 2 || !strings.HasSuffix(path, "/") {
		return r
	}
	again, u := *r, *r.URL
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
	again.URL = &u
	return &again
}

// vars are the path parameters, unescaped.
func vars(r *http.Request) map[string]string {
	v := mux.Vars(r)
	for name, value := range v {
		if plain, err := url.PathUnescape(value); err == nil {
			v[name] = plain
		}
	}
	return v
}

// paramTexts say what the path parameters are.
var paramTexts = map[string]openapi.Param{
	"i":      {Example: "default", Description: "The integration's id, or default."},
	"id":     {Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Description: "The id of the entity that is meant."},
	"event":  {Example: "approve", Description: "An event of the entity's state machine."},
	"entity": {Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Description: "The id of the entity, or a company's reference."},
}

// pathParams lists the parameters of a path, in order.
func pathParams(path string) []openapi.Param {
	var list []openapi.Param
	for _, s := range segments(path) {
		if s.param {
			name := strings.Trim(s.text, "{}")
			p := paramTexts[name]
			p.Name, p.In, p.Required = name, "path", true
			list = append(list, p)
		}
	}
	return list
}

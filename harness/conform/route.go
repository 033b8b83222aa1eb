package conform

import (
	"slices"
	"strings"

	"paysandbox/harness/schema"
)

// route is an operation of the document.
type route struct {
	method, template string
	parts            []string
	params           int
	pointer          string
}

// readRoutes lists the operations; of two that fit a path, the one with fewer
// parameters comes first.
func (v *Validator) readRoutes() {
	methods := []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}
	for _, path := range schema.Children(v.doc.Node("/paths")) {
		for _, method := range methods {
			pointer := "/paths/" + schema.Escape(path) + "/" + method
			if v.doc.Node(pointer) == nil {
				continue
			}
			v.routes = append(v.routes, route{
				method: strings.ToUpper(method), template: path, parts: strings.Split(path, "/"),
				params: strings.Count(path, "{"), pointer: pointer,
			})
		}
	}
	slices.SortStableFunc(v.routes, func(a, b route) int { return a.params - b.params })
}

// find gives the operation of a request, nil when the document has none. Paths
// match in any letter case, a slash at the end does not count, and HEAD is GET.
func (v *Validator) find(method, path string) *route {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	if method == "HEAD" {
		method = "GET"
	}
	for i := range v.routes {
		if r := &v.routes[i]; r.method == method && r.fits(parts) {
			return r
		}
	}
	return nil
}

func (r *route) fits(parts []string) bool {
	return slices.EqualFunc(r.parts, parts, func(known, asked string) bool {
		return strings.HasPrefix(known, "{") && asked != "" || strings.EqualFold(known, asked)
	})
}

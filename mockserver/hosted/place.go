package hosted

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/mockserver/world"
)

// place is what the path of a page names: /pages/{integration}/{kind}/{id} and,
// in the portal, what lies below.
type place struct {
	integration, kind, id string
	rest                  []string
}

// readPlace reads a path; a slash at its end does not count. Missing parts are
// empty.
func readPlace(path string) place {
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, Prefix), "/"), "/")
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	return place{integration: parts[0], kind: parts[1], id: parts[2], rest: parts[3:]}
}

// page is one kind of page.
type page struct {
	// kind is the word in the address; rest are the words below, where "" stands
	// for any one word.
	kind string
	rest []string
	// operation names the page on the tape.
	operation string
	// fields are what its form may hold; the rest of a form is not looked at.
	fields []field
	// show answers a look at the page; it changes nothing.
	show func(w *world.World, v *visit) (answer, error)
	// act answers a posted form; nil when the page has no form.
	act func(w *world.World, v *visit) (answer, error)
}

// find gives the page at a place, or nil.
func (h *Hosted) find(at place) *page {
	for _, p := range h.pages {
		if p.kind == at.kind && at.id != "" && p.covers(at.rest) {
			return p
		}
	}
	return nil
}

func (p *page) covers(rest []string) bool {
	return slices.EqualFunc(p.rest, rest, func(pattern, word string) bool {
		return pattern == word || pattern == "" && word != ""
	})
}

// methods are those that the page answers, as they stand in Allow.
func (p *page) methods() string {
	if p.act == nil {
		return "GET, HEAD"
	}
	return "GET, HEAD, POST"
}

func (p *page) admits(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodPost && p.act != nil
}

package door

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/openapi"
)

// Empty is the answer without a body.
type Empty struct{}

// Done makes an endpoint's error-only result an empty answer.
func Done(err error) (Empty, error) { return Empty{}, err }

// Fresh makes what a body is read into.
func Fresh[T any]() any { return new(T) }

// As gives what a body was read into.
func As[T any](body any) *T {
	req, _ := body.(*T)
	return req
}

// NewRow starts an operation; request and response are samples of the bodies, nil
// where there is none.
func NewRow[E any](id, method, path string, endpoint E, request, response any) *Row[E] {
	if _, none := response.(Empty); none {
		response = nil
	}
	row := &Row[E]{Endpoint: endpoint}
	row.ID, row.Method, row.Path, row.Request, row.Response = id, method, path, request, response
	if request != nil {
		row.Fails(http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	return row.Fails(http.StatusUnauthorized)
}

// About says what an operation is for.
func (row *Row[E]) About(tag, summary string) *Row[E] {
	row.Tag, row.Summary = tag, summary
	return row
}

// Again says what comes of the same request sent again.
func (row *Row[E]) Again(what string) *Row[E] {
	row.Repeat = what
	return row
}

// Says adds a longer description.
func (row *Row[E]) Says(description string) *Row[E] {
	row.Description = description
	return row
}

// With adds parameters; one of the path makes 404 possible.
func (row *Row[E]) With(params ...openapi.Param) *Row[E] {
	row.Params = append(row.Params, params...)
	if slices.ContainsFunc(params, func(p openapi.Param) bool { return p.In == "path" }) {
		row.Fails(http.StatusNotFound)
	}
	return row
}

// Fails adds statuses that the operation can answer.
func (row *Row[E]) Fails(statuses ...int) *Row[E] {
	row.Errors = append(row.Errors, statuses...)
	slices.Sort(row.Errors)
	row.Errors = slices.Compact(row.Errors)
	return row
}

// From names the clause that tells of an operation.
func (row *Row[E]) From(clause string) *Row[E] {
	row.Clause = clause
	return row
}

// On sets the surface on which an operation is published.
func (row *Row[E]) On(s openapi.Surface) *Row[E] {
	row.Surface = s
	return row
}

// maxVars is how many parameters a path may have.
const maxVars = 4

// Vars are the parameters of a path, in their order.
type Vars struct {
	names, values [maxVars]string
	n             int
}

// Get gives a parameter, "" when the path has none of the name.
func (v *Vars) Get(name string) string {
	for n := range v.n {
		if v.names[n] == name {
			return v.values[n]
		}
	}
	return ""
}

// Values lists the parameters.
func (v *Vars) Values() []string { return v.values[:v.n] }

// read takes the parameters out of a path that is the operation's.
func (row *Row[E]) read(path string, escaped bool, into *Vars) {
	into.n = 0
	rest := strings.TrimPrefix(path, "/")
	for _, known := range row.words {
		var word string
		word, rest, _ = strings.Cut(rest, "/")
		if !isParam(known) {
			continue
		}
		if plain, err := url.PathUnescape(word); escaped && err == nil {
			word = plain
		}
		into.names[into.n], into.values[into.n] = known[1:len(known)-1], word
		into.n++
	}
}

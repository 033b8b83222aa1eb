package door

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"paysandbox/mockserver/openapi"
)

// Row is one operation of a surface; E is what the surface does for it.
type Row[E any] struct {
	openapi.Operation
	// Endpoint is what the surface does.
	Endpoint E

	words []string
}

// Spelling says how the paths of a surface may be written. A slash at the end
// never counts.
type Spelling struct {
	// AnyCase takes literal words in any letter case.
	AnyCase bool
	// Decoded takes escaped letters for the letters, an escaped slash too.
	Decoded bool
}

// Table finds the operation of a request. gorilla/mux finds the path, of which
// there is one route whatever the methods: so a path with a literal hides one that
// has a parameter in its place, for every method. It tries its routes one after
// another, so the paths of each first word and length are a router of their own.
type Table[E any] struct {
	rows     []*Row[E]
	spelling Spelling
	routers  map[section]*mux.Router
	paths    map[*mux.Route][]*Row[E]
	lookups  sync.Pool
}

// section is what the paths of one router have in common.
type section struct {
	first  string
	length int
}

// lookup is what mux is asked with, used again and again.
type lookup struct {
	req   http.Request
	match mux.RouteMatch
	vars  map[string]string
}

// NewTable makes a table. A path with a literal comes before one that has a
// parameter in its place.
func NewTable[E any](rows []*Row[E], s Spelling) *Table[E] {
	t := &Table[E]{rows: rows, spelling: s, routers: map[section]*mux.Router{}, paths: map[*mux.Route][]*Row[E]{}}
	t.lookups.New = func() any { return &lookup{req: http.Request{URL: &url.URL{}}, vars: map[string]string{}} }
	routes := map[string]*mux.Route{}
	for _, r := range rows {
		r.words = split(r.Path)
		path := t.written(r.Path)
		if routes[path] == nil {
			routes[path] = t.router(path).Path(path)
		}
		t.paths[routes[path]] = append(t.paths[routes[path]], r)
	}
	return t
}

// router gives the router of a path, or starts it.
func (t *Table[E]) router(path string) *mux.Router {
	s := sectionOf(path)
	if t.routers[s] == nil {
		t.routers[s] = mux.NewRouter().SkipClean(true)
	}
	return t.routers[s]
}

func sectionOf(path string) section {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return section{first, strings.Count(path, "/")}
}

func split(path string) []string { return strings.Split(strings.TrimPrefix(path, "/"), "/") }

func isParam(word string) bool { return strings.HasPrefix(word, "{") }

// written is a path as mux knows it.
func (t *Table[E]) written(path string) string {
	if t.spelling.AnyCase {
		return strings.ToLower(path)
	}
	return path
}

// path is a request's path with no slash at its end. Its slashes are all
// separators: it is escaped where it has to be, plain elsewhere.
func (t *Table[E]) path(r *http.Request) string {
	if r.URL.RawPath != "" && !t.spelling.Decoded {
		return strings.TrimSuffix(r.URL.RawPath, "/")
	}
	return strings.TrimSuffix(r.URL.Path, "/")
}

// Find gives the operation of a request, or nil, and all operations of its path
// whatever their methods. It reads the parameters of the path.
func (t *Table[E]) Find(r *http.Request, into *Vars) (found *Row[E], all []*Row[E]) {
	path := t.path(r)
	if all = t.lookUp(t.written(path)); len(all) > 0 {
		all[0].read(path, r.URL.RawPath != "" && !t.spelling.Decoded, into)
	}
	for _, row := range all {
		if answers(row.Method, r.Method) {
			return row, all
		}
	}
	return nil, all
}

// lookUp asks mux for a path.
func (t *Table[E]) lookUp(path string) []*Row[E] {
	router := t.routers[sectionOf(path)]
	if router == nil {
		return nil
	}
	l, _ := t.lookups.Get().(*lookup)
	defer t.lookups.Put(l)
	clear(l.vars)
	l.req.URL.Path, l.match = path, mux.RouteMatch{Vars: l.vars}
	if !router.Match(&l.req, &l.match) {
		return nil
	}
	return t.paths[l.match.Route]
}

// answers says whether an operation takes a method: HEAD wherever GET is.
func answers(method, asked string) bool {
	return asked == method || asked == http.MethodHead && method == http.MethodGet
}

// Allow lists the methods of operations, sorted, as they stand in the header.
func Allow[E any](rows []*Row[E]) []string {
	var allow []string
	for _, row := range rows {
		allow = append(allow, row.Method)
		if row.Method == http.MethodGet {
			allow = append(allow, http.MethodHead)
		}
	}
	slices.Sort(allow)
	return slices.Compact(allow)
}

// Written says whether a request's path is spelt as the operation's is.
func (row *Row[E]) Written(r *http.Request) bool {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	words := split(path)
	return slices.EqualFunc(words, row.words, func(given, known string) bool {
		return given != "" && (given == known || isParam(known))
	})
}

// Rows lists the operations, in table order.
func (t *Table[E]) Rows() []*Row[E] { return t.rows }

// Operations describes them, in table order.
func (t *Table[E]) Operations() []openapi.Operation {
	ops := make([]openapi.Operation, 0, len(t.rows))
	for _, r := range t.rows {
		ops = append(ops, r.Operation)
	}
	return ops
}

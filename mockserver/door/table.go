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

// Options say how the paths of a surface may be written, and how it refuses others.
// A slash at the end never counts.
type Options struct {
	// AnyCase takes literal words in any letter case.
	AnyCase bool
	// Decoded takes escaped letters for the letters, an escaped slash too.
	Decoded bool
	// Noun is what the surface calls an operation, and Docs where they are listed.
	Noun, Docs string
}

// Table finds the operation of a request. gorilla/mux finds the path, of which
// there is one route whatever the methods: so a path with a literal hides one that
// has a parameter in its place, for every method.
type Table[E any] struct {
	rows []*Row[E]
	opts Options
	// lengths are the routes of the paths with so many words: no path is another's
	// that has more words or fewer.
	lengths map[int]*routes[E]
	// literals are the words of the paths, of which the longest has so many bytes.
	literals map[string]bool
	longest  int
}

// routes are those of the paths with one number of words.
type routes[E any] struct {
	rows []*Row[E]
	// made is when the routes were: by the first request for one of them, because each
	// is a compiled expression, and a process has many that nobody ever asks for.
	made   sync.Once
	router *mux.Router
	paths  map[*mux.Route][]*Row[E]
	// known is what mux has answered for each path with other words in the places of
	// its parameters.
	known map[string][]*Row[E]
}

// NewTable makes a table. A path with a literal comes before one that has a
// parameter in its place.
func NewTable[E any](rows []*Row[E], o Options) *Table[E] {
	t := &Table[E]{rows: rows, opts: o, lengths: map[int]*routes[E]{}, literals: map[string]bool{}}
	for _, r := range rows {
		r.words = split(r.Path)
		if t.lengths[len(r.words)] == nil {
			t.lengths[len(r.words)] = &routes[E]{}
		}
		of := t.lengths[len(r.words)]
		of.rows = append(of.rows, r)
		for _, word := range split(t.written(r.Path)) {
			t.literals[word], t.longest = !isParam(word), max(t.longest, len(word))
		}
	}
	return t
}

// route makes a route of each path, and asks for those that have a row.
func (t *Table[E]) route(of *routes[E]) {
	of.router, of.paths, of.known = mux.NewRouter().SkipClean(true), map[*mux.Route][]*Row[E]{}, map[string][]*Row[E]{}
	made := map[string]*mux.Route{}
	for _, r := range of.rows {
		path := t.written(r.Path)
		if made[path] == nil {
			made[path] = of.router.Path(path)
		}
		of.paths[made[path]] = append(of.paths[made[path]], r)
	}
	for _, r := range of.rows {
		shape := string(t.shape(nil, r.Path))
		of.known[shape] = of.ask(shape)
	}
}

func split(path string) []string { return strings.Split(strings.TrimPrefix(path, "/"), "/") }

func isParam(word string) bool { return strings.HasPrefix(word, "{") }

// shape writes a path with "-" for each word that is none of the table's. mux
// answers all paths of a shape alike.
func (t *Table[E]) shape(into []byte, path string) []byte {
	for word := range strings.SplitSeq(path[1:], "/") {
		if into = append(into, '/'); len(word) > t.longest {
			into = append(into, '-')
			continue
		}
		at := len(into)
		into = append(into, word...)
		for n := at; t.opts.AnyCase && n < len(into); n++ {
			if 'A' <= into[n] && into[n] <= 'Z' {
				into[n] |= 0x20
			}
		}
		if word != "" && !t.literals[string(into[at:])] {
			into = append(into[:at], '-')
		}
	}
	return into
}

// written is a path as mux knows it.
func (t *Table[E]) written(path string) string {
	if t.opts.AnyCase {
		return strings.ToLower(path)
	}
	return path
}

// path is a request's path with no slash at its end. Its slashes are all
// separators: it is escaped where it has to be, plain elsewhere.
func (t *Table[E]) path(r *http.Request) string {
	if r.URL.RawPath != "" && !t.opts.Decoded {
		return strings.TrimSuffix(r.URL.RawPath, "/")
	}
	return strings.TrimSuffix(r.URL.Path, "/")
}

// Find gives the operation of a request, or nil, and all operations of its path
// whatever their methods. It reads the parameters of the path.
func (t *Table[E]) Find(r *http.Request, into *Vars) (found *Row[E], all []*Row[E]) {
	path := t.path(r)
	if all = t.lookUp(path); len(all) > 0 {
		all[0].read(path, r.URL.RawPath != "" && !t.opts.Decoded, into)
	}
	for _, row := range all {
		if answers(row.Method, r.Method) {
			return row, all
		}
	}
	return nil, all
}

// lookUp gives the operations of a path.
func (t *Table[E]) lookUp(path string) []*Row[E] {
	var buf [128]byte
	if !strings.HasPrefix(path, "/") {
		return nil
	}
	of := t.lengths[strings.Count(path, "/")]
	if of == nil {
		return nil
	}
	of.made.Do(func() { t.route(of) })
	if rows, ok := of.known[string(t.shape(buf[:0], path))]; ok {
		return rows
	}
	return of.ask(t.written(path))
}

// ask asks mux.
func (t *routes[E]) ask(path string) []*Row[E] {
	var match mux.RouteMatch
	if !t.router.Match(&http.Request{URL: &url.URL{Path: path}}, &match) {
		return nil
	}
	return t.paths[match.Route]
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

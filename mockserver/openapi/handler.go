package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi/viewer"
	"paysandbox/mockserver/wire"
)

// file is a text that is served: its bytes, media type and entity tag.
type file struct {
	body        []byte
	media, etag string
}

func newFile(body []byte, media string) file {
	sum := sha256.Sum256(body)
	return file{body: body, media: media, etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// Site serves descriptions and the page that shows them.
type Site struct {
	base      string
	described func(*http.Request) (Info, []Operation, bool)
	kept      *Kept
}

// Following serves the description of an API below base: openapi.json, openapi.yaml,
// and the page docs with its assets. Nothing is built before it is asked for the first
// time. Answers carry an entity tag, so that a reader who asks again is spared the bytes.
// It answers GET and HEAD.
//
// The description follows the choices of whom a request is about: described tells of it,
// and says false where there is nobody like that. What has the same version, choices and
// operations is described once, by all sites that share what is kept.
func Following(base string, kept *Kept, described func(*http.Request) (Info, []Operation, bool)) *Site {
	return &Site{base: base, kept: kept, described: described}
}

// ServeHTTP answers one request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuseMethod(w, r)
		return
	}
	path, below := strings.CutPrefix(r.URL.Path, s.base)
	asset, isAsset := strings.CutPrefix(path, "/docs/")
	info, ops, known := s.described(r)
	switch {
	case !below || !known:
		http.NotFound(w, r)
	case path == "/openapi.json":
		serve(w, r, func() (file, error) { return s.kept.of(info, ops).json() })
	case path == "/openapi.yaml":
		serve(w, r, func() (file, error) { return s.kept.of(info, ops).yaml() })
	case path == "/docs" || path == "/docs/":
		w.Header().Set("Content-Security-Policy", viewer.Policy)
		serve(w, r, func() (file, error) { return page(info, s.kept.of(info, ops)) })
	case isAsset:
		body, media, known := viewer.File(asset)
		if !known {
			http.NotFound(w, r)
			return
		}
		serve(w, r, func() (file, error) { return newFile(body, media), nil })
	default:
		http.NotFound(w, r)
	}
}

// refuseMethod refuses as the operations do that are described.
func refuseMethod(w http.ResponseWriter, r *http.Request) {
	e := &kernel.Error{Code: kernel.MethodNotAllowed, Detail: r.Method + " is not a method of " + r.URL.Path + "; use GET or HEAD"}
	status := wire.Status(e.Code)
	w.Header().Set("Allow", "GET, HEAD")
	w.Header().Set("Content-Type", wire.ProblemType)
	w.WriteHeader(status)
	_, _ = w.Write(wire.Append(nil, wire.NewProblem(e, status, r.URL.Path, ""), wire.Shape{}))
}

// JSON is the description under an info, as openapi.json has it. The bytes are not to
// be changed.
func (s *Site) JSON(info Info, ops []Operation) ([]byte, error) {
	f, err := s.kept.of(info, ops).json()
	return f.body, err
}

// page shows a description, with what the info says of the integration it is about.
func page(info Info, d *description) (file, error) {
	f, err := d.json()
	if err != nil {
		return file{}, err
	}
	o := viewer.Options{Base: info.Base, Integration: "default", Environment: info.TryEnvironment, ClientID: info.TryID, ClientSecret: info.TrySecret}
	if info.Integration != "" {
		o.Integration, o.Query = info.Integration, "?integration="+url.QueryEscape(info.Integration)
	}
	d.shown.mu.Lock() // one page is written at a time, and all who ask for it share it
	defer d.shown.mu.Unlock()
	if d.shown.page.body != nil && d.shown.of == o {
		return d.shown.page, nil
	}
	body, err := viewer.Page(f.body, o)
	d.shown.of, d.shown.page = o, newFile(body, "text/html; charset=utf-8")
	return d.shown.page, err
}

// shown is the page of a description that was asked for last.
type shown struct {
	mu   sync.Mutex
	of   viewer.Options
	page file
}

// mostKept is how many descriptions are kept, with a page of each: some 10 MB.
const mostKept = 8

// Kept are the descriptions of one API that were asked for last, the newest at the end.
// The zero value keeps none yet.
type Kept struct {
	mu   sync.Mutex
	list []*description
}

// description is one document, written when it is asked for.
type description struct {
	of         subject
	json, yaml func() (file, error)
	shown      shown
}

// subject is what descriptions of one API differ by.
type subject struct {
	version, operations string
	choices             latitude.Settings
}

func subjectOf(info *Info, ops []Operation) subject {
	ids := make([]string, len(ops))
	for i := range ops {
		ids[i] = ops[i].ID
	}
	return subject{info.Version, strings.Join(ids, " "), info.Choices}
}

func (k *Kept) of(info Info, ops []Operation) *description {
	of := subjectOf(&info, ops)
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.list, func(d *description) bool { return d.of == of }); i >= 0 {
		d := k.list[i]
		k.list = append(slices.Delete(k.list, i, i+1), d)
		return d
	}
	d := &description{of: of}
	d.json = sync.OnceValues(func() (file, error) {
		body, err := Document(info, ops)
		return newFile(body, mediaJSON), err
	})
	d.yaml = sync.OnceValues(func() (file, error) {
		f, err := d.json()
		if err != nil {
			return file{}, err
		}
		body, err := YAML(f.body)
		return newFile(body, "application/yaml"), err
	})
	if len(k.list) == mostKept {
		k.list = slices.Delete(k.list, 0, 1)
	}
	k.list = append(k.list, d)
	return d
}

// serve sends a file, or says that the reader has it already.
func serve(w http.ResponseWriter, r *http.Request, make func() (file, error)) {
	f, err := make()
	if err != nil {
		http.Error(w, "the document cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("ETag", f.etag)
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Authorization")
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

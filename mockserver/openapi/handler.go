package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"time"
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

// site serves one document and its page.
type site struct {
	base string
	json func() (file, error)
	yaml func() (file, error)
	page func() (file, error)
}

// Handler serves the document of an API below info.Base: openapi.json,
// openapi.yaml, and the page docs with its assets. Nothing is built before it is
// asked for the first time. Answers carry an entity tag, so that a reader who
// asks again is spared the bytes. It answers GET and HEAD.
func Handler(info Info, ops []Operation) http.Handler {
	document := sync.OnceValues(func() ([]byte, error) { return Document(info, ops) })
	return &site{
		base: info.Base,
		json: sync.OnceValues(func() (file, error) {
			body, err := document()
			return newFile(body, mediaJSON), err
		}),
		yaml: sync.OnceValues(func() (file, error) {
			body, err := document()
			if err != nil {
				return file{}, err
			}
			body, err = YAML(body)
			return newFile(body, "application/yaml"), err
		}),
		page: sync.OnceValues(func() (file, error) { return docsPage(info.described()) }),
	}
}

// ServeHTTP answers one request.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the document is read with GET", http.StatusMethodNotAllowed)
		return
	}
	path, below := strings.CutPrefix(r.URL.Path, s.base)
	switch {
	case !below:
		http.NotFound(w, r)
	case path == "/openapi.json":
		serve(w, r, s.json)
	case path == "/openapi.yaml":
		serve(w, r, s.yaml)
	case path == "/docs" || path == "/docs/":
		w.Header().Set("Content-Security-Policy", docsPolicy)
		serve(w, r, s.page)
	default:
		serveAsset(w, r, strings.TrimPrefix(path, "/docs/"))
	}
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
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

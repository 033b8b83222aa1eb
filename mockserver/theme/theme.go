// Package theme owns how paysandbox looks to people: the tokens of colour, type
// and spacing, light and dark, the components made of them, and the mark, as one
// stylesheet that the hosted pages, the documentation and the console share. It
// knows nothing of what they show.
//
// A page takes Head into its head and Brand into its header; everything else is
// a class of theme.css, which lists them. The page's content policy needs
// style-src 'self' and img-src 'self', and no inline style.
package theme

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"html/template"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// Prefix begins the path of every file of the theme.
const Prefix = "/theme/"

//go:embed theme.css
var style string

//go:embed mark.svg
var mark string

// file is one file under its digest-named address.
type file struct{ address, media, body string }

func newFile(name, media, body string) file {
	sum := sha256.Sum256([]byte(body))
	return file{Prefix + hex.EncodeToString(sum[:8]) + "-" + name, media, body}
}

// files are the stylesheet and the mark.
var files = sync.OnceValue(func() [2]file {
	return [2]file{newFile("theme.css", "text/css; charset=utf-8", style), newFile("mark.svg", "image/svg+xml", mark)}
})

// Stylesheet is the address of the stylesheet; it changes with its bytes.
func Stylesheet() string { return files()[0].address }

// Style is the stylesheet itself, for a page that is kept as one file.
func Style() template.CSS {
	return template.CSS(style) //nolint:gosec // G203: the embedded file.
}

// Head is what a page's head holds: viewport, colour schemes, stylesheet, icon.
func Head() template.HTML {
	f := files()
	return template.HTML(`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n" + //nolint:gosec // G203: made of constants.
		`<meta name="color-scheme" content="light dark">` + "\n" +
		`<link rel="stylesheet" href="` + f[0].address + `">` + "\n" +
		`<link rel="icon" type="image/svg+xml" href="` + f[1].address + `">`)
}

// Brand is the mark and the name, for a header; a link or a span goes around it.
func Brand() template.HTML {
	return template.HTML(`<span class="brand">` + Mark() + `<span class="brand-name">paysandbox</span></span>`) //nolint:gosec // G203: made of constants.
}

// Mark is the mark alone, as an element that readers for the blind pass over.
func Mark() template.HTML {
	return template.HTML(mark) //nolint:gosec // G203: the embedded file.
}

// Handler serves the files. Their addresses name their digests, so they are kept
// for a year; any other address is a 404.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the files of the theme are read with GET", http.StatusMethodNotAllowed)
			return
		}
		for _, f := range files() {
			if r.URL.Path == f.address {
				Serve(w, r, f.media, f.body)
				return
			}
		}
		http.NotFound(w, r)
	})
}

// Serve answers GET and HEAD of an address that names its body's digest, and so is kept
// for a year.
func Serve(w http.ResponseWriter, r *http.Request, media, body string) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'")
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, body)
	}
}

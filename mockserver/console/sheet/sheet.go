// Package sheet owns what the console's pages are written with: the templates, the
// scripts and the stylesheet beside the theme's, and the content policy that they
// are served under.
//
// htmx.min.js, hx-sse.min.js and hx-csp.min.js are htmx.org 4.0.1 as npm has it
// (Zero-Clause BSD); a test holds their digests. The package knows how a page looks,
// and must not know where what it shows comes from.
package sheet

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/theme"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*.js assets/*.css
var assets embed.FS

// AssetsPrefix begins the path of the scripts and the stylesheet.
const AssetsPrefix = "/console/-/assets/"

// media are the types of the assets by the endings of their names.
var media = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// asset is one embedded file under its digest-named address.
type asset struct{ address, media, body string }

// scripts is what the one script of the pages is made of, in this order. htmx begins its
// work as soon as the script that brings it has ended: in files of their own, what
// listens to it and what extends it could come too late.
var scripts = []string{"console.js", "htmx.min.js", "hx-csp.min.js", "hx-sse.min.js"}

// files are the assets by name, read when the first page is shown.
var files = sync.OnceValue(func() map[string]asset {
	all := map[string]asset{}
	for name, parts := range map[string][]string{"console.css": {"console.css"}, "console.js": scripts} {
		var body []byte
		for _, part := range parts {
			text, err := assets.ReadFile("assets/" + part)
			if err != nil {
				panic("sheet: " + err.Error())
			}
			body = append(append(body, text...), '\n')
		}
		sum := sha256.Sum256(body)
		all[name] = asset{AssetsPrefix + hex.EncodeToString(sum[:8]) + "/" + name, media[path.Ext(name)], string(body)}
	}
	return all
})

// Asset is the address of an asset; it changes with its bytes.
func Asset(name string) string { return files()[name].address }

// ServeAsset answers with an asset, or 404.
func ServeAsset(w http.ResponseWriter, r *http.Request) {
	a, ok := files()[path.Base(r.URL.Path)]
	if !ok || a.address != r.URL.Path {
		http.NotFound(w, r)
		return
	}
	theme.Serve(w, r, a.media, a.body)
}

// Policy is the Content-Security-Policy of a page whose scripts bear the nonce:
// nothing from elsewhere, no inline script or style, no eval, no frame around it.
func Policy(nonce string) string {
	return "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types htmx"
}

// functions are what templates call.
func functions() template.FuncMap {
	return template.FuncMap{
		"asset":  Asset,
		"head":   theme.Head,
		"brand":  theme.Brand,
		"short":  Short,
		"words":  strings.Fields,
		"lines":  func(s string) []string { return strings.Split(s, "\n") },
		"add":    func(a, b int) int { return a + b },
		"search": func(says, text, label string) search { return search{says, text, label} },
		"when":   func(nanos int64) string { return time.Unix(0, nanos).UTC().Format(time.DateTime) },
		"moment": func(nanos int64) string { return time.Unix(0, nanos).UTC().Format(time.RFC3339Nano) },
	}
}

// search is what the form of a search holds: what it says that it searches, what is searched
// for, and the label that stays.
type search struct{ Says, Text, Label string }

// Short is the beginning of an id, enough to tell it from others by eye.
func Short(id string) string {
	const shown = 8
	if len(id) == 36 {
		return id[:shown]
	}
	return id
}

// pages are the parsed templates by name, parsed when a page is first asked for.
var pages = sync.OnceValue(func() map[string]*template.Template {
	frame := template.Must(template.New("layout.html").Funcs(functions()).ParseFS(templates, "templates/layout.html", "templates/parts.html"))
	all := map[string]*template.Template{"parts": frame}
	names, _ := fs.Glob(templates, "templates/*.html")
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name != "layout" && name != "parts" {
			all[name] = template.Must(template.Must(frame.Clone()).ParseFS(templates, file))
		}
	}
	return all
})

// Page writes a page in its frame.
func Page(name string, data any) ([]byte, error) { return execute(name, "layout.html", data) }

// Part writes one of the parts that pages are made of.
func Part(name string, data any) ([]byte, error) { return execute("parts", name, data) }

func execute(page, name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := pages()[page].ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

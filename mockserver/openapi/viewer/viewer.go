// Package viewer shows an OpenAPI document as a page that people read, and on which
// they try each operation: the page plays what the document says in x-try. It knows
// the document alone, not the API, and answers no calls of it.
package viewer

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"sync"

	"paysandbox/mockserver/openapi/tree"
	"paysandbox/mockserver/theme"
)

//go:embed page.html
var pageHTML string

//go:embed page.js
var script []byte

//go:embed page.css
var style []byte

// Policy is the content policy of the page: it loads nothing from elsewhere, and runs
// no script but its own file.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Options are what the page knows besides the document.
type Options struct {
	// Base is the path below which the page's files and the document are served.
	Base string
	// Integration is the integration that examples are tried in, and Query what names it
	// in the document's address, "" or "?integration=…".
	Integration, Query string
	// Environment is that integration's; examples leave out what only another one needs.
	Environment string
	// ClientID and ClientSecret are credentials that need not be typed; empty where they
	// are secret.
	ClientID, ClientSecret string
}

// File is a file of the page: "page.js" or "page.css", with its media type; false for
// another.
func File(name string) (body []byte, media string, known bool) {
	switch name {
	case "page.js":
		return script, "text/javascript; charset=utf-8", true
	case "page.css":
		return style, "text/css; charset=utf-8", true
	}
	return nil, "", false
}

var pages = sync.OnceValues(func() (*template.Template, error) {
	return template.New("docs").Funcs(template.FuncMap{"head": theme.Head, "brand": theme.Brand, "text": markdown}).Parse(pageHTML)
})

// Page is the page of a document. Errors: bytes that are no JSON.
func Page(document []byte, o Options) ([]byte, error) {
	t, err := pages()
	if err != nil {
		return nil, fmt.Errorf("read the page's template: %w", err)
	}
	d, err := tree.Parse(document)
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	r := reader{d, o.Environment}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{
		"Options": o, "Title": r.text("info", "title"), "Version": r.text("info", "version"), "Description": r.text("info", "description"),
		"Token": r.text("components", "securitySchemes", "bearerAuth", "description"), "Groups": r.groups(), "Events": r.events(), "Schemas": r.schemas(),
	}); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	return b.Bytes(), nil
}

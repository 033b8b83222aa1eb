package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// filled makes integrations whose tapes are long, and gives their ids.
func (a *attacked) filled(t *testing.T, integrations, payments int) (ids []string) {
	t.Helper()
	var tokens []string
	for range integrations {
		id, token := a.another(t)
		ids, tokens = append(ids, id), append(tokens, token)
	}
	note := strings.Repeat("n", 20_000)
	each(payments, 8, func(n int) {
		a.post(t, "/Payment/Create", tokens[n%integrations], strings.NewReader(fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177","metadata":{"note":%q}}`, n+1, note)))
	})
	return ids
}

// casesOfEmptyThings opens, in a sandbox that is a quarter full, files in the console that
// are short for what they make: lists of a great many empty things.
func casesOfEmptyThings(t *testing.T, a *attacked) string {
	t.Helper()
	a.filled(t, 4, 3000)
	browser, token := a.opensFiles(t)
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	told := &statuses{}
	for _, kind := range [][3]string{
		{`{"log":{"version":"1.2","entries":[{}`, `,{}`, `]}}`},
		{`{"log":{"version":"1.2","entries":[[]`, `,[]`, `]}}`},
		{`{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{}`, `,{"request":{"url":"http://a/"}}`, `]}`},
		{"method,url,status\n", ",", "\n"},
		{"", `{"a":`, ""},
	} {
		file := kind[0] + strings.Repeat(kind[1], (16<<20-10_000-len(kind[0]))/len(kind[1])) + kind[2]
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		require.NoError(t, w.WriteField("csrf", token))
		part, err := w.CreateFormFile("file", "a.txt")
		require.NoError(t, err)
		_, _ = io.WriteString(part, file)
		require.NoError(t, w.Close())
		for range 2 {
			res, err := browser.Post(a.BaseURL+"/console/-/file", w.FormDataContentType(), bytes.NewReader(form.Bytes()))
			if err != nil { // answered and closed before everything was sent
				told.add(0)
				continue
			}
			told.add(res.StatusCode)
			require.NoError(t, res.Body.Close())
		}
	}
	return told.String()
}

// screensOfMany opens every screen of integrations that fill the memory, has all of them
// judged, and ends the sandbox meanwhile.
func screensOfMany(t *testing.T, a *attacked) string {
	t.Helper()
	ids := a.filled(t, 14, 16_000)
	told := &statuses{}
	for _, screen := range []string{"readiness", "problems", "entities", "deliveries", "inbox", "world", "trouble", "journeys", "readiness"} {
		each(len(ids), 8, func(n int) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.BaseURL+"/console/"+ids[n]+"/"+screen, http.NoBody)
			require.NoError(t, err)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			told.add(res.StatusCode)
		})
	}
	return told.String()
}

// endsInTime asks a sandbox to end, and gives how long it took.
func (a *attacked) endsInTime(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	require.NoError(t, syscall.Kill(a.PID, syscall.SIGTERM))
	require.NoError(t, a.cmd.Wait())
	return time.Since(began).Round(10 * time.Millisecond)
}

// manyReports is a folder of sixty reports of a mebibyte each, half of it values that this
// program does not know.
func manyReports(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	first := filepath.Join(dir, "0.json")
	said, err := exec.CommandContext(t.Context(), program, "verify", "--clauses", "company.list", "--format", "json="+first).CombinedOutput()
	require.NoError(t, err, string(said))
	report, err := os.ReadFile(first)
	require.NoError(t, err)
	begin := bytes.TrimSuffix(bytes.TrimSpace(report), []byte("}"))
	for n := range 60 {
		text := fmt.Sprintf(`%s,"x%d":[0%s]}`, begin, n, strings.Repeat(",0", 1<<19))
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", n)), []byte(text), 0o600))
	}
	return dir
}

// reportsRead reads all of them while the memory is full.
func reportsRead(t *testing.T, a *attacked) string {
	t.Helper()
	id := a.filled(t, 14, 16_000)[0]
	told := &statuses{}
	each(40, 8, func(int) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.BaseURL+"/console/"+id+"/readiness", http.NoBody)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if told.add(res.StatusCode); !bytes.Contains(text, []byte("/console/-/reports/")) {
			t.Error("no report is shown")
		}
	})
	return told.String()
}

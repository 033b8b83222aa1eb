package verify_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/features"
	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/verify"
	"paysandbox/mockserver/mocktest"
)

// today is when every run of these tests takes place.
func today() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// target runs a sandbox and plans a run against it.
func target(tb testing.TB, clauses string) verify.Plan {
	tb.Helper()
	return planned(tb, mocktest.Start(tb, mocktest.Options{}).URL, clauses)
}

// planned plans a run against an address.
func planned(tb testing.TB, at, clauses string) verify.Plan {
	tb.Helper()
	f, err := clause.ParseClauses(clauses)
	require.NoError(tb, err)
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	tb.Cleanup(transport.CloseIdleConnections)
	return verify.Plan{HTTP: &http.Client{Transport: timeless{transport}}, Features: features.FS(), BaseURL: at, Target: "target", Clauses: f, Seed: 1, Now: today, Tool: "paysandbox", Version: "test"}
}

// timeless hides that servers tell the real time while a run is always today.
type timeless struct{ next http.RoundTripper }

func (t timeless) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(req)
	if err == nil {
		if res.Header.Get("Sandbox-Time") == "" { // the wall clock's: it would make each report another one
			res.Header.Del("Date")
		}
	}
	return res, err
}

// ran runs a plan that is to be judged.
func ran(tb testing.TB, p verify.Plan) report.Report {
	tb.Helper()
	r, err := verify.Run(tb.Context(), p)
	require.NoError(tb, err)
	return r
}

// spoiled stands in front of a sandbox and changes the bodies of its answers.
func spoiled(tb testing.TB, change func(path string, body []byte) []byte) string {
	tb.Helper()
	sandbox := mocktest.Start(tb, mocktest.Options{})
	to, err := url.Parse(sandbox.URL)
	require.NoError(tb, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(res *http.Response) error {
			raw, err := io.ReadAll(res.Body)
			raw = change(res.Request.URL.Path, raw)
			res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
			res.Header.Set("Content-Length", strconv.Itoa(len(raw)))
			return err
		},
	}
	server := httptest.NewServer(proxy)
	tb.Cleanup(server.Close)
	return server.URL
}

// replacing spoils answers of a path by replacing text.
func replacing(path, old, by string) func(string, []byte) []byte {
	return func(at string, body []byte) []byte {
		if !strings.HasSuffix(at, path) {
			return body
		}
		return bytes.ReplaceAll(body, []byte(old), []byte(by))
	}
}

// clauseOf finds a clause in a report.
func clauseOf(tb testing.TB, r report.Report, id string) report.ClauseResult {
	tb.Helper()
	for _, c := range r.Clauses {
		if c.ID == id {
			return c
		}
	}
	require.Fail(tb, "the report does not have "+id)
	return report.ClauseResult{}
}

// feature makes features of one scenario with these steps, many times.
func feature(times int, steps ...string) fstest.MapFS {
	var b strings.Builder
	b.WriteString("@area:companies\nFeature: Made up\n\n  @clause:company.list\n  Rule: Made up\n")
	for i := range times {
		fmt.Fprintf(&b, "\n    Scenario: Number %d\n", i)
		for _, s := range steps {
			b.WriteString("      " + s + "\n")
		}
	}
	return fstest.MapFS{"made/up.feature": {Data: []byte(b.String())}}
}

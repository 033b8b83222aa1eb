package mockserver_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/tape"
)

// FuzzRequest lets strangers, partners and people ask anything at all: whatever a request's
// line, headers, cookies and body say, it is answered, and never with an error of ours. Who
// asks has gone already, so that nobody waits. CALLER stands for a good token.
func FuzzRequest(f *testing.F) {
	for _, text := range []string{
		"GET /Payment/1/Status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer CALLER\r\n\r\n",
		"GET /Payment/List?cursor=eyJ&pageSize=9223372036854775808&startDate=2026-02-30 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer CALLER\r\n\r\n",
		"POST /Authentication/Token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n{\"clientId\":\"c\",\"clientSecret\":\"s\"}\n",
		"POST /Company/Create HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer CALLER\r\nIdempotency-Key: \xff\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"name\":\"a\"}\n",
		"GET /console/default/stream?screen=live&since=0&of=x HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 99999999999999999999\r\n\r\n",
		"POST /console/-/file HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: 113\r\n\r\n--a\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nx\r\n--a\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n{\r\n--a--",
		"GET /console/default/entries/1 HTTP/1.1\r\nHost: localhost\r\nCookie: paysandbox_console_x=look-a.b; a\r\nSec-Fetch-Site: cross-site\r\nOrigin: null\r\n\r\n",
		"POST /console/default/do HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 31\r\n\r\nmethod=POST&path=/reset&csrf=%2",
		"GET /_sandbox/integrations/default/tape?wait=9s&since=-1&kind=x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: a, b\r\n\r\n",
		"GET /_sandbox/integrations/default/enough?label=%00&wait=1s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"POST /_sandbox/integrations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 33\r\n\r\n{\"from\":\"default/../x\",\"seed\":-1}",
		"PUT /_sandbox/integrations/default/snapshots/a%2fb HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nPSZ\x01",
		"GET /p/AAAA/..%2f HTTP/1.1\r\nHost: evil.example\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
		"GET http://other.example/Payment/List HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		f.Add([]byte(text))
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	var s *mockserver.Server
	var token string
	asked := 0
	begin := func(t *testing.T) {
		t.Helper()
		if asked++; s != nil && asked%500 != 0 { // what they make stays small
			return
		}
		if s != nil {
			s.Registry().Close()
		}
		o := rehearsalOptions(6)
		o.Integration.Tape = tape.Limits{Entries: 100, Bytes: 1 << 20}
		s = still(t, o)
		token = strings.TrimPrefix(newCaller(s, s.Registry().Default()).token, "Bearer ")
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		begin(t)
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.ReplaceAll(string(text), "CALLER", token))))
		if err != nil {
			return // it does not come so far
		}
		r.RemoteAddr = "127.0.0.1:9"
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r.WithContext(gone))
		require.True(t, w.Code < 500 || w.Code == http.StatusNotImplemented || w.Code == http.StatusServiceUnavailable, "%d: %s", w.Code, w.Body)
		_, _ = io.Copy(io.Discard, r.Body)
	})
}

// FuzzServerLoad: whatever the file says that an integration is made from, it is read or
// refused, and told in few words why.
func FuzzServerLoad(f *testing.F) {
	s := still(f, rehearsalOptions(6))
	f.Cleanup(s.Registry().Close)
	first := "{\"tape\":1,\"seed\":1,\"start\":\"2026-03-02T17:00:00Z\"}\n"
	for _, text := range []string{
		first, first + `{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"control","exchange":{"method":"POST","path":"/_sandbox/integrations/default/clock/advance","request":{"body":{"by":"24h"}}}}`,
		first + `{"seq":18446744073709551615,"at":"-0001-03-02T17:00:00Z","kind":"clock"}`, first + `{"seq":1,"at":"9999-12-31T23:59:59Z","kind":"exchange","exchange":{"method":"POST","path":"/Authentication/Token"}}`,
		first + strings.Repeat("[", 1000), `{"tape":-1}`, "",
	} {
		f.Add([]byte(text))
	}
	f.Add(s.Registry().Default().Snapshot().Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		made, err := s.Load(t.Context(), file)
		require.NotEqual(t, err == nil, made == nil)
		if err != nil {
			require.Less(t, len(err.Error()), 2000)
		}
	})
}

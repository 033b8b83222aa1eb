package mockserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/theme"
)

// TestAttackForeignHost: a web page can give its own name the address
// 127.0.0.1, and the credentials there are well known.
func TestAttackForeignHost(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		loopback bool
		host     string
		want     int
	}{
		{true, "127.0.0.1:8484", http.StatusOK},
		{true, "localhost", http.StatusOK},
		{true, "[::1]:8484", http.StatusOK},
		{true, "evil.example:8484", http.StatusForbidden},
		{true, "192.0.2.7", http.StatusForbidden},
		{true, "127.0.0.1.evil.example", http.StatusForbidden},
		{false, "sandbox.example.com", http.StatusOK},
	} {
		s, err := mockserver.New(mockserver.Options{
			Loopback: row.loopback, Integration: integration.Options{ClientID: "c", ClientSecret: "s", Clock: integration.Manual},
		})
		require.NoError(t, err)
		for path, body := range map[string]string{"/Authentication/Token": `{"clientId":"c","clientSecret":"s"}`, "/docs": ""} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
			if body == "" {
				r.Method = http.MethodGet
			}
			r.Header.Set("Content-Type", "application/json")
			r.Host = row.host
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			require.Equal(t, row.want, w.Code, "%+v %s", row, path)
		}
	}
}

// TestAttackForwardedHeaders looks at where a hosted page is
// said to be.
func TestAttackForwardedHeaders(t *testing.T) {
	t.Parallel()
	for behind, want := range map[bool]string{false: "http://127.0.0.1/", true: "https://pay.example.com/"} {
		s, err := mockserver.New(mockserver.Options{BehindProxy: behind, Integration: integration.Options{Clock: integration.Manual}})
		require.NoError(t, err)
		c := newCaller(s, s.Registry().Default())
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/User/Register", strings.NewReader(`{"redirectUrl":"https://p.co"}`))
		r.Host = "127.0.0.1"
		r.Header.Set("Authorization", c.token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-Host", "pay.example.com")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.Contains(t, w.Body.String(), want)
	}
}

// TestAttackFiguresAndDescription where strangers can call.
func TestAttackFiguresAndDescription(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/metrics", "/docs", "/openapi.json", "/openapi.yaml"} {
		s, err := mockserver.New(mockserver.Options{ControlToken: "hush", Integration: integration.Options{Clock: integration.Manual}})
		require.NoError(t, err)
		for want, prepare := range map[int][]func(*http.Request){
			http.StatusUnauthorized: {
				func(*http.Request) {},
				func(r *http.Request) { r.Header.Set("Authorization", "Bearer wrong") },
				func(r *http.Request) { r.Header.Set("Authorization", "hush") },
				func(r *http.Request) { r.SetBasicAuth("hush", "") },
			},
			http.StatusOK: {
				func(r *http.Request) { r.Header.Set("Authorization", "Bearer hush") },
				func(r *http.Request) { r.SetBasicAuth("anybody", "hush") },
			},
		} {
			for n, f := range prepare {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
				f(r)
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				require.Equal(t, want, w.Code, "%s %d", path, n)
				require.Equal(t, want == http.StatusUnauthorized, w.Header().Get("WWW-Authenticate") != "")
			}
		}
	}
}

// locked is a buffer that a log may write while a test reads.
type locked struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// TestOperatorsListenApart serves the control API at an address of its own.
func TestOperatorsListenApart(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{ClientID: "c", ClientSecret: "s"}})
	require.NoError(t, err)
	var l mockserver.Listeners
	for _, at := range []*net.Listener{&l.Partner, &l.Operator} {
		*at, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	for _, row := range []struct {
		at   net.Listener
		path string
		want int
	}{
		{l.Partner, "/docs", http.StatusOK},
		{l.Partner, "/Company/List", http.StatusUnauthorized},
		{l.Partner, "/_sandbox/ready", http.StatusNotFound},
		{l.Partner, "/metrics", http.StatusNotFound},
		{l.Operator, "/_sandbox/ready", http.StatusOK},
		{l.Operator, "/metrics", http.StatusOK},
		{l.Operator, "/Company/List", http.StatusNotFound},
		{l.Operator, "/docs", http.StatusNotFound},
		{l.Partner, theme.Stylesheet(), http.StatusOK},
		{l.Operator, theme.Stylesheet(), http.StatusOK},
	} {
		status, body := get(t, "http://"+row.at.Addr().String()+row.path)
		require.Equal(t, row.want, status, "%s %s", row.path, body)
	}
	stop()
	require.NoError(t, <-ended)
}

// TestAttackBodiesThatKeepTheServer: bodies that never come do not keep the server,
// and the log says how many requests were cut.
func TestAttackBodiesThatKeepTheServer(t *testing.T) {
	t.Parallel()
	var out locked
	addr, stop := serving(t, mockserver.Options{
		StopTimeout: 50 * time.Millisecond, Log: slog.New(slog.NewTextHandler(&out, nil)),
		Integration: integration.Options{ClientID: "c", ClientSecret: "s"},
	})
	const clients = 3
	for range clients {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		require.NoError(t, err)
		defer func() { _ = conn.Close() }()
		_, err = fmt.Fprint(conn, "POST /Authentication/Token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
		require.NoError(t, err)
		line, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "100 Continue", "the request is under way")
		_, err = io.WriteString(conn, "{")
		require.NoError(t, err)
	}
	require.NoError(t, stop())
	require.Contains(t, out.String(), fmt.Sprintf("connections=%d", clients))
}

// TestAttackCallsWithoutAToken calls far more often than a tape has entries: the
// owner's stay, and the last of the others can be looked at.
func TestAttackCallsWithoutAToken(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
		Clock: integration.Manual, ClientID: "c", ClientSecret: "s", Tape: tape.Limits{Entries: 2000},
	}})
	require.NoError(t, err)
	c := newCaller(s, s.Registry().Default())
	own := s.Registry().Default()
	c.call(t, http.MethodGet, "/Company/List?n=first", nil)
	before, _, _ := own.Size()
	for n := range 5000 {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("/Company/List?n=%d", n), http.NoBody)
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, r)
		require.Equal(t, http.StatusUnauthorized, w.Code)
	}
	entries, _, _ := own.Size()
	require.Less(t, entries-before, 600)
	first, kept := own.Entry(1)
	require.True(t, kept, "the owner's first entry is still there")
	require.Equal(t, "n=first", first.Exchange.Query)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/_sandbox/strangers", http.NoBody)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	require.Len(t, lines, 201)
	require.Contains(t, lines[200], "n=4999")
	require.Contains(t, lines[0], `"dropped":4300`)
}

// TestAttackGuessedTokens: who tries one control token after the other is told to wait,
// whatever comes next; others, and who knows it, are not.
func TestAttackGuessedTokens(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	s, err := mockserver.New(mockserver.Options{
		ControlToken: "hush", ReadToken: "look", Wall: func() time.Time { return now }, Integration: integration.Options{Clock: integration.Manual},
	})
	require.NoError(t, err)
	const browser = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	ask := func(from, method, path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("token=no&csrf="+browser))
		r.RemoteAddr = from
		for n := 0; n < len(header); n += 2 {
			r.Header.Set(header[n], header[n+1])
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	const one, two = "192.0.2.1:99", "192.0.2.2:99"
	form := []string{"Content-Type", "application/x-www-form-urlencoded", "Cookie", "paysandbox_sign_in=" + browser}
	for range 50 {
		elsewhere := append([]string{"Origin", "https://evil.example"}, form...)
		require.Equal(t, http.StatusForbidden, ask(one, http.MethodPost, "/console/-/login", elsewhere...).Code, "what another page sends is no guess")
		require.Equal(t, http.StatusForbidden, ask(one, http.MethodPost, "/console/-/login", form[:2]...).Code, "nor is a form that was not shown")
	}
	guesses := []func(token string) *httptest.ResponseRecorder{
		func(token string) *httptest.ResponseRecorder {
			return ask(one, http.MethodGet, "/_sandbox/integrations", "Authorization", "Bearer "+token)
		},
		func(token string) *httptest.ResponseRecorder {
			return ask(one, http.MethodGet, "/metrics", "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("a:"+token)))
		},
		func(token string) *httptest.ResponseRecorder {
			return ask(one, http.MethodGet, "/docs", "Authorization", "bearer "+token)
		},
		func(token string) *httptest.ResponseRecorder {
			return ask(one, http.MethodGet, "/console", "Authorization", "Bearer "+token)
		},
		func(string) *httptest.ResponseRecorder { return ask(one, http.MethodPost, "/console/-/login", form...) },
	}
	for n := range 50 {
		for _, token := range []string{"hush", "look"} {
			require.Equal(t, http.StatusOK, ask(two, http.MethodGet, "/_sandbox/integrations", "Authorization", "Bearer "+token).Code, "who knows it may come often")
		}
		require.Equal(t, http.StatusUnauthorized, ask(one, http.MethodGet, "/_sandbox/integrations").Code, "who shows nothing guesses nothing")
		w := guesses[n%len(guesses)](fmt.Sprint("hush", n))
		if n < 10 {
			require.Contains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, w.Code, "guess %d", n)
			continue
		}
		require.Equal(t, http.StatusTooManyRequests, w.Code, "guess %d", n)
		require.Equal(t, "6", w.Header().Get("Retry-After"))
	}
	for n := range 4 {
		require.Equal(t, http.StatusTooManyRequests, guesses[n]("hush").Code, "the right one is not found out among many")
	}
	require.Equal(t, http.StatusOK, ask(two, http.MethodGet, "/metrics", "Authorization", "Bearer hush").Code)
	now = now.Add(6 * time.Second)
	require.Equal(t, http.StatusOK, guesses[0]("hush").Code)
	require.Equal(t, http.StatusOK, guesses[1]("hush").Code, "it was no guess")
}

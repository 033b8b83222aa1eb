package mockserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
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
	"go.uber.org/goleak"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/mocktest"
)

// get reads one address.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(body)
}

func TestAddressesOfTheHouse(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{})
	for path, want := range map[string]string{
		"/": "paysandbox", "/docs": "<", "/openapi.json": `"openapi"`, "/openapi.yaml": "openapi:", "/_sandbox/ready": "ready",
		"/metrics": "paysandbox_requests_total",
	} {
		if path == "/metrics" {
			get(t, s.URL+"/Company/List") // so that there is something to count
		}
		status, body := get(t, s.URL+path)
		require.Equal(t, http.StatusOK, status, path)
		require.Contains(t, body, want, path)
	}
	_, figures := get(t, s.URL+"/metrics")
	for _, want := range []string{
		`paysandbox_requests_total{operation="listCompanies",status="401"} 1`, "paysandbox_request_seconds_bucket", "paysandbox_tape_bytes",
		"paysandbox_entities 0", "paysandbox_disk_files 0", "paysandbox_disk_bytes 0", "paysandbox_integrations 1", "process_resident_memory_bytes",
	} {
		require.Contains(t, figures, want)
	}
}

// TestStrangersMakeNoSeries keeps unknown paths and methods from growing the
// metrics.
func TestStrangersMakeNoSeries(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{})
	for n := range 50 {
		get(t, fmt.Sprintf("%s/stranger-%d", s.URL, n))
	}
	_, figures := get(t, s.URL+"/metrics")
	require.Contains(t, figures, `paysandbox_requests_total{operation="none",status="404"} 50`)
	require.NotContains(t, figures, "stranger")
}

// TestIntegrationsDoNotMix lets many clients work at once, each on an
// integration of its own.
func TestIntegrationsDoNotMix(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{})
	const integrations = 200
	var wg sync.WaitGroup
	for n := range integrations {
		wg.Go(func() {
			i, err := s.Server.Registry().Create(integration.Options{Name: fmt.Sprint("client ", n), Seed: uint64(n), Clock: integration.Manual})
			if err != nil {
				t.Error(err)
				return
			}
			c := newCaller(s.Server, i)
			for k := range 5 {
				c.call(t, http.MethodPost, "/Company/Create", fmt.Appendf(nil, `{"companyReferenceId":"own-%d-%d","name":"Gym","emailAddress":"o@example.com",
					"contactNumber":"+12025550123","companyType":"LLC","zipCode":"94610","state":"CA","owner":{"emailAddress":"p@example.com",
					"contactNumber":"+12025550124","ssn":"1234","zipCode":"94610","state":"CA"}}`, n, k))
			}
			r := httptest.NewRequest(http.MethodGet, "/Company/List", nil)
			r.Header.Set("Authorization", c.token)
			w := httptest.NewRecorder()
			c.h.ServeHTTP(w, r)
			var list struct {
				Companies []struct{ ReferenceID string }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Companies) != 5 {
				t.Errorf("integration %d lists %s", n, w.Body)
				return
			}
			for k, company := range list.Companies {
				if company.ReferenceID != fmt.Sprintf("own-%d-%d", n, k) {
					t.Errorf("integration %d sees %s", n, company.ReferenceID)
				}
			}
		})
	}
	wg.Wait()
}

// TestAPanicIsAnsweredAndLogged breaks the wall clock that a request reads.
func TestAPanicIsAnsweredAndLogged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	calls := 0
	s, err := mockserver.New(mockserver.Options{
		Log: slog.New(slog.NewTextHandler(&out, nil)), Integration: integration.Options{Clock: integration.Manual},
		Wall: func() time.Time {
			if calls++; calls > 0 {
				panic("the clock fell off the wall")
			}
			return time.Time{}
		},
	})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/Company/List", nil))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
	require.NotContains(t, w.Body.String(), "wall", "the caller is not shown what broke")
	require.NotContains(t, w.Body.String(), "goroutine")
	require.Contains(t, out.String(), "the clock fell off the wall")
}

func TestLogsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: mockserver.MaskAttr}))
	log.Info("call dana@example.com at +1 202 555 0123 with eyJhbGciOi.eyJzdWIi.c2ln",
		slog.String("clientSecret", "hush"), slog.String("ssn", "6789"), slog.Any("error", fmt.Errorf("post to dana@example.com failed")),
		slog.Group("owner", slog.String("documentNumber", "D1234567")), slog.Int("status", 200))
	for _, secret := range []string{"dana@example.com", "555 0123", "eyJhbGciOi", "hush", "6789", "D1234567"} {
		require.NotContains(t, out.String(), secret)
	}
	require.Contains(t, out.String(), `"status":200`)
	require.Contains(t, out.String(), "failed")
}

// serving runs a server on a listener until stop is called.
func serving(t *testing.T, o mockserver.Options) (addr string, stop func() error) {
	t.Helper()
	s, err := mockserver.New(o)
	require.NoError(t, err)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, mockserver.Listeners{Partner: l}) }()
	return l.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

// TestShutdownLetsRequestsFinish stops the server while a body is half sent.
func TestShutdownLetsRequestsFinish(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	addr, stop := serving(t, mockserver.Options{Integration: integration.Options{ClientID: "c", ClientSecret: "s"}})
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	body := `{"clientId":"c","clientSecret":"s"}`
	_, err = fmt.Fprintf(conn, "POST /Authentication/Token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body))
	require.NoError(t, err)
	in := bufio.NewReader(conn)
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue", "the request is under way")
	_, err = in.ReadString('\n')
	require.NoError(t, err)
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	_, err = io.WriteString(conn, body)
	require.NoError(t, err)
	answer, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Contains(t, string(answer), "200 OK")
	require.Contains(t, string(answer), "accessToken")
	require.NoError(t, <-stopped)
}

// TestShutdownDoesNotWaitForUnusedConnections stops the server while a client
// holds a connection that it has sent nothing on.
func TestShutdownDoesNotWaitForUnusedConnections(t *testing.T) {
	t.Parallel()
	addr, stop := serving(t, mockserver.Options{StopTimeout: 3 * time.Minute})
	unused, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	defer func() { _ = unused.Close() }()
	// The second call shows that the first connection was taken as well.
	_, _ = get(t, "http://"+addr+"/")
	began := time.Now()
	require.NoError(t, stop())
	require.Less(t, time.Since(began), 2*time.Minute)
}

// TestWebhookAddressIsChecked refuses a start with an address that is none.
func TestWebhookAddressIsChecked(t *testing.T) {
	t.Parallel()
	_, err := mockserver.New(mockserver.Options{Integration: integration.Options{WebhookURL: "ftp://example.com"}})
	require.Error(t, err)
	require.True(t, strings.Contains(err.Error(), "http"), err)
}

package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

func TestFetch(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization")+r.Header.Get("Referer") != "" || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusTeapot)
		}
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write([]byte("%PDF-"))
	})
	for from, to := range map[string]string{
		"1": "/file", "2": "/1", "3": "/2", "4": "/3", "round": "/round",
		"private": "http://0.0.0.0:1/x", "file": "file:///etc/passwd", "user": "http://u:p@{host}/file", "part": "/file#page=1", "bad": "http://[::1",
	} {
		mux.HandleFunc("/to/"+from, func(w http.ResponseWriter, r *http.Request) {
			target := strings.Replace(to, "{host}", r.Host, 1)
			if len(target) == 2 || target == "/round" {
				target = "/to" + target
			}
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		})
	}
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 10<<20+1)) })
	mux.HandleFunc("/declared", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "99999999")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		_, _ = w.Write([]byte("x"))
	})
	mux.HandleFunc("/exact", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 10<<20)) })
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	s := newSender(t, webhook.Options{})

	require.Equal(t, tape.Fetch{
		URL: srv.URL + "/file", Status: 200, ContentType: "application/pdf", Size: 5, Body: []byte("%PDF-"),
		SHA256: "38523c087796e5d5dd1cf9bad1fb026781a838dd9dd2cf8af58b9f6502a46778",
	}, fetch(s, srv.URL+"/file"))
	for address, want := range map[string]string{
		strings.Replace(srv.URL, "//", "//u:p@", 1) + "/file": "user information", srv.URL + "/file#page=1": "a fragment",
		srv.URL + "/" + strings.Repeat("x", 2048): "longer than 2,048 bytes",
	} {
		f := fetch(s, address)
		require.Contains(t, f.Error, want)
		require.Zero(t, f.Status, "nothing was asked")
		require.NotContains(t, f.URL, "u:p")
		require.LessOrEqual(t, len(f.URL), 2048)
	}
	require.EqualValues(t, 10<<20, fetch(s, srv.URL+"/exact").Size)
	for path, want := range map[string]string{
		"/to/3": "", "/to/part": "", "/to/user": "user information", "/to/4": "more than 3 redirects", "/to/round": "more than 3 redirects",
		"/to/private": "an unspecified address", "/to/file": "neither http nor https", "/to/bad": "cannot be understood",
		"/large": "larger than 10 MiB", "/declared": "larger than 10 MiB", "/none": "the server answered 404",
	} {
		f := fetch(s, srv.URL+path)
		if want == "" {
			require.Empty(t, f.Error, path)
			require.EqualValues(t, 5, f.Size, path)
			continue
		}
		require.Contains(t, f.Error, want, path)
		require.Nil(t, f.Body, path)
		require.Zero(t, f.Size, path)
	}
	hasty := newSender(t, webhook.Options{FetchTimeout: 50 * time.Millisecond})
	require.Equal(t, "timeout after 50ms", fetch(hasty, srv.URL+"/hang").Error)
	require.Equal(t, "connection refused", fetch(s, "http://127.0.0.1:1/malformed").Error)
	require.Equal(t, "the address is neither http nor https", fetch(s, "file:///etc/passwd").Error)
}

func TestProbe(t *testing.T) {
	t.Parallel()
	s := newSender(t, webhook.Options{ProbeTimeout: time.Minute})
	hasty := newSender(t, webhook.Options{ProbeTimeout: 100 * time.Millisecond})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead {
			t.Errorf("probed with %s", r.Method)
		}
		if r.URL.Path == "/redirect" {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
		}
		if r.URL.Path == "/guarded" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	require.Equal(t, webhook.ProbeResult{URL: url, Reachable: true, Status: 405}, s.Probe(t.Context(), url))
	require.Contains(t, s.Probe(t.Context(), url+"/redirect").Advice, "redirects to /elsewhere")
	require.Contains(t, s.Probe(t.Context(), url+"/guarded").Advice, "Let them in by the signature")
	secure := tlsReceiver(t, func(*httptest.Server) {})
	for address, want := range map[string][2]string{
		"http://127.0.0.1:1/hooks":                {"connection refused", "register http://host.docker.internal:1/hooks"},
		url + "/hang":                             {"timeout after 100ms", "firewall"},
		"http://0.0.0.0:1/":                       {"address 0.0.0.0 is refused", "--allow-private-networks"},
		"https" + strings.TrimPrefix(url, "http"): {"the receiver does not speak TLS", "Try http instead"},
		secure.URL:                                {"certificate not trusted", "SSL_CERT_FILE"},
		"gopher://x":                              {"neither http nor https", "http://localhost:3000/hooks"},
	} {
		prober := s
		if strings.HasSuffix(address, "/hang") {
			prober = hasty
		}
		p := prober.Probe(t.Context(), address)
		require.False(t, p.Reachable)
		require.Contains(t, p.Error, want[0], address)
		require.Contains(t, p.Advice, want[1], address)
	}
}

package webhook_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/webhook"
)

// TestBadReceivers takes what receivers do wrong, and expects a short text that
// is the same in every run.
func TestBadReceivers(t *testing.T) {
	t.Parallel()
	answer := func(text string) func(*net.TCPConn) {
		return func(c *net.TCPConn) {
			readRequest(c)
			_, _ = io.WriteString(c, text)
		}
	}
	hang := func(c *net.TCPConn) { _, _ = io.Copy(io.Discard, c) }
	tests := map[string]struct {
		serve  func(*net.TCPConn)
		status int
		want   string
	}{
		"garbage":         {answer("\x00\xff\x17 what? \r\n\r\n"), 0, "the answer is not HTTP"},
		"another version": {answer("HTTP/9.x 200 OK\r\n\r\n"), 0, "the answer is not HTTP"},
		"a bad status":    {answer("HTTP/1.1 abc OK\r\n\r\n"), 0, "the answer is not HTTP"},
		"status 000":      {answer("HTTP/1.1 000 x\r\n\r\n"), 0, "the answer is not HTTP"},
		"a bad header":    {answer("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"), 0, "the answer is not HTTP"},
		"half a header":   {answer("HTTP/1.1 200 OK\r\nContent-Le"), 0, "the answer is not HTTP"},
		"hang-up":         {answer(""), 0, "connection closed by the receiver"},
		"reset": {func(c *net.TCPConn) {
			readRequest(c)
			_ = c.SetLinger(0)
		}, 0, "connection closed by the receiver"},
		"reset unread": {func(c *net.TCPConn) { _ = c.SetLinger(0) }, 0, "connection closed by the receiver"},
		"short body":   {answer("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"), 200, "the answer broke off: connection closed by the receiver"},
		"bad chunk":    {answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 200, "the answer broke off: the answer is not HTTP"},
		"long headers": {answer("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), 0, "the answer's headers are too long"},
		"many 1xx":     {answer(strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("y", 9000)+"\r\n\r\n", 20)), 0, "the answer's headers are too long"},
		"switches": {func(c *net.TCPConn) {
			answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")(c)
			hang(c)
		}, 101, ""},
		"redirect":       {answer("HTTP/1.1 307 Go\r\nLocation: http://u:p@127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n"), 307, "redirect to http://127.0.0.1:1/x not followed"},
		"redirect where": {answer("HTTP/1.1 304 Same\r\n\r\n"), 304, "redirect not followed"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, after := deliver(newSender(t, webhook.Options{}), view(rawReceiver(t, tc.serve)))
			require.Equal(t, tc.status, a.Status)
			require.Equal(t, tc.want, a.Error)
			require.Empty(t, after)
			require.Equal(t, body, string(a.Body))
		})
	}
}

// TestHangingReceivers do not answer, or not in full, and are given up on time.
func TestHangingReceivers(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]struct {
		status int
		error  string
	}{
		"":                         {0, "timeout after 15s"},
		"HTTP/1.1 200 OK\r\nConte": {0, "timeout after 15s"},
		"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nslow": {200, "the answer broke off: timeout after 15s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := inMemory(t, webhook.Options{}, func(c net.Conn) {
				readRequest(c)
				_, _ = io.WriteString(c, sent)
				_, _ = io.Copy(io.Discard, c)
			})
			began := time.Now()
			a, after := deliver(s, view("http://receiver.test"))
			require.Equal(t, 15*time.Second, time.Since(began))
			require.Equal(t, want.status, a.Status, sent)
			require.Equal(t, want.error, a.Error, sent)
			require.Empty(t, after)
			require.Equal(t, body, string(a.Body))
		})
	}
}

func TestHugeBody(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		defer close(ended)
		for { // until the sender hangs up
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	a, _ := deliver(newSender(t, webhook.Options{}), view(url))
	<-ended
	require.Equal(t, 200, a.Status)
	require.Len(t, a.ResponseBody, 4<<10)
	require.Empty(t, a.Error)
}

func TestBadAddresses(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://127.0.0.1:1/": "connection refused",
		"http://0.0.0.0:1/":   "address 0.0.0.0 is refused, it is an unspecified address; --allow-private-networks permits it",
		"ftp://127.0.0.1/":    "the address is neither http nor https",
		"http://":             "the address cannot be understood",
		"http://[::1":         "the address cannot be understood",
	} {
		a, _ := deliver(newSender(t, webhook.Options{}), view(url))
		require.Zero(t, a.Status)
		require.Equal(t, want, a.Error, url)
	}
	d := view("http://user:secret@127.0.0.1:1/")
	a, _ := deliver(newSender(t, webhook.Options{}), d)
	require.Equal(t, []string{"http://127.0.0.1:1/", "the address has user information, which is not sent"}, []string{a.URL, a.Error})
}

// TestPrivateNetworks asks the rule through a sender. 0.0.0.0 is refused and yet
// leads to this machine alone, should the rule not be asked.
func TestPrivateNetworks(t *testing.T) {
	t.Parallel()
	url, _ := receiver(t)
	url = strings.Replace(url, "127.0.0.1", "0.0.0.0", 1)
	a, _ := deliver(newSender(t, webhook.Options{}), view(url))
	require.Contains(t, a.Error, "--allow-private-networks")
	a, _ = deliver(newSender(t, webhook.Options{AllowPrivate: true}), view(url))
	require.Equal(t, 200, a.Status)
}

func tlsReceiver(t *testing.T, change func(*httptest.Server)) *httptest.Server {
	t.Helper()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Proto)
	}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.EnableHTTP2 = true
	change(srv)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv
}

func TestTLS(t *testing.T) {
	t.Parallel()
	good := tlsReceiver(t, func(*httptest.Server) {})
	roots := x509.NewCertPool()
	roots.AddCert(good.Certificate())
	trusting := newSender(t, webhook.Options{RootCAs: roots})

	a, _ := deliver(trusting, view(good.URL))
	require.Empty(t, a.Error)
	require.Equal(t, "HTTP/2.0", a.ResponseHeader[0].Value)

	old := tlsReceiver(t, func(srv *httptest.Server) { srv.EnableHTTP2 = false })
	a, _ = deliver(trusting, view(old.URL))
	require.Equal(t, "HTTP/1.1", a.ResponseHeader[0].Value)

	a, _ = deliver(newSender(t, webhook.Options{}), view(good.URL))
	require.Equal(t, "certificate not trusted: signed by an unknown authority", a.Error)

	a, _ = deliver(trusting, view(strings.Replace(good.URL, "127.0.0.1", "localhost", 1)))
	require.Equal(t, "certificate is for another host than localhost", a.Error)

	picky := tlsReceiver(t, func(srv *httptest.Server) {
		srv.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	})
	a, _ = deliver(trusting, view(picky.URL))
	require.Equal(t, "TLS refused by the receiver: tls: protocol version not supported", a.Error)

	plain, _ := receiver(t)
	a, _ = deliver(trusting, view("https"+strings.TrimPrefix(plain, "http")))
	require.Equal(t, "the receiver does not speak TLS", a.Error)

	mute := rawReceiver(t, func(c *net.TCPConn) { _, _ = io.Copy(io.Discard, c) })
	a, _ = deliver(newSender(t, webhook.Options{Timeout: 100 * time.Millisecond}), view("https"+strings.TrimPrefix(mute, "http")))
	require.Equal(t, "timeout after 100ms", a.Error)
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"certificate has expired or is not yet valid":  &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}},
		"certificate is not valid":                     x509.CertificateInvalidError{Reason: x509.TooManyIntermediates},
		"host name not found: no.invalid":              &net.OpError{Op: "dial", Err: &net.DNSError{Name: "no.invalid", IsNotFound: true}},
		"timeout looking up the host name no.invalid":  &net.DNSError{Name: "no.invalid", IsTimeout: true},
		"host name cannot be looked up: no.invalid":    &net.DNSError{Name: "no.invalid", Err: "server misbehaving"},
		"the receiver broke the HTTP/2 connection off": fmt.Errorf("stream error: stream ID 1; INTERNAL_ERROR"),
		"something else":                               fmt.Errorf("outside: %w", fmt.Errorf("something\nelse")),
		"é" + strings.Repeat("x", 198):                 fmt.Errorf("é%s", strings.Repeat("x", 500)),
		"timeout after 15s":                            &net.OpError{Op: "dial", Err: timeoutError{}},
	} {
		require.Equal(t, want, webhook.Explain(err, 15*time.Second))
	}
}

type timeoutError struct{}

func (timeoutError) Error() string   { return "i/o timeout" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }

package webhook_test

import (
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

func TestDeliver(t *testing.T) {
	t.Parallel()
	url, got := receiver(t)
	s := newSender(t, webhook.Options{Version: "1.2.3"})
	d := view(url + "/hooks?a=1")
	a, after := deliver(s, d)
	r := <-got
	require.Equal(t, body, string(r.body))
	require.Positive(t, a.Took)
	a.Took = 0
	require.Equal(t, tape.Attempt{
		Delivery: d.ID.String(), Endpoint: d.Endpoint.String(), Event: d.EventID.String(), Number: 1,
		URL: d.URL, Status: 200, Body: []byte(body), ResponseBody: []byte{},
		Header: []tape.Header{
			{Name: "Content-Type", Value: "application/json"},
			{Name: "Sandbox-Delivery", Value: d.ID.String()},
			{Name: "User-Agent", Value: "paysandbox/1.2.3"},
			{Name: "X-HMAC-Signature", Value: webhook.Signature(d.Secret, []byte(body), false)},
		},
	}, a)
	require.Empty(t, after)
	for _, h := range a.Header {
		require.Equal(t, []string{h.Value}, r.header.Values(h.Name), h.Name)
	}
}

// TestSignatureByOpenSSL lets an independent implementation sign what the tape
// remembers.
func TestSignatureByOpenSSL(t *testing.T) {
	t.Parallel()
	openssl := sampling.Needs(t, "openssl", "an independent implementation is to check the signatures")
	url, _ := receiver(t)
	s := newSender(t, webhook.Options{SlowFor: time.Millisecond})
	for _, profile := range []string{"", "stale-timestamp", "odd-json,extra-member,unknown-event", "slow-read"} {
		d := view(url)
		d.Profile, _ = delivery.ParseProfile(profile)
		a, _ := deliver(s, d)
		file := filepath.Join(t.TempDir(), "body")
		require.NoError(t, os.WriteFile(file, a.Body, 0o600))
		out, err := exec.CommandContext(t.Context(), openssl, "dgst", "-sha256", "-mac", "HMAC",
			"-macopt", "hexkey:"+hex.EncodeToString([]byte(d.Secret)), "-r", file).Output()
		require.NoError(t, err)
		digest, _, _ := strings.Cut(string(out), " ")
		require.Equal(t, "sha256="+digest, headerOf(a, "X-HMAC-Signature"), profile)
	}
}

func headerOf(a tape.Attempt, name string) string {
	for _, h := range a.Header {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func TestStyles(t *testing.T) {
	t.Parallel()
	url, got := receiver(t)
	s := newSender(t, webhook.Options{Style: func(scope string, d delivery.View) webhook.Style {
		return webhook.Style{UpperHex: scope == "scope", Bare: d.Attempt == 1}
	}})
	d := view(url)
	a, _ := deliver(s, d)
	r := <-got
	require.Len(t, a.Header, 2)
	require.NotContains(t, r.header, "User-Agent")
	require.NotContains(t, r.header, "Sandbox-Delivery")
	digest, ok := strings.CutPrefix(headerOf(a, "X-HMAC-Signature"), "sha256=")
	require.True(t, ok)
	require.Equal(t, strings.ToUpper(digest), digest)
	require.Equal(t, webhook.Signature(d.Secret, a.Body, true), "sha256="+digest)

	d.Attempt, d.Secret = 2, ""
	a, _ = deliver(s, d)
	r = <-got
	require.Len(t, a.Header, 3, "no secret, no signature")
	require.Equal(t, "paysandbox/dev", r.header.Get("User-Agent"))
	require.NotContains(t, r.header, "X-Hmac-Signature")
}

// TestHeaderOnTheWire looks at the bytes: the signature's name is written as the
// specification does.
func TestHeaderOnTheWire(t *testing.T) {
	t.Parallel()
	lines := make(chan string, 1)
	url := rawReceiver(t, func(c *net.TCPConn) {
		b := make([]byte, 4096)
		n, _ := c.Read(b)
		lines <- string(b[:n])
		_, _ = c.Write([]byte("HTTP/1.1 204 No Content\r\n\r\n"))
	})
	a, _ := deliver(newSender(t, webhook.Options{}), view(url))
	require.Equal(t, 204, a.Status)
	require.Contains(t, <-lines, "\r\nX-HMAC-Signature: sha256=")
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "120")
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Server", "not kept")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("later"))
	})
	a, after := deliver(newSender(t, webhook.Options{}), view(url))
	require.Equal(t, "120", after)
	require.Equal(t, 503, a.Status)
	require.Empty(t, a.Error)
	require.Equal(t, "later", string(a.ResponseBody))
	require.Equal(t, []tape.Header{{Name: "Content-Type", Value: "text/plain"}, {Name: "Retry-After", Value: "120"}}, a.ResponseHeader)
}

func TestLatency(t *testing.T) {
	t.Parallel()
	url, _ := receiver(t)
	clock := time.Unix(0, 0)
	type seen struct {
		endpoint string
		status   int
		took     time.Duration
	}
	observed := make(chan seen, 1)
	s := newSender(t, webhook.Options{
		Now:     func() time.Time { clock = clock.Add(3 * time.Second); return clock },
		Observe: func(endpoint string, status int, took time.Duration) { observed <- seen{endpoint, status, took} },
	})
	d := view(url)
	deliver(s, d)
	require.Equal(t, seen{d.Endpoint.String(), 200, 3 * time.Second}, <-observed)
	took, ok := s.Latency(d.ID.String(), 1)
	require.True(t, ok)
	require.Equal(t, 3*time.Second, took)
	_, ok = s.Latency("nonsense", 1)
	require.False(t, ok)

	for i := range webhook.KeptLatencies {
		_, ok = s.Latency(d.ID.String(), 1)
		require.True(t, ok, i)
		next := d
		next.Attempt = 2 + i
		s.PutLatency(next, time.Second)
	}
	_, ok = s.Latency(d.ID.String(), 1)
	require.False(t, ok, "memory is bounded")
	_, ok = s.Latency(d.ID.String(), 1+webhook.KeptLatencies)
	require.True(t, ok)
}

func TestLog(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	s := newSender(t, webhook.Options{Log: slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	deliver(s, view("http://127.0.0.1:1"))
	require.Contains(t, lines.String(), `error="connection refused"`)
	require.NotContains(t, lines.String(), "whsec")
}

package webhook_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/webhook"
)

// TestResolve gives a receiver a name that no name server knows, in attempts,
// downloads and probes; the receiver sees the name, and the rule of which
// addresses may be called holds for what is dialled.
func TestResolve(t *testing.T) {
	t.Parallel()
	real, got := receiver(t)
	u, err := url.Parse(real)
	require.NoError(t, err)
	s := newSender(t, webhook.Options{Resolve: func(hostport string) string {
		return map[string]string{"gym.partner.test:80": u.Host, "inside.partner.test:80": "10.0.0.1:80"}[hostport]
	}})
	a, _ := deliver(s, view("http://gym.partner.test/hooks"))
	require.Equal(t, []any{200, "", "http://gym.partner.test/hooks"}, []any{a.Status, a.Error, a.URL})
	<-got
	require.Equal(t, 200, fetch(s, "http://gym.partner.test/a.pdf").Status)
	<-got
	require.True(t, s.Probe(t.Context(), "http://gym.partner.test/hooks").Reachable)
	<-got

	a, _ = deliver(s, view("http://inside.partner.test/hooks"))
	require.Contains(t, a.Error, "address 10.0.0.1 is refused")
	require.True(t, s.Probe(t.Context(), "http://inside.partner.test/").Refused)
	a, _ = deliver(s, view(real))
	require.Equal(t, 200, a.Status, "who is not resolved is called as ever")
	<-got
}

// counter answers every request with 200 and no body, and counts what comes.
type counter struct{ connections, requests atomic.Int32 }

func (n *counter) serve(c net.Conn) {
	n.connections.Add(1)
	for r := bufio.NewReader(c); ; {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		n.requests.Add(1)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}
}

// TestAnAnswerIsNotLost halts what reads a connection when the answer has come and
// has not been handed over, as a busy machine does, for longer than a connection
// may be idle: the event was taken, and must not count as failed.
func TestAnAnswerIsNotLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var n counter
		s := inMemory(t, webhook.Options{}, n.serve)
		s.Trace(&httptrace.ClientTrace{PutIdleConn: func(error) { time.Sleep(3 * webhook.IdleTimeout) }})
		for range 3 {
			a, _ := deliver(s, view("http://receiver.test"))
			require.Equal(t, []any{200, ""}, []any{a.Status, a.Error})
		}
		require.EqualValues(t, 3, n.requests.Load())
	})
}

// TestIdleConnections: one that has just been used is used again, one that has
// waited too long is not, and no event goes out twice for that.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var n counter
		s := inMemory(t, webhook.Options{}, n.serve)
		for i, want := range []struct {
			wait        time.Duration
			connections int32
		}{{0, 1}, {webhook.IdleTimeout, 1}, {webhook.IdleTimeout + 1, 2}, {0, 2}, {time.Hour, 3}} {
			time.Sleep(want.wait)
			a, _ := deliver(s, view("http://receiver.test"))
			require.Equal(t, []any{200, ""}, []any{a.Status, a.Error})
			require.EqualValues(t, []int32{int32(i + 1), want.connections}, []int32{n.requests.Load(), n.connections.Load()})
		}
	})
}
